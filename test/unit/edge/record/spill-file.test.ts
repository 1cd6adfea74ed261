import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SpillFile } from '../../../../src/edge/record/spill-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demarc-spill-'));
  path = join(folder, 'records', 'spilled');
});
afterEach(() => rm(folder, { recursive: true }));

async function drained(file: SpillFile, size = 2): Promise<(readonly string[])[]> {
  const batches: (readonly string[])[] = [];
  await file.drain(size, async (lines) => {
    batches.push(lines);
  });
  return batches;
}

describe('records on disk', () => {
  it('are handed over in order, in batches, and then gone', async () => {
    const file = new SpillFile(path);
    void file.append(['1', '2']);
    await file.append(['3']);
    expect(file.lines).toBe(3);
    expect(await file.hasLines()).toBe(true);
    expect(await drained(file)).toEqual([['1', '2'], ['3']]);
    expect(file.lines).toBe(0);
    expect(await file.hasLines()).toBe(false);
    expect(await drained(file)).toEqual([]);
  });

  it('are readable by their owner alone', async () => {
    await new SpillFile(path).append(['1']);
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('are handed over again when they were not taken', async () => {
    const file = new SpillFile(path);
    await file.append(['1', '2', '3']);
    let taken = 0;
    const failing = file.drain(1, async () => {
      if (++taken === 2) throw new Error('Redis is down');
    });
    await expect(failing).rejects.toThrow('Redis is down');
    await file.append(['4']);
    expect(await file.hasLines()).toBe(true);
    expect(await drained(file, 10)).toEqual([['1', '2', '3'], ['4']]);
  });

  it('of an earlier process come first', async () => {
    await mkdir(join(folder, 'records'));
    await writeFile(`${path}.reading`, 'old\n\n');
    const file = new SpillFile(path);
    expect(await file.hasLines()).toBe(true);
    await file.append(['new']);
    expect(await drained(file)).toEqual([['old'], ['new']]);
  });

  it('do not count when the disk refuses them', async () => {
    await mkdir(join(folder, 'records'));
    await mkdir(path);
    const file = new SpillFile(path);
    await expect(file.append(['1', '2'])).rejects.toThrow();
    await file.settled();
    expect(file.lines).toBe(0);
  });

  it('follow what is on disk already', async () => {
    const file = new SpillFile(path);
    await file.append(['1']);
    await appendFile(path, '2\n');
    await file.append(['3']);
    expect(await readFile(path, 'utf8')).toBe('1\n2\n3\n');
  });
});
