import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutation, mutated } from './mutations.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** How a run of tests ended. `none`: no test file imports the mutated file. `by`: the first test that failed. */
export type Verdict =
  | { readonly end: 'passed' | 'none' | 'timeout' }
  | { readonly end: 'failed'; readonly by: string };

/** A copy of the working tree in which sources are mutated, so that the tree itself never holds a mutant. */
export class Workspace {
  private readonly folder = mkdtempSync(join(tmpdir(), 'demarc-mutants-'));

  constructor() {
    // `dist` is ignored, so tests run the sources.
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    for (const path of list
      .toString()
      .split('\0')
      .filter((name) => name !== '' && existsSync(join(root, name))))
      cpSync(join(root, path), join(this.folder, path));
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  read(path: string): string {
    return readFileSync(join(root, path), 'utf8');
  }

  /** Runs the tests of a vitest project that import the file, until the first failure, with the mutation in place. */
  async trial(path: string, mutation: Mutation, project: string, seconds: number): Promise<Verdict> {
    const target = resolve(this.folder, path);
    const text = this.read(path);
    writeFileSync(target, mutated(text, mutation));
    try {
      return await this.test(['related', path, '--run', '--project', project, '--bail', '1'], seconds);
    } finally {
      writeFileSync(target, text);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private test(args: readonly string[], seconds: number): Promise<Verdict> {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    return new Promise((settle, reject) => {
      // Its own group: a mutant may leave processes of its tests behind.
      const child = spawn(process.execPath, [vitest, ...args], {
        cwd: this.folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NO_COLOR: '1' },
      });
      let output = '';
      const keep = (chunk: Buffer): void => {
        output = (output + chunk.toString()).slice(-65_536);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        endGroup(child.pid);
      }, seconds * 1_000);
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        endGroup(child.pid);
        if (isLate) settle({ end: 'timeout' });
        else if (/No test files found/.test(output)) settle({ end: 'none' });
        else if (code === 0) settle({ end: 'passed' });
        else
          settle({ end: 'failed', by: /^ *FAIL +(.+)$/m.exec(output)?.[1] ?? 'an error outside of tests' });
      });
    });
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of it has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
