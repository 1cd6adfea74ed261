import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const module = join(import.meta.dirname, '../../../dev/gate/memory-folder.mjs');
let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'demarc-memory-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** What another process gets, which then ends. @param availableGigabytes of memory, as the kernel reports it */
function made(availableGigabytes: number): { folder: string | null; mode: number | null; names: string[] } {
  const meminfo = join(place, 'meminfo');
  writeFileSync(meminfo, `MemTotal: 99999999 kB\nMemAvailable: ${availableGigabytes * 1024 ** 2} kB\n`);
  const code = `
    import { readdirSync, statSync } from 'node:fs';
    import { makeMemoryFolder } from ${JSON.stringify(module)};
    const folder = makeMemoryFolder(${JSON.stringify({ place, meminfo })}) ?? null;
    const mode = folder === null ? null : statSync(folder).mode & 0o777;
    console.log(JSON.stringify({ folder, mode, names: readdirSync(${JSON.stringify(place)}) }));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }),
  );
}

it('makes a folder that other users reach, and removes it at the end of the process', ({ skip }) => {
  const { bavail, bsize } = statfsSync(place);
  skip(bavail * bsize < 7 * 1024 ** 3, `${tmpdir()} has less than 7 GB free`);
  const { folder, mode, names } = made(20);
  expect(folder).toMatch(new RegExp(`^${place}/demarc-\\d+-\\w{6}$`));
  expect(mode).toBe(0o711);
  expect(names).toHaveLength(2);
  expect(existsSync(folder!)).toBe(false);
});

it('makes none where too little memory would be left for processes', () => {
  expect(made(11)).toMatchObject({ folder: null, names: ['meminfo'] });
});

it('removes the folders of processes that were killed, and no other', () => {
  const { pid } = spawnSync('true');
  const [killed, alive, foreign] = [`demarc-${pid}-abcdef`, `demarc-${process.pid}-abcdef`, 'demarc-call'];
  for (const name of [killed, alive, foreign]) mkdirSync(join(place, name));
  writeFileSync(join(place, killed, 'file'), '');
  made(11);
  expect(readdirSync(place).toSorted()).toEqual([foreign, alive, 'meminfo'].toSorted());
  expect(statSync(join(place, alive)).isDirectory()).toBe(true);
});
