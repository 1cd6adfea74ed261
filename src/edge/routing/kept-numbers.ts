import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../base/log.js';

export interface KeptNumbersParts {
  readonly path: string;
  /** Digits and JSON of every good document in memory. */
  readonly documents: () => Iterable<readonly [digits: string, raw: string]>;
  /** A change is written after this delay, together with later ones; ten times as late where there are 20,000 documents. */
  readonly delayMilliseconds: number;
  readonly log: Logger;
}

/** Documents per turn of the event loop: about a millisecond. Thousands at once would delay calls. */
const portion = 500;
/** A file of more numbers, which each read of a further one changes, is written less often in proportion. */
const smallFile = 2_000;

/**
 * The last good configuration on disk, so that an edge can take calls if Redis is down when it starts. One line per number,
 * `<digits> <JSON>`; passwords in it are sealed. Replaced atomically.
 */
export class KeptNumbers {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** Documents in the file. */
  private written = 0;

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
    const delay = this.parts.delayMilliseconds * Math.max(1, this.written / smallFile);
    this.timer ??= setTimeout(() => this.begin(), delay);
    this.timer.unref();
  }

  /** Writes pending changes. */
  async stop(): Promise<void> {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.begin();
    }
    await this.writing;
  }

  private begin(): void {
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
  }

  private async write(): Promise<void> {
    const { path, documents } = this.parts;
    const temporary = `${path}.${process.pid}`;
    // A list, because calls reorder the numbers meanwhile.
    const all = [...documents()];
    this.written = all.length;
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(temporary, 'w', 0o600);
      try {
        for (let at = 0; at < all.length; at += portion) {
          let text = '';
          for (const [digits, raw] of all.slice(at, at + portion)) text += `${digits} ${raw}\n`;
          await file.writeFile(text);
          await nextTurn();
        }
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      this.tell(error, 'Writing the cached numbers to disk failed.');
    }
  }

  private tell(error: unknown, text: string): void {
    this.parts.log.warn({ error: (error as Error).message }, text);
  }
}
