import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';
import { TestProcess } from './processes.js';

/** To be said by the configuration in `event_route[core:worker-one-init]`: the first process that is ready to receive. */
const listening = 'it is listening';

/** Statements of a configuration that say so. */
export const saysItListens = `event_route[core:worker-one-init] { xlog("L_WARN", "${listening}\\n"); }`;

/**
 * Starts Kamailio with its files in a separate folder; resolves when it listens, otherwise rejects with its output.
 * @param start for a Kamailio that is not to run here
 */
export async function startKamailio(
  directory: string,
  configuration: string,
  start: (command: string, argv: readonly string[]) => TestProcess = (command, argv) =>
    new TestProcess(command, argv),
): Promise<TestProcess> {
  const run = join(directory, 'run');
  mkdirSync(run, { recursive: true });
  const file = join(directory, 'kamailio.cfg');
  writeFileSync(file, configuration, { mode: 0o600 });
  const process = start('kamailio', [
    ...['-f', file, '-w', directory, '-DD', '-E', '-m', '64', '-M', '8'],
    ...['-Y', run, '-P', join(run, 'kamailio.pid')],
  ]);
  await until(
    () => {
      if (!process.isRunning) throw new Error(`Kamailio ended:\n${process.output.slice(-3_000)}`);
      return process.output.includes(listening);
    },
    10_000,
    () => `Kamailio listens:\n${process.output.slice(-3_000)}`,
  );
  return process;
}
