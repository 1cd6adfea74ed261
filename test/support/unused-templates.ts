import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** No copy takes as long: a template that old is in no run's hands. */
const unusedMilliseconds = 24 * 3_600_000;

/** Notes that a run uses the template now. */
export async function noteUse(template: string): Promise<void> {
  const now = new Date();
  await utimes(template, now, now);
}

/** Removes templates that no run has used for a day: those of other schemas, and those that a killed run left unfinished. */
export async function removeUnusedTemplates(prefix: string): Promise<void> {
  const folder = dirname(prefix);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(prefix))) continue;
    const template = join(folder, name);
    const usedAt = await stat(template).then(
      ({ mtimeMs }) => mtimeMs,
      // Another run has removed it.
      () => Number.POSITIVE_INFINITY,
    );
    if (Date.now() - usedAt > unusedMilliseconds) await rm(template, { recursive: true, force: true });
  }
}
