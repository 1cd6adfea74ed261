import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import { groupBy } from '../../src/base/group-by.js';
import { ensureBuild } from '../setup/build.mjs';
import { filesWithErrors, groupsOf } from './compiled.js';
import { withMarks } from './marks.js';
import { type Mutation, mutated } from './mutations.js';
import { nearestTests } from './nearest-tests.js';

/** A mutation, and where it is. */
export interface Mutant extends Mutation {
  readonly path: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/**
 * How a run of tests ended. `none`: no test file reaches the mutated place. `unsure`: the failure was not of the mutation. `by`: the
 * first test that failed.
 */
export type Verdict =
  | { readonly end: 'passed' | 'none' | 'timeout' | 'unsure' }
  | { readonly end: 'failed'; readonly by: string; readonly file: string | undefined };

export type Project = 'unit' | 'contract';

/** Test files of a vitest project, and the time that they have. */
export interface Trial {
  readonly project: Project;
  readonly files: readonly string[];
  readonly seconds: number;
}

interface TestRun {
  readonly bail?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The time of the tests counts from here: the command that they run through may wait. */
  readonly onStart?: () => void;
}

/** For all tests of a project. */
const wholeSeconds = 3_600;
/** A busy machine may take so many times the usual time of test files. */
const slowest = 5;

/** A copy of the working tree in which sources are mutated, so that the tree itself never holds a mutant. */
export class Workspace {
  private readonly folder = mkdtempSync(join(tmpdir(), 'demarc-mutants-'));

  /** Sources and tests, by path from the root of the repository. */
  readonly texts = new Map<string, string>();
  private readonly passing = new Set<string>();
  /** Process id of the test run, which leads a group. */
  private running: number | undefined;
  /** Test files that reach the place of a mutant, in each project that was asked. */
  private readonly reaching = new Map<Mutant, readonly string[]>();

