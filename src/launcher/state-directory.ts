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

/** The folder cannot be used; the text says what to do. */
export class StateDirectoryUnusable extends Error {}

/** How long a left-over process may take to end by itself. */
const leftoverGraceMilliseconds = 3_000;

const noticeMilliseconds = 1_000;
/** A start takes a few seconds, a stop the drain of its calls. */
const startOrStopMilliseconds = 30_000;

/** The folder that holds all that is written: data, certificates, logs, what runs. One supervisor at a time. */
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
   * Takes the folder, and gives a supervisor that is about to end the time to do so.
   * @param onWait called once with its pid
   * @throws StateDirectoryBusy when it stays
   */
  async takeWhenFree(onWait: (pid: number) => void): Promise<void> {
    const began = performance.now();
    for (let told = false; ; ) {
      try {
        return this.take();
      } catch (failure) {
        if (!(failure instanceof StateDirectoryBusy)) throw failure;
        const waited = performance.now() - began;
        // One that is up has a ready.json, except in the moment before it notices that it has to end.
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

  /** The process that runs here, also while it starts or stops. */
  get owner(): ProcessIdentity | undefined {
    const owner = readIdentity(this.lockFile);
    return owner !== undefined && isRunning(owner) ? owner : undefined;
  }

  /**
   * Makes the folder and takes it for this process.
   * @throws StateDirectoryBusy
   * @throws StateDirectoryUnusable when nothing can be written there
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
          // A link appears whole or not at all, and only one can be made.
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
          // Another start was quicker; look again who owns it now.
        }
        rmSync(`${mine}.stale`, { force: true });
      }
    } finally {
      rmSync(mine, { force: true });
    }
  }

  /** Readers see at once that no more calls are accepted. */
  withdrawReady(): void {
    rmSync(this.readyFile, { force: true });
  }

  release(): void {
    this.withdrawReady();
    const owner = readIdentity(this.lockFile);
    if (owner?.pid === process.pid) rmSync(this.lockFile, { force: true });
  }

  /** Notes a process that must not outlive the supervisor, so that the next start can end it after a `kill -9`. */
  noteProcess(name: string, pid: number): ProcessIdentity | undefined {
    const identity = identify(pid);
    if (identity === undefined) return undefined;
    try {
      this.writeWhole(join(this.run, `${name}.json`), JSON.stringify(identity));
    } catch {
      // A full disk: the process still runs, and only a start after `kill -9` would not find it.
    }
    return identity;
  }

  forgetProcess(name: string): void {
    rmSync(join(this.run, `${name}.json`), { force: true });
  }

  /**
   * Ends what an earlier supervisor left running. Only call while owning the folder.
   * @returns names of the parts that were still there
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

  /** Under a temporary name first: a reader, and who comes after a `kill -9`, finds all or nothing. */
  private writeWhole(file: string, text: string): void {
    const temporary = join(this.path, `${basename(file)}.${process.pid}`);
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  }
}

/** Step by step: Node's own recursion never returns where a parent can be seen but nothing made, as in /proc. */
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
