import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../base/log.js';

export interface KeptNumbersParts {
  readonly path: string;
  /** Digits and JSON of every good document in memory. */
  readonly documents: () => Iterable<readonly [digits: string, raw: string]>;
  /** A change is written after this delay, together with later ones. */
  readonly delayMilliseconds: number;
  readonly log: Logger;
}

/**
 * The last good configuration on disk, so that an edge can take calls if Redis is down when it starts. One line per number,
 * `<digits> <JSON>`; passwords in it are sealed. Replaced atomically.
 */
export class KeptNumbers {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: KeptNumbersParts) {}

  /** What an earlier process kept; nothing when there is no file. */
  async read(): Promise<readonly (readonly [digits: string, raw: string])[]> {
    const text = await readFile(this.parts.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') this.tell(error, 'Reading the cached numbers from disk failed.');
      return '';
    });
    return text
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const)
      .filter(([digits]) => /^\d+$/.test(digits));
  }

  /** Schedules a write. */
  changed(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.writing = this.write();
    }, this.parts.delayMilliseconds);
    this.timer.unref();
  }

  /** Writes pending changes. */
  async stop(): Promise<void> {
    await this.writing;
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.write();
  }

  private async write(): Promise<void> {
    const { path, documents } = this.parts;
    const temporary = `${path}.${process.pid}`;
    let text = '';
    for (const [digits, raw] of documents()) text += `${digits} ${raw}\n`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, text, { mode: 0o600 });
      await rename(temporary, path);
    } catch (error) {
      this.tell(error, 'Writing the cached numbers to disk failed.');
    }
  }

  private tell(error: unknown, text: string): void {
    this.parts.log.warn({ error: (error as Error).message }, text);
  }
}
