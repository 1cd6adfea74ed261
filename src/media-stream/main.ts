import { IdleMemory } from '../base/idle-memory.js';
import { createLog } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { onStopRequest, reportReady } from '../base/stop-requests.js';
import { SettingsError } from '../config/environment.js';
import { readMediaStreamSettings } from '../config/media-stream-settings.js';
import { roleCommand } from '../config/role-command.js';
import { MediaStream } from './media-stream.js';

/** Supervisors send it whether or not they start the process again. */
const restartSignal = 'SIGTERM';
/** The next process starts at once. */
const replacementSignal = 'SIGUSR2';

/** `demarc media-stream`. Exit status: 0 after a stop, 1 when a part fails to start, 2 for settings. */
export async function main(argv: readonly string[]): Promise<void> {
  roleCommand(
    'demarc media-stream',
    'Calls at voice agents that are WebSocket servers. All settings come from the environment (docs/settings.md).',
  )
    .addHelpText(
      'after',
      '\nSIGTERM and SIGINT: new calls go to other processes, running ones have DEMARC_DRAIN_SECONDS.\nThen SIGINT ends them; after SIGTERM the next process with the same DEMARC_STREAM_ID continues them.\nAfter SIGUSR2 it continues them at once.',
    )
    .parse([...argv], { from: 'user' });
  try {
    await run();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`demarc media-stream: ${text}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  }
}

async function run(): Promise<void> {
  const settings = readMediaStreamSettings(process.env);
  const log = createLog({ level: settings.log.level, role: 'media-stream' });
  surviveFaults(log);
  const role = await MediaStream.start(settings, log);
  log.info({ uri: role.uri, http: role.httpUrl, sockets: role.socketKind }, 'Media stream is up.');
  reportReady({ uri: role.uri, http: role.httpUrl });
  const memory = new IdleMemory({ mayPause: () => role.activeCalls === 0 });
  const stop = (why: string): Promise<void> => {
    memory.stop();
    return why === replacementSignal
      ? role.stop(0, true)
      : role.stop(settings.drainSeconds, why === restartSignal);
  };
  onStopRequest(log, stop, [replacementSignal]);
}
