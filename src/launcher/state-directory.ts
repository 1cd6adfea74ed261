import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  identify,
  isRunning,
  type ProcessIdentity,
  processIdentitySchema,
  signalProcess,
} from './process-identity.js';

/** Another supervisor owns the folder. */
export class StateDirectoryBusy extends Error {
  constructor(
    readonly path: string,
    readonly pid: number,
  ) {
    super(
      `Demarc already runs in ${path} (process ${pid}).\n` +
        `Stop it with Ctrl-C in its terminal or 'kill ${pid}', or use another state directory: DEMARC_STATE_DIR=…`,
    );
  }
}

/** The folder cannot be used; the message says what to do. */
export class StateDirectoryUnusable extends Error {}

/** How long a leftover process may take to end before it is killed. */
const leftoverGraceMilliseconds = 3_000;

const noticeMilliseconds = 1_000;
/** A start takes a few seconds, a stop as long as its calls drain. */
const startOrStopMilliseconds = 30_000;

/** The folder for all written files: data, certificates, logs, running processes. One supervisor at a time. */
export class StateDirectory {
  readonly tls: string;
  readonly redis: string;
  readonly postgres: string;
  readonly logs: string;
  readonly softphone: string;
  readonly readyFile: string;
  private readonly run: string;
  private readonly lockFile: string;

  constructor(readonly path: string) {
    this.tls = join(path, 'tls');
    this.redis = join(path, 'redis');
    this.postgres = join(path, 'postgres');
    this.logs = join(path, 'log');
    this.softphone = join(path, 'softphone');
    this.readyFile = join(path, 'ready.json');
    this.run = join(path, 'run');
    this.lockFile = join(path, 'supervisor.json');
  }

  /**
   * Takes ownership of the folder; waits for a supervisor that is shutting down to finish.
   * @param onWait called once with the pid of that supervisor
   * @throws StateDirectoryBusy when that supervisor keeps running
   */
  async takeWhenFree(onWait: (pid: number) => void): Promise<void> {
    const began = performance.now();
    for (let told = false; ; ) {
      try {
        return this.take();
      } catch (failure) {
        if (!(failure instanceof StateDirectoryBusy)) throw failure;
        const waited = performance.now() - began;
        // A running supervisor has a ready.json, except in the moment before it notices that it must stop.
        const limit = existsSync(this.readyFile) ? noticeMilliseconds : startOrStopMilliseconds;
        if (waited > limit) throw failure;
        if (!told && waited > noticeMilliseconds) {
          onWait(failure.pid);
          told = true;
        }
        await sleep(100);
      }
    }
  }

  /** The supervisor process of this folder, also while it starts or stops. */
  get owner(): ProcessIdentity | undefined {
    const owner = readIdentity(this.lockFile);
    return owner !== undefined && isRunning(owner) ? owner : undefined;
  }

  /**
   * Creates the folder and takes ownership for this process.
   * @throws StateDirectoryBusy
   * @throws StateDirectoryUnusable when the folder is not writable
   */
  take(): void {
    const mine = `${this.lockFile}.${process.pid}`;
    try {
      for (const folder of [this.path, this.tls, this.redis, this.logs, this.run]) makeFolder(folder);
      writeFileSync(mine, JSON.stringify(identify(process.pid)), { mode: 0o600 });
    } catch (failure) {
      throw new StateDirectoryUnusable(
        `${this.path} is not writable: ${(failure as Error).message}\n` +
          'Choose another state directory: DEMARC_STATE_DIR=…',
      );
    }
    try {
      for (;;) {
        try {
          // Creating a link is atomic and fails when one exists.
          linkSync(mine, this.lockFile);
          return;
        } catch (failure) {
          if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
        }
        const owner = readIdentity(this.lockFile);
        if (owner !== undefined && isRunning(owner)) throw new StateDirectoryBusy(this.path, owner.pid);
        try {
          renameSync(this.lockFile, `${mine}.stale`);
        } catch {
          // Another start was faster; check again which process owns the folder.
        }
        rmSync(`${mine}.stale`, { force: true });
      }
    } finally {
      rmSync(mine, { force: true });
    }
  }

  /** Tells readers at once that no more calls are accepted. */
  withdrawReady(): void {
    rmSync(this.readyFile, { force: true });
  }

  release(): void {
    this.withdrawReady();
    const owner = readIdentity(this.lockFile);
    if (owner?.pid === process.pid) rmSync(this.lockFile, { force: true });
  }

  /** Records a process that must not outlive the supervisor, so that the next start can end it after a `kill -9`. */
  noteProcess(name: string, pid: number): ProcessIdentity | undefined {
    const identity = identify(pid);
    if (identity === undefined) return undefined;
    try {
      this.writeWhole(join(this.run, `${name}.json`), JSON.stringify(identity));
    } catch {
      // A full disk: the process still runs; only a start after `kill -9` would not find it.
    }
    return identity;
  }

  forgetProcess(name: string): void {
    rmSync(join(this.run, `${name}.json`), { force: true });
  }

  /**
   * Ends processes that an earlier supervisor left running. Requires ownership of the folder.
   * @returns names of the processes that were still running
   */
  async endLeftovers(): Promise<string[]> {
    this.withdrawReady();
    const found: { name: string; identity: ProcessIdentity }[] = [];
    for (const file of readdirSync(this.run)) {
      if (!file.endsWith('.json')) continue;
      const identity = readIdentity(join(this.run, file));
      if (identity !== undefined && isRunning(identity)) found.push({ name: file.slice(0, -5), identity });
      else rmSync(join(this.run, file), { force: true });
    }
    for (const { identity } of found) signalProcess(identity, 'SIGTERM');
    const deadline = performance.now() + leftoverGraceMilliseconds;
    while (found.some(({ identity }) => isRunning(identity)) && performance.now() < deadline) await sleep(25);
    for (const { identity } of found) signalProcess(identity, 'SIGKILL');
    while (found.some(({ identity }) => isRunning(identity))) await sleep(25);
    for (const { name } of found) this.forgetProcess(name);
    return found.map(({ name }) => name);
  }

  writeReady(content: object): void {
    this.writeWhole(this.readyFile, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** Writes to a temporary name first: readers, and the next start after a `kill -9`, find a complete file or none. */
  private writeWhole(file: string, text: string): void {
    const temporary = join(this.path, `${basename(file)}.${process.pid}`);
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  }
}

/** Creates one level at a time: Node's recursive mkdir never returns where a parent exists but nothing can be created, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    return processIdentitySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
