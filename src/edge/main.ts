import { IdleMemory } from '../base/idle-memory.js';
import { createLog } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { preferMainThread } from '../base/process-priority.js';
import { onStopRequest, reportReady } from '../base/stop-requests.js';
import { readEdgeSettings } from '../config/edge-settings.js';
import { SettingsError } from '../config/environment.js';
import { roleCommand } from '../config/role-command.js';
import { Edge } from './edge.js';

/** Another edge takes the place of this one: it hands its calls over, and waits for those that are not answered yet. */
const replaceSignal = 'SIGUSR2';
/** Supervisors send it whether or not they start the process again. */
const restartSignal = 'SIGTERM';
/** Longer than any call rings. */
const replaceSeconds = 300;

/** `demarc edge`. Exit status: 0 after a drain, 1 when a part fails to start or a second signal comes, 2 for settings. */
export async function main(argv: readonly string[]): Promise<void> {
  roleCommand(
    'demarc edge',
    'The SIP edge: takes and places every call. All settings come from the environment (docs/settings.md).',
  )
    .addHelpText(
      'after',
      '\nSIGTERM and SIGINT drain the edge: new calls get 503, active calls have DEMARC_DRAIN_SECONDS to finish.\nThen the edge ends the remaining calls; after SIGTERM a separate engine keeps answered ones for the next edge.\nSIGUSR2 drains without a time limit: ringing calls can be answered, and answered ones continue at another edge.\nA second signal ends the edge at once.',
    )
    .parse([...argv], { from: 'user' });
  try {
    await run();
  } catch (error) {
    if (error instanceof SettingsError) {
      process.stderr.write(`demarc edge: ${error.message}\n`);
      process.exit(2);
    }
    process.stderr.write(`demarc edge: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

async function run(): Promise<void> {
  const settings = readEdgeSettings(process.env);
  const log = createLog({ level: settings.log.level, role: 'edge', edge: settings.edgeId });
  surviveFaults(log);
  const edge = await Edge.start(settings, log);
  log.info('Edge is up.');
  reportReady();
  preferMainThread();
  const memory = new IdleMemory();
  onStopRequest(
    log,
    (why) => {
      memory.stop();
      if (why === replaceSignal) return edge.drain(replaceSeconds, 'replacement');
      return edge.drain(settings.drain.seconds, why === restartSignal ? 'restart' : 'end');
    },
    [replaceSignal],
  );
}
