import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, signalProcess } from '../base/process-identity.js';
import { roleCommand } from '../config/role-command.js';
import { complain, report } from './console.js';
import { readLauncherSettings } from './settings.js';
import { StateDirectory } from './state-directory.js';

const pollMilliseconds = 100;
/** Beyond the calls' time: records that wait for Redis. */
const extraMilliseconds = 5_000;

/** `demarc down`: ends what `demarc up` runs in the state directory, and what a killed launcher left there. */
export async function main(argv: readonly string[]): Promise<void> {
  roleCommand(
    'demarc down',
    'Ends the system that runs in the state directory (DEMARC_STATE_DIR), also when its launcher was killed.',
  )
    .addHelpText('after', '\nActive calls may finish within DEMARC_DRAIN_SECONDS.')
    .parse([...argv], { from: 'user' });
  const settings = readLauncherSettings(process.env);
  const directory = new StateDirectory(settings.stateDirectory);
  const { owner } = directory;
  if (owner !== undefined) {
    signalProcess(owner, 'SIGTERM');
    while (isRunning(owner)) await sleep(pollMilliseconds);
  }
  if (directory.leftovers().size > 0) {
    directory.take();
    directory.withdrawReady();
    const left = directory.leftovers();
    // Redis last: the edges write their records.
    const isStore = (name: string): boolean => name === 'redis' || name === 'postgres';
    const split = (stores: boolean) => new Map([...left].filter(([name]) => isStore(name) === stores));
    const grace = settings.drainSeconds * 1_000 + extraMilliseconds;
    const calls = split(false);
    const edges = new Map([...calls].filter(([name]) => name.startsWith('edge')));
    // On SIGTERM they would leave answered calls to the engine, which ends as well.
    await directory.endLeftovers(edges, grace, 'SIGINT');
    for (const name of edges.keys()) calls.delete(name);
    await directory.endLeftovers(calls, grace);
    await directory.endLeftovers(split(true), grace);
    directory.release();
    report(`Ended ${[...left.keys()].join(', ')}.`);
  } else if (owner === undefined) {
    complain(`Demarc does not run in ${directory.path}.`);
    process.exit(1);
  }
  report('Stopped.');
  process.exit(0);
}
