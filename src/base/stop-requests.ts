import type { Logger } from './log.js';

/** Variable of the environment: the process does not end with its parent, because another one will take its place. */
export const outlivesParent = 'OUTLIVES_PARENT';

/** Reason of a stop: the IPC channel to the parent process has closed. */
export const parentGone = 'parent gone';

/** Enough for the log destination to hand its last lines to the system. */
const lastLinesMilliseconds = 50;

/**
 * Runs `stop` at the first request to stop, then ends the process with status 0. Requests are SIGTERM, SIGINT, and the end of
 * the parent process where it opened an IPC channel: no role outlives the supervisor or the test that started it. A signal
 * while it stops ends the process at once with status 1.
 * @param stop what takes long, such as a drain; when it rejects, the process ends with status 1
 * @param further signals that are requests too
 */
export function onStopRequest(
  log: Logger,
  stop: (why: string) => Promise<void>,
  further: readonly NodeJS.Signals[] = [],
): void {
  let isStopping = false;
  const begin = (why: string): void => {
    isStopping = true;
    log.info({ why }, 'Stopping.');
    stop(why).then(
      () => setTimeout(() => process.exit(0), lastLinesMilliseconds),
      (error: unknown) => {
        log.fatal({ error: String(error) }, 'The shutdown failed.');
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!isStopping) {
      begin(signal);
      return;
    }
    log.info({ why: signal }, 'Stopping at once.');
    process.exit(1);
  };
  const onParentGone = (): void => {
    if (!isStopping) begin(parentGone);
  };
  for (const signal of ['SIGTERM', 'SIGINT', ...further] as const) process.on(signal, onSignal);
  // The launcher's processes wait for its successor.
  if (process.env[outlivesParent] !== undefined) return;
  process.on('disconnect', onParentGone);
  // It ended while this process was starting.
  if (process.send !== undefined && !process.connected) onParentGone();
}

/** Reports over the IPC channel, where there is one and the parent still runs, that this process does its work. */
export function reportReady(facts: Readonly<Record<string, unknown>> = {}): void {
  if (process.connected) process.send?.({ type: 'ready', ...facts });
}
