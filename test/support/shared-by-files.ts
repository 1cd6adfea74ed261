import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';

export type Stop = () => unknown;

const lookMilliseconds = 250;
/** In a shared folder: a test file uses what is shared. */
const wanted = 'wanted';
/** Folders of what the running test file uses. */
const used = new Set<string>();
const markOf = (folder: string, user: string): string => join(folder, `left-${user}`);

/**
 * For vitest's `globalSetup`: starts something that several test files use when the first of them asks for it; a run without them starts
 * nothing. Returns the teardown.
 * @param provide takes the name of the file from which `readShared` reads what `start` resolves with
 * @param start adds to `stops` what ends the things that it started, also when it rejects
 * @param users names of all test files that use it; once each has left, it ends, because even idle it takes processor time from
 *   the other files. Absent: it ends with the run
 */
export function shareWithFiles<T extends object>(
  provide: (file: string) => void,
  start: (stops: Stop[]) => Promise<T>,
  users: readonly string[] = [],
): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'demarc-shared-'));
  const file = join(folder, 'shared.json');
  provide(file);
  const stops: Stop[] = [];
  const begin = async (): Promise<void> => {
    const outcome = await start(stops).catch((failure: Error) => ({
      failure: failure.stack ?? failure.message,
    }));
    // A reader must never see half of it.
    writeFileSync(`${file}.new`, JSON.stringify(outcome));
    renameSync(`${file}.new`, file);
  };
  let started: Promise<void> | undefined;
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= (async () => {
      await started;
      for (const stop of stops.reverse()) await stop();
    })();
    return ended;
  };
  const look = setInterval(() => {
    if (existsSync(join(folder, wanted))) started ??= begin();
    if (users.length === 0 || users.some((user) => !existsSync(markOf(folder, user)))) return;
    // The end of the run reports a failure.
    end().catch(() => undefined);
  }, lookMilliseconds).unref();
  return async () => {
    clearInterval(look);
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** What `shareWithFiles` shares; waits until it is up, and rejects with the reason if it did not start. */
export async function readShared<T extends object>(file: string, milliseconds: number): Promise<T> {
  const folder = dirname(file);
  used.add(folder);
  writeFileSync(join(folder, wanted), '');
  await until(() => existsSync(file), milliseconds, 'what the test files share is up');
  const shared: T & { failure?: string } = JSON.parse(readFileSync(file, 'utf8'));
  if (shared.failure !== undefined)
    throw new Error(`What the test files share did not start: ${shared.failure}`);
  return shared;
}

/** At the end of a test file: it uses nothing shared any more. */
export function leaveShared(user: string): void {
  for (const folder of used) writeFileSync(markOf(folder, basename(user)), '');
  used.clear();
}
