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
} from '../base/process-identity.js';

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
  /** Private ports and passwords of the processes. */
  readonly factsFile: string;
  private readonly run: string;
  private readonly lockFile: string;

  constructor(readonly path: string) {
    this.tls = join(path, 'tls');
    this.redis = join(path, 'redis');
    this.postgres = join(path, 'postgres');
    this.logs = join(path, 'log');
    this.softphone = join(path, 'softphone');
    this.readyFile = join(path, 'ready.json');
    this.factsFile = join(path, 'system.json');
    this.run = join(path, 'run');
    this.lockFile = join(path, 'supervisor.json');
  }

  /**
   * Takes ownership of the folder; waits for a supervisor that is shutting down to finish.
   * @param onWait called once with the pid of that supervisor
   * @param patience milliseconds for a supervisor that is up; it notices after a moment that it must stop
   * @throws StateDirectoryBusy when that supervisor keeps running
   */
  async takeWhenFree(onWait: (pid: number) => void, patience = noticeMilliseconds): Promise<void> {
    const began = performance.now();
    for (let isAnnounced = false; ; ) {
      try {
        return this.take();
      } catch (failure) {
        if (!(failure instanceof StateDirectoryBusy)) throw failure;
        const waited = performance.now() - began;
        // A running supervisor has a ready.json, except in the moment before it notices that it must stop.
        const limit = existsSync(this.readyFile) ? patience : startOrStopMilliseconds;
        if (waited > limit) throw failure;
        if (!isAnnounced && waited > noticeMilliseconds) {
          onWait(failure.pid);
          isAnnounced = true;
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
        { cause: failure },
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
    this.giveUp();
  }

  /** Leaves the folder to another supervisor, with everything that runs. */
  giveUp(): void {
    const owner = readIdentity(this.lockFile);
    if (owner?.pid === process.pid) rmSync(this.lockFile, { force: true });
  }

  /**
   * Records a process, so that the next supervisor finds it when this one is killed.
   * @param plan digest of what it was started with; undefined: the one noted before stays
   */
  noteProcess(name: string, pid: number, plan?: string): void {
    const identity = identify(pid);
    if (identity === undefined) return;
    const file = join(this.run, `${name}.json`);
    const storedPlan = plan ?? readIdentity(file)?.plan;
    try {
      this.writeWhole(file, JSON.stringify({ ...identity, plan: storedPlan }));
    } catch {
      // A full disk: the process still runs; only a start after `kill -9` would not find it.
    }
  }

  forgetProcess(name: string): void {
    rmSync(join(this.run, `${name}.json`), { force: true });
  }

  /** Processes that an earlier supervisor left running, by name. Requires ownership of the folder. */
  leftovers(): Map<string, ProcessIdentity> {
    const found = new Map<string, ProcessIdentity>();
    if (!existsSync(this.run)) return found;
    for (const file of readdirSync(this.run)) {
      if (!file.endsWith('.json')) continue;
      const identity = readIdentity(join(this.run, file));
      if (identity !== undefined && isRunning(identity)) found.set(file.slice(0, -5), identity);
      else rmSync(join(this.run, file), { force: true });
    }
    return found;
  }

  /**
   * Ends these processes: SIGTERM, then SIGKILL. Requires ownership of the folder.
   * @param graceMilliseconds how long they may take to end
   */
  async endLeftovers(
    found: ReadonlyMap<string, ProcessIdentity>,
    graceMilliseconds = leftoverGraceMilliseconds,
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<void> {
    const identities = [...found.values()];
    for (const identity of identities) signalProcess(identity, signal);
    const deadline = performance.now() + graceMilliseconds;
    while (identities.some(isRunning) && performance.now() < deadline) await sleep(25);
    for (const identity of identities) signalProcess(identity, 'SIGKILL');
    while (identities.some(isRunning)) await sleep(25);
    for (const name of found.keys()) this.forgetProcess(name);
  }

  writeFacts(facts: object): void {
    this.writeWhole(this.factsFile, `${JSON.stringify(facts, null, 2)}\n`);
  }

  writeReady(content: object): void {
    this.writeWhole(this.readyFile, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** Where a process finds how to start its successor, and reports it. */
  successionFile(name: string): string {
    return join(this.path, `succession-${name}.json`);
  }

  writeSuccession(name: string, order: object): void {
    this.writeWhole(this.successionFile(name), JSON.stringify(order));
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