  /** @param through the words of a command that runs the command after them */
  constructor(private readonly through: readonly string[] = []) {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    for (const path of list
      .toString()
      .split('\0')
      .filter((name) => name !== '' && existsSync(join(root, name)))) {
      cpSync(join(root, path), join(this.folder, path));
      if (/^(src|dev|test)\/.*\.(ts|tsx|mjs)$/.test(path)) this.texts.set(path, this.read(path));
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Builds the copy: a worker loads what was built in a quarter of the time, and programs start faster. */
  async build(): Promise<void> {
    await ensureBuild(this.folder);
  }

  /** Runs all tests of the projects once, with marks at the places of all mutants. */
  async findTests(mutants: readonly Mutant[], projects: readonly Project[]): Promise<void> {
    const folder = join(this.folder, '.reached');
    mkdirSync(folder);
    const numbered = mutants.map((mutant, number) => ({ ...mutant, number }));
    const changed = groupBy(numbered, ({ path }) => path);
    for (const [path, places] of changed) await this.write(path, withMarks(this.texts.get(path)!, places));
    const preload = join(root, 'dev/mutants/reached.mjs');
    const options = `${process.env.NODE_OPTIONS ?? ''} --import ${preload}`.trim();
    const env = { DEMARC_REACHED: folder, NODE_OPTIONS: options };
    try {
      for (const project of projects) await this.test({ project, files: [], seconds: wholeSeconds }, { env });
    } finally {
      for (const path of changed.keys()) await this.write(path, this.texts.get(path)!);
    }
    for (const [number, mutant] of mutants.entries()) {
      const file = join(folder, String(number));
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      this.reaching.set(mutant, [...new Set(lines)]);
    }
  }

  /** The test files of a project that reach the place of a mutant, those that speak of its subject first. */
  testsOf(mutant: Mutant, project: Project): readonly string[] {
    const reaching = (this.reaching.get(mutant) ?? []).filter((test) => test.startsWith(`test/${project}/`));
    return nearestTests(
      mutant.path,
      reaching.map((path) => ({ path, text: this.texts.get(path) ?? '' })),
    );
  }

  /** Runs test files of a vitest project until the first failure, with the mutation in place. */
  async trial(mutant: Mutant, trial: Trial): Promise<Verdict> {
    if (trial.files.length === 0) return { end: 'none' };
    const text = this.texts.get(mutant.path)!;
    await this.write(mutant.path, mutated(text, mutant));
    try {
      return await this.test(trial, { bail: true });
    } finally {
      await this.write(mutant.path, text);
    }
  }

  /** The mutants that the compiler rejects: they cannot be committed, so no test has to notice them. */
  async rejected(mutants: readonly Mutant[]): Promise<ReadonlySet<Mutant>> {
    const found = new Set<Mutant>();
    const sources = {
      extends: './tsconfig.json',
      compilerOptions: { noEmit: true },
      include: ['src/**/*.ts'],
    };
    writeFileSync(join(this.folder, 'tsconfig.mutants.json'), JSON.stringify(sources));
    for (const group of groupsOf(mutants)) {
      for (const mutant of group)
        await this.write(mutant.path, mutated(this.texts.get(mutant.path)!, mutant));
      const files = new Set([
        ...(await this.compile('tsconfig.mutants.json')),
        ...(await this.compile('src/dashboard/tsconfig.json')),
      ]);
      for (const { path } of group) await this.write(path, this.texts.get(path)!);
      for (const mutant of group) if (files.has(mutant.path)) found.add(mutant);
    }
    return found;
  }

  /** The files that have errors in a project of TypeScript. */
  private async compile(project: string): Promise<ReadonlySet<string>> {
    const compiler = join(root, 'node_modules/typescript/lib/tsc.js');
    const options = ['--singleThreaded', '--pretty', 'false', '-p', project];
    const words: string[] = [...this.through, process.execPath, compiler, ...options];
    const [command, ...args] = words as [string, ...string[]];
    const child = spawn(command, args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const code = await new Promise<number | null>((settle, reject) => {
      child.on('error', reject);
      child.on('close', settle);
    });
    const files = filesWithErrors(output);
    if (code !== 0 && files.size === 0) throw new Error(`The compiler failed: ${output}`);
    return files;
  }

  /** Whether test files pass on the sources as they are. A file that did is not run again. */
  async passesAsIs(trial: Trial): Promise<boolean> {
    const files = trial.files.filter((file) => !this.passing.has(file));
    if (files.length === 0) return true;
    const { end } = await this.test({ ...trial, files }, { bail: true });
    if (end === 'passed') for (const file of files) this.passing.add(file);
    return end === 'passed';
  }

  /** How long test files take on the sources as they are, at this time; undefined: they do not pass. */
  async secondsAsIs(trial: Trial): Promise<number | undefined> {
    let began = performance.now();
    const onStart = (): void => {
      began = performance.now();
    };
    const { end } = await this.test({ ...trial, seconds: slowest * trial.seconds }, { bail: true, onStart });
    return end === 'passed' ? (performance.now() - began) / 1_000 : undefined;
  }

  /** Also ends the tests that run. */
  remove(): void {
    endGroup(this.running);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes a source, and what is built of it. */
  private async write(path: string, text: string): Promise<void> {
    writeFileSync(join(this.folder, path), text);
    const built = join(this.folder, 'dist', relative('src', path).replace(/\.tsx?$/, '.js'));
    if (!existsSync(built)) return;
    const { code } = await transformWithOxc(text, path, { target: 'es2023' });
    writeFileSync(built, code);
  }

  private test({ project, files, seconds }: Trial, run: TestRun): Promise<Verdict> {
    // Each run would transform the same thousands of files again.
    const cache = [
      '--experimental.fsModuleCache',
      `--experimental.fsModuleCachePath=${join(this.folder, '.modules')}`,
    ];
    const bail = run.bail === true ? ['--bail', '1'] : [];
    const args = ['run', '--project', project, ...bail, ...cache, ...files];
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const [command, ...words] = [...this.through, process.execPath, vitest, ...args] as [string, ...string[]];
    return new Promise((settle, reject) => {
      // Its own group: a mutant may leave processes of its tests behind.
      const child = spawn(command, words, {
        cwd: this.folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NO_COLOR: '1', DEMARC_TEST_DIST: '1', ...run.env },
      });
      this.running = child.pid;
      let output = '';
      let isLate = false;
      let timer: NodeJS.Timeout | undefined;
      const start = (): void => {
        if (timer !== undefined) return;
        run.onStart?.();
        timer = setTimeout(() => {
          isLate = true;
          endGroup(child.pid);
        }, seconds * 1_000);
      };
      const keep = (chunk: Buffer): void => {
        start();
        output = (output + chunk.toString()).slice(-65_536);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      if (this.through.length === 0) start();
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        this.running = undefined;
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
