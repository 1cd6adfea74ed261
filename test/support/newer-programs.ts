import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';
import { TestProcess } from './processes.js';

type NewerPrograms = { readonly root: string } | { readonly reason: string };

// tsc reads no JavaScript, and the installer has to run before anything is compiled.
const installer = new URL('../../dev/gate/newer-programs.mjs', import.meta.url).href;
const { findNewerPrograms } = (await import(installer)) as { findNewerPrograms: () => NewerPrograms };
const longestInstallMilliseconds = 600_000;

/** Programs of Debian's unstable suite in a separate root directory, or why they are missing. */
export const newerPrograms: NewerPrograms = await programsOnceInstalled(
  process.env.DEMARC_TEST_NEWER_PROGRAMS,
);

/** @param outcome file that `npm test`, which installs them beside the tests, writes in the end */
async function programsOnceInstalled(outcome: string | undefined): Promise<NewerPrograms> {
  if (outcome === undefined) return findNewerPrograms();
  await until(() => existsSync(outcome), longestInstallMilliseconds, 'the newer programs are installed');
  return JSON.parse(readFileSync(outcome, 'utf8')) as NewerPrograms;
}

/** Reason to skip a test that needs them; undefined: they are there. */
export const withoutNewerPrograms: string | undefined =
  'reason' in newerPrograms ? newerPrograms.reason : undefined;

/** A folder inside of the root, for what a program there reads and writes. */
export class ChrootFolder {
  private constructor(
    readonly root: string,
    /** As this process sees it. */
    readonly outside: string,
  ) {}

  /** @throws where the programs are missing: such a test is skipped first */
  static make(purpose: string): ChrootFolder {
    if ('reason' in newerPrograms) throw new Error(newerPrograms.reason);
    const { root } = newerPrograms;
    return new ChrootFolder(root, mkdtempSync(join(root, 'tmp', `${purpose}-`)));
  }

  /** As a program in the root sees it. */
  get inside(): string {
    return this.outside.slice(this.root.length);
  }

  /** @returns its path inside */
  write(name: string, content: string | Buffer): string {
    writeFileSync(join(this.outside, name), content, { mode: 0o600 });
    return join(this.inside, name);
  }

  /** Empty when there is no such file. */
  read(name: string): string {
    const path = join(this.outside, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Starts a program of the root; chroot(8) becomes it, so that its process id is the program's. */
  run(program: string, argv: readonly string[]): TestProcess {
    return runInChroot(this.root, program, argv);
  }

  remove(): void {
    rmSync(this.outside, { recursive: true, force: true });
  }
}

function runInChroot(root: string, program: string, argv: readonly string[]): TestProcess {
  return new TestProcess('chroot', [root, program, ...argv], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', TERM: 'dumb', LANG: 'C.UTF-8' },
  });
}
