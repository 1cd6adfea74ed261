import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, isRunning, startOf } from '../../../src/base/process-identity.js';
import { ensureSecretKey } from '../../../src/launcher/secret-key.js';
import {
  StateDirectory,
  StateDirectoryBusy,
  StateDirectoryUnusable,
} from '../../../src/launcher/state-directory.js';

let path: string;
const children: ChildProcess[] = [];

/** A process that ignores SIGTERM when asked to. */
async function sleeper(stubborn = false): Promise<number> {
  const script = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} console.log('up'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child.pid!;
}

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'demarc-state-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(path, { recursive: true, force: true });
});

describe('state directory', () => {
  it('reports at once a folder that is visible but not writable', () => {
    expect(() => new StateDirectory('/proc/demarc/state').take()).toThrow(StateDirectoryUnusable);
  });

  it('reports that it is not writable, and the remedy', () => {
    const file = join(path, 'file');
    writeFileSync(file, '');
    const take = (): void => new StateDirectory(file).take();
    expect(take).toThrow(StateDirectoryUnusable);
    expect(take).toThrow(/file is not writable: .*\n.*DEMARC_STATE_DIR/);
  });

  it('keeps its secret key, and replaces no damaged one', () => {
    const key = ensureSecretKey(path);
    expect(ensureSecretKey(path)).toBe(key);
    writeFileSync(join(path, 'secret.key'), key.slice(1));
    expect(() => ensureSecretKey(path)).toThrow(StateDirectoryUnusable);
    expect(readFileSync(join(path, 'secret.key'), 'utf8')).toBe(key.slice(1));
  });

  it('belongs to one supervisor at a time, and names it', () => {
    const first = new StateDirectory(path);
    first.take();
    expect(() => new StateDirectory(path).take()).toThrow(StateDirectoryBusy);
    expect(() => new StateDirectory(path).take()).toThrow(String(process.pid));
    first.release();
    const second = new StateDirectory(path);
    second.take();
    second.release();
    expect(readdirSync(path).filter((name) => name.includes('supervisor'))).toEqual([]);
  });

  it('is taken over from a supervisor that was killed, also when its pid is in use again', () => {
    const directory = new StateDirectory(path);
    writeFileSync(join(path, 'supervisor.json'), JSON.stringify({ pid: 1, started: 'long ago' }));
    directory.take();
    expect(JSON.parse(readFileSync(join(path, 'supervisor.json'), 'utf8')).pid).toBe(process.pid);
    directory.release();
    writeFileSync(join(path, 'supervisor.json'), '{"pid":');
    directory.take();
    directory.release();
  });

  it('finds the processes of an earlier supervisor with their plans, and ends even stubborn ones', async () => {
    const directory = new StateDirectory(path);
    directory.take();
    directory.noteProcess('part0', await sleeper(), 'plan');
    directory.noteProcess('part1', await sleeper(true));
    const left = directory.leftovers();
    expect([...left.keys()]).toEqual(['part0', 'part1']);
    expect(left.get('part0')?.plan).toBe('plan');
    // The process that adopts it does not start it again.
    directory.noteProcess('part0', left.get('part0')!.pid);
    expect(directory.leftovers().get('part0')).toEqual(left.get('part0'));
    await directory.endLeftovers(left, 200);
    expect([...left.values()].map(isRunning)).toEqual([false, false]);
    expect(readdirSync(join(path, 'run'))).toEqual([]);
    directory.release();
  });

  it('never ends a process that merely got the pid of a former part', async () => {
    const directory = new StateDirectory(path);
    directory.take();
    const pid = await sleeper();
    writeFileSync(join(path, 'run', 'redis.json'), JSON.stringify({ pid, started: 'another time' }));
    expect(directory.leftovers().size).toBe(0);
    expect(startOf(pid)).toBeDefined();
    directory.release();
  });

  it('writes ready.json whole and for the owner only', () => {
    const directory = new StateDirectory(path);
    directory.take();
    directory.writeReady({ a: 1 });
    expect(JSON.parse(readFileSync(directory.readyFile, 'utf8'))).toEqual({ a: 1 });
    expect(statSync(directory.readyFile).mode & 0o777).toBe(0o600);
    directory.release();
    expect(existsSync(directory.readyFile)).toBe(false);
  });

  it('distinguishes a live process from a dead one', async () => {
    const pid = await sleeper();
    const identity = identify(pid)!;
    expect(isRunning(identity)).toBe(true);
    const child = children.at(-1)!;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(isRunning(identity)).toBe(false);
  });
});
