import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root may chroot');
  folder = mkdtempSync(join(tmpdir(), 'demarc-newer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stand-in whose last argument is the folder to fill; it notes each of its runs. */
function mmdebstrap(end: string): void {
  const script = `#!/bin/sh\nfor folder; do :; done\necho run >> ${folder}/runs\nmkdir "$folder"\nsleep 0.3\n${end}\n`;
  writeFileSync(join(folder, 'mmdebstrap'), script, { mode: 0o755 });
}

/** The installer in a separate process; resolves with its last report. */
function install(): Promise<{ root?: string; reason?: string }> {
  const script = `import { ensureNewerPrograms } from './dev/gate/newer-programs.mjs';
    console.log(JSON.stringify(await ensureNewerPrograms()));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, DEMARC_TEST_CACHE: join(folder, 'cache'), PATH: `${folder}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', () => resolve(JSON.parse(output.trim().split('\n').at(-1)!)));
  });
}

const cached = (): string[] => readdirSync(join(folder, 'cache'));

describe('the root directory of the newer test programs', () => {
  it('is made once under two installers at once, and by a later one not again', async () => {
    mmdebstrap('touch "$folder/complete"');
    const [first, second] = await Promise.all([install(), install()]);
    expect(first.root).toBeDefined();
    expect(second).toEqual(first);
    expect(await install()).toEqual(first);
    expect(readdirSync(first.root!)).toEqual(['complete']);
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
    expect(cached()).toHaveLength(1);
  });

  it('is never a half-made one: what a killed installer left is removed', async () => {
    mmdebstrap('kill -9 $PPID; kill -9 $$');
    const { reason } = await install();
    expect(reason).toMatch(/^mmdebstrap failed/);
    expect(cached()).toEqual([]);
    mmdebstrap('touch "$folder/complete"');
    const { root } = await install();
    const name = cached()[0]!;
    rmSync(root!, { recursive: true });
    mkdirSync(join(folder, 'cache', `.${name}.999999999`));
    expect(await install()).toEqual({ root });
    expect(cached()).toEqual([name]);
  });

  it('is named with the reason that mmdebstrap gives when it cannot be made', async () => {
    mmdebstrap('echo "E: no route to the mirror" >&2; exit 1');
    expect(await install()).toEqual({ reason: 'mmdebstrap failed: E: no route to the mirror' });
    expect(cached()).toEqual([]);
  });
});
