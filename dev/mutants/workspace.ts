import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesWithErrors, groupsOf } from './compiled.js';
import { ImportGraph } from './import-graph.js';
import { type Mutation, mutated } from './mutations.js';
import { nearestTests } from './nearest-tests.js';

/** A mutation, and where it is. */
export interface Mutant extends Mutation {
  readonly path: string;
}

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

/** A busy machine may take so many times the usual time of test files. */
const slowest = 5;

/** A copy of the working tree in which sources are mutated, so that the tree itself never holds a mutant. */
export class Workspace {
  private readonly folder = mkdtempSync(join(tmpdir(), 'demarc-mutants-'));

  /** Sources and tests, by path from the root of the repository. */
  readonly texts = new Map<string, string>();
  private readonly graph: ImportGraph;
  private readonly passing = new Set<string>();

  /** @param through the words of a command that runs the command after them */
  constructor(private readonly through: readonly string[] = []) {
    // `dist` is ignored, so tests run the sources.
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
    this.graph = new ImportGraph(this.texts);
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** The tests of a vitest project that are most likely to notice a change of a file. Only contract tests reach one without an import. */
  testsOf(path: string, project: 'unit' | 'contract', most: number): readonly string[] {
    const related = this.graph.reaching(path);
    const all = [...this.texts]
      .filter(([test]) => test.startsWith(`test/${project}/`) && /\.test\.tsx?$/.test(test))
      .filter(([test]) => project === 'contract' || related.has(test))
      .map(([test, text]) => ({ path: test, text }));
    return nearestTests(path, all, related, most);
  }

  /** Runs test files of a vitest project until the first failure, with the mutation in place. */
  async trial(mutant: Mutant, trial: Trial): Promise<Verdict> {
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
      const kept = group.map((mutant) => ({ mutant, text: this.read(mutant.path) }));
      const write = (path: string, text: string): void => writeFileSync(join(this.folder, path), text);
      for (const { mutant, text } of kept) write(mutant.path, mutated(text, mutant));
      const files = new Set([
        ...(await this.compile('tsconfig.mutants.json')),
        ...(await this.compile('src/dashboard/tsconfig.json')),
      ]);
      for (const { mutant, text } of kept) write(mutant.path, text);
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
    const { end } = await this.test({ ...trial, files });
    if (end === 'passed') for (const file of files) this.passing.add(file);
    return end === 'passed';
  }

  /** How long test files take on the sources as they are, at this time; undefined: they do not pass. */
  async secondsAsIs(trial: Trial): Promise<number | undefined> {
    let began = performance.now();
    const { end } = await this.test({ ...trial, seconds: slowest * trial.seconds }, () => {
      began = performance.now();
    });
    return end === 'passed' ? (performance.now() - began) / 1_000 : undefined;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @param onStart the time of the tests counts from here: the command that they run through may wait */
  private test({ project, files, seconds }: Trial, onStart = (): void => {}): Promise<Verdict> {
    // Each run would transform the same thousands of files again.
    const cache = [
      '--experimental.fsModuleCache',
      `--experimental.fsModuleCachePath=${join(this.folder, '.modules')}`,
    ];
    const args = ['run', '--project', project, '--bail', '1', ...cache, ...files];
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const [command, ...words] = [...this.through, process.execPath, vitest, ...args] as [string, ...string[]];
    return new Promise((settle, reject) => {
      // Its own group: a mutant may leave processes of its tests behind.
      const child = spawn(command, words, {
        cwd: this.folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NO_COLOR: '1' },
      });
      let output = '';
      let isLate = false;
      let timer: NodeJS.Timeout | undefined;
      const start = (): void => {
        if (timer !== undefined) return;
        onStart();
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
