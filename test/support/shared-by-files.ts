import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';

export type Stop = () => unknown;

/**
 * For vitest's `globalSetup`: starts something that several test files use, and does not wait for it, so that other files
 * run meanwhile. Returns the teardown.
 * @param provide takes the name of the file from which `readShared` reads what `start` resolves with
 * @param start adds to `stops` what ends the things that it started, also when it rejects
 */
export function shareWithFiles<T extends object>(
  provide: (file: string) => void,
  start: (stops: Stop[]) => Promise<T>,
): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'demarc-shared-'));
  const file = join(folder, 'shared.json');
  provide(file);
  const stops: Stop[] = [];
  const started = start(stops)
    .catch((failure: Error) => ({ failure: failure.stack ?? failure.message }))
    .then((outcome) => {
      // A reader must never see half of it.
      writeFileSync(`${file}.new`, JSON.stringify(outcome));
      renameSync(`${file}.new`, file);
    });
  return async () => {
    await started;
    for (const stop of stops.reverse()) await stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** What `shareWithFiles` shares; waits until it is up, and rejects with the reason if it did not start. */
export async function readShared<T extends object>(file: string, milliseconds: number): Promise<T> {
  await until(() => existsSync(file), milliseconds, 'what the test files share is up');
  const shared: T & { failure?: string } = JSON.parse(readFileSync(file, 'utf8'));
  if (shared.failure !== undefined)
    throw new Error(`What the test files share did not start: ${shared.failure}`);
  return shared;
}
