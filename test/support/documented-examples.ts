import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TestProcess } from './processes.js';

const root = join(import.meta.dirname, '..', '..');

/** The commands of a page of the documentation: its indented blocks, one after the other. */
export async function documentedExamples(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/(?<=\n\n)(?: {4}.*\n)+/g)].map(([block]) => block.replaceAll(/^ {4}/gm, ''));
}

interface Shell {
  /** Base URL and key of the API: `$URL` and `$KEY`. */
  readonly url: string;
  readonly key: string;
  /** Where the commands run. */
  readonly folder: string;
}

/** Runs commands as a reader types them, until one fails. */
export const runCommands = (commands: readonly string[], { url, key, folder }: Shell): TestProcess =>
  new TestProcess('bash', ['-ec', commands.join('\necho\n')], {
    cwd: folder,
    env: { ...process.env, URL: url, KEY: key },
  });
