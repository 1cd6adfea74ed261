import { faultFields, isDiskFault } from '../base/process-faults.js';
import { complain, report } from './console.js';
import type { StateDirectory } from './state-directory.js';
import type { Supervisor } from './supervisor.js';

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm; signals closer together than this count as one. */
const sameSignalMilliseconds = 1_000;
const parentCheckMilliseconds = 250;

/** `stop`: all processes end with the launcher. `hand over`: they continue under the launcher that asked for it. */
export type StopRequest = 'stop' | 'hand over';

/** Resolves at the first request to stop; a second one kills everything at once. */
export function stopRequests(supervisor: Supervisor, directory: StateDirectory): Promise<StopRequest> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (): void => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        resolve('stop');
      } else if (now - firstAt > sameSignalMilliseconds) {
        void killAll('Stopped at once.', 1);
      }
    };
    const killAll = async (text: string, code: number): Promise<void> => {
      await supervisor.kill();
      directory.release();
      report(text);
      process.exit(code);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    process.on('SIGUSR2', () => {
      if (firstAt === undefined) resolve('hand over');
    });
    whenNpmIsGone(onSignal);
    process.on('disconnect', onSignal);
    // One operation failed; the processes keep running.
    process.on('unhandledRejection', (failure) => complain(faultFields(failure).error));
    process.on('uncaughtException', (failure) => {
      if (isDiskFault(failure)) {
        complain(failure.message);
        return;
      }
      complain(failure.stack ?? failure.message);
      supervisor.letGo();
      directory.giveUp();
      complain(
        'The launcher ends after this internal error. Its processes continue; the next start adopts them.',
      );
      process.exit(1);
    });
  });
}

/** A killed npm forwards no signal, so nothing else would stop the processes it started. */
function whenNpmIsGone(act: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    act();
  }, parentCheckMilliseconds);
  timer.unref();
}
