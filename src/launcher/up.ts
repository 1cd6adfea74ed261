import { setTimeout as sleep } from 'node:timers/promises';
import { catchesSignal } from '../base/caught-signals.js';
import { signalProcess } from '../base/process-identity.js';
import { SettingsError } from '../config/environment.js';
import { roleCommand } from '../config/role-command.js';
import { complain, report } from './console.js';
import { PartFailed } from './managed-process.js';
import { PortsTaken } from './ports.js';
import { replaceProcesses } from './replacement.js';
import { readLauncherSettings } from './settings.js';
import { StateDirectory, StateDirectoryBusy, StateDirectoryUnusable } from './state-directory.js';
import { type StopRequest, stopRequests } from './stop-requests.js';
import { Supervisor } from './supervisor.js';
import { bringUp, type SystemPlan } from './system.js';

const variables = `
Settings come from the environment:
  DEMARC_STATE_DIR=.demarc           directory for all data and logs
  DATABASE_URL                       PostgreSQL to use instead of a private one
  DEMARC_BIND=127.0.0.1              address for SIP, media and HTTP
  DEMARC_ADVERTISED_HOST             address to announce instead of the bind address, e.g. behind NAT
  DEMARC_SIP_TLS_PORT=5061
  DEMARC_HTTP_PORT=8080
  DEMARC_RTP_PORTS=10000-20000
  DEMARC_PRIVATE_PORTS=21000-31999   loopback ports of the private processes
  DEMARC_SIP_HOST=demarc.test        additional name in the certificate
  DEMARC_DEMO_NUMBER=12025550100
  DEMARC_EDGES=2                     edges on the engine
  DEMARC_DRAIN_SECONDS=10            seconds for active calls to finish after the first Ctrl-C
  DEMARC_AGENT_URI                   SIP URI of the voice agent; required without --demo-agent
`;

/** It only has to notice the request; a start or stop that is under way comes first. */
const handOverMilliseconds = 30_000;
/** Of a launcher, until it handles signals. */
const startMilliseconds = 2_000;

/** `demarc up`: starts everything, runs until SIGINT or SIGTERM, then ends what it started. */
export async function main(argv: readonly string[]): Promise<void> {
  const command = roleCommand(
    'demarc up',
    'Runs all of Demarc in the foreground, with private copies of Redis, PostgreSQL and rtpengine.',
  )
    .option(
      '--replace',
      'replace edges, engine and control of the running system one after another; calls continue',
    )
    .option('--demo-agent <file>', 'Node.js program to run as the voice agent (set by `npm start`)')
    .addHelpText('after', variables)
    .parse([...argv], { from: 'user' });
  const { demoAgent, replace = false } = command.opts<{ demoAgent?: string; replace?: boolean }>();
  // A closed terminal or pipe must not end the supervisor before its child processes.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const settings = readLauncherSettings(process.env);
    if (demoAgent === undefined && !process.env.DEMARC_AGENT_URI) {
      throw new SettingsError(['DEMARC_AGENT_URI: required without --demo-agent']);
    }
    await runUntilStopped({
      settings,
      demoAgent,
      replace,
      directory: new StateDirectory(settings.stateDirectory),
    });
    process.exit(0);
  } catch (failure) {
    const expected = [
      ...[SettingsError, StateDirectoryBusy, StateDirectoryUnusable],
      ...[LauncherTooOld, PortsTaken, PartFailed],
    ].some((kind) => failure instanceof kind);
    complain(
      expected
        ? (failure as Error).message
        : failure instanceof Error
          ? (failure.stack ?? failure.message)
          : String(failure),
    );
    process.exit(1);
  }
}

/** The running launcher is of a release that does not know `--replace`. */
class LauncherTooOld extends Error {
  constructor(path: string, pid: number) {
    super(
      `The launcher of ${path} (process ${pid}) is of a release that cannot hand its processes over.\n` +
        `End it with Ctrl-C in its terminal or 'kill ${pid}': active calls may finish within its DEMARC_DRAIN_SECONDS. Then start without --replace.`,
    );
  }
}

interface Run extends Omit<SystemPlan, 'supervisor'> {
  /** True: of a system that runs already, replaces the processes. */
  readonly replace: boolean;
}

async function runUntilStopped({ replace, ...plan }: Run): Promise<void> {
  const { directory } = plan;
  if (replace) await takeOver(directory);
  else
    await directory.takeWhenFree((pid) =>
      report(`Waiting for process ${pid}, which is starting or stopping here …`),
    );
  const supervisor = new Supervisor(directory);
  const requested = stopRequests(supervisor, directory);
  let request: StopRequest = 'stop';
  let failed = false;
  try {
    const start = async (): Promise<void> => {
      const system = await bringUp({ ...plan, supervisor });
      await replaceProcesses(system, replace ? system.roles : supervisor.outdatedNames);
    };
    await Promise.race([start(), requested]);
    request = await requested;
    if (request === 'stop') report('Stopping after active calls finish. Press Ctrl-C again to stop at once.');
  } catch (failure) {
    failed = true;
    throw failure;
  } finally {
    // A system that ran before continues, whatever prevented this launcher from completing it.
    if (request === 'hand over' || (failed && supervisor.adoptedNames.length > 0)) {
      supervisor.letGo();
      directory.giveUp();
    } else {
      directory.withdrawReady();
      await supervisor.stop();
      directory.release();
    }
  }
  report(request === 'stop' ? 'Stopped.' : 'Handed over to another launcher; the processes continue.');
}

/** Takes the directory from the launcher that owns it, which leaves everything running. */
async function takeOver(directory: StateDirectory): Promise<void> {
  const { owner } = directory;
  if (owner !== undefined) {
    if (!(await handsOver(owner.pid))) throw new LauncherTooOld(directory.path, owner.pid);
    signalProcess(owner, 'SIGUSR2');
  }
  const waiting = (pid: number): void => report(`Waiting for process ${pid} to hand over …`);
  await directory.takeWhenFree(waiting, handOverMilliseconds);
}

/** Without a handler the signal would end it. One that has just begun has none for a moment. */
async function handsOver(pid: number): Promise<boolean> {
  const until = performance.now() + startMilliseconds;
  while (catchesSignal(pid, 'SIGUSR2') === false) {
    if (performance.now() > until) return false;
    await sleep(100);
  }
  return true;
}
