import { createReadStream } from 'node:fs';
import { appendFile, mkdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Lines on disk that wait for Redis. New lines are appended to one file; before reading, it is renamed, so that reads and
 * writes use different files, and deleted only after its last line was handed over.
 */
export class SpillFile {
  private readonly readingPath: string;
  private writing: Promise<void> = Promise.resolve();
  private written = 0;

  constructor(private readonly path: string) {
    this.readingPath = `${path}.reading`;
  }

  /** Lines appended since the file was last moved aside. */
  get lines(): number {
    return this.written;
  }

  /** Appends lines, one after another call; rejects when the disk refuses. */
  append(lines: readonly string[]): Promise<void> {
    this.written += lines.length;
    const write = this.writing.then(async () => {
      await mkdir(dirname(this.path), { recursive: true });
      const before = await sizeOf(this.path);
      try {
        await appendFile(this.path, `${lines.join('\n')}\n`, { mode: 0o600 });
      } catch (error) {
        // A full disk may write part of a line, which would corrupt the next one.
        await truncate(this.path, before).catch(() => {});
        throw error;
      }
    });
    this.writing = write.catch(() => {
      this.written = Math.max(0, this.written - lines.length);
    });
    return write;
  }

  /** Resolves when everything appended so far is on disk, or was refused. */
  settled(): Promise<void> {
    return this.writing;
  }

  /** True when an earlier process or an earlier outage left lines. */
  async hasLines(): Promise<boolean> {
    return (await exists(this.readingPath)) || (await exists(this.path));
  }

  /** Hands all lines over, `size` at a time. A line may be handed over twice when `take` rejects or the process dies. */
  async drain(size: number, take: (lines: readonly string[]) => Promise<void>): Promise<void> {
    await this.writing;
    if (await exists(this.readingPath)) await this.read(size, take);
    if (!(await exists(this.path))) {
      this.written = 0;
      return;
    }
    await rename(this.path, this.readingPath);
    this.written = 0;
    await this.read(size, take);
  }

  private async read(size: number, take: (lines: readonly string[]) => Promise<void>): Promise<void> {
    const input = createReadStream(this.readingPath, { encoding: 'utf8' });
    let batch: string[] = [];
    try {
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        if (line === '') continue;
        batch.push(line);
        if (batch.length < size) continue;
        await take(batch);
        batch = [];
      }
      if (batch.length > 0) await take(batch);
    } finally {
      input.destroy();
    }
    await rm(this.readingPath, { force: true });
  }
}

const exists = async (path: string): Promise<boolean> => (await sizeOf(path)) > 0;

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
