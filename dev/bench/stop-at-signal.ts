import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** At the first signal that asks for the end, what this process started is stopped before it ends; a second signal does not wait. */
export function stopAtSignal(stop: () => Promise<unknown>): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    const status = 128 + constants.signals[signal];
    if (isStopping) process.exit(status);
    isStopping = true;
    process.stderr.write(`${signal}: stopping what was started.\n`);
    stop().then(
      () => process.exit(status),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}
