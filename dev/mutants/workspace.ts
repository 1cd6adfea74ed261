import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { type Mutation, mutated } from './mutations.js';
import { nearestTests } from './nearest-tests.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/**
 * How a run of tests ended. `none`: no test file reaches the mutated file. `unsure`: the failure was not of the mutation. `by`: the
 * first test that failed.
 */
export type Verdict =
  | { readonly end: 'passed' | 'none' | 'timeout' | 'unsure' }
  | { readonly end: 'failed'; readonly by: string; readonly file: string | undefined };

/** Test files of a vitest project, and the time that they have. */
export interface Trial {
  readonly project: 'unit' | 'contract';
  readonly files: readonly string[];
  readonly seconds: number;
}

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
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** The tests of a vitest project that are most likely to notice a change of a file. Only contract tests reach one without an import. */
  async testsOf(path: string, project: 'unit' | 'contract', most: number): Promise<readonly string[]> {
    const related = new Set(await this.related(path, project));
    const all = readdirSync(join(this.folder, 'test', project), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `test/${project}/${name}`)
      .filter((test) => project === 'contract' || related.has(test))
      .map((test) => ({ path: test, text: this.read(test) }));
    return nearestTests(path, all, related, most);
  }

  /** Runs test files of a vitest project until the first failure, with the mutation in place. */
  async trial(mutant: Mutation & { readonly path: string }, trial: Trial): Promise<Verdict> {
    if (trial.files.length === 0) return { end: 'none' };
    const target = resolve(this.folder, mutant.path);
    const text = this.read(mutant.path);
    writeFileSync(target, mutated(text, mutant));
    try {
      return await this.test(trial);
    } finally {
      writeFileSync(target, text);
    }
  }

  /** Runs test files of a vitest project on the sources as they are. */
  check(trial: Trial): Promise<Verdict> {
    return this.test(trial);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async related(path: string, project: string): Promise<readonly string[]> {
    const vitest = await createVitest('test', {
      root: this.folder,
      project: [project],
      related: [join(this.folder, path)],
      watch: false,
    });
    try {
      const specifications = await vitest.getRelevantTestSpecifications();
      return specifications.map(({ moduleId }) => relative(this.folder, moduleId));
    } finally {
      await vitest.close();
    }
  }

  private test({ project, files, seconds }: Trial): Promise<Verdict> {
    const args = ['run', '--project', project, '--bail', '1', ...files];
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
        else {
          const by = /^ *FAIL +(.+)$/m.exec(output)?.[1] ?? 'an error outside of tests';
          settle({ end: 'failed', by, file: /test\/\S+\.test\.tsx?/.exec(by)?.[0] });
        }
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
