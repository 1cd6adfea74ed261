import type { ChildProcess } from 'node:child_process';
import { type Backoff, backoff } from './backoff.js';
import { type WatchedLimits, watchProcess } from './process-watchdog.js';
import { boundStart } from './start-bound.js';
import { within } from './within.js';

export interface StartedProcess {
  readonly child: ChildProcess;
  /** Aborted when the process ends, is stopped, or is not ready in time. */
  readonly signal: AbortSignal;
}

/** A process that another process started: it has no exit event. */
export interface AdoptableProcess {
  readonly pid: number;
  readonly isRunning: () => boolean;
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** What is supervised: a child, or an adopted process. */
interface Running {
  readonly pid: number | undefined;
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface SupervisionPlan {
  readonly spawn: () => ChildProcess;
  /** Resolves once the process can do its work; rejects when it never will. */
  readonly ready: (started: StartedProcess) => Promise<void>;
  readonly readyWithinMilliseconds: number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMilliseconds: number;
  /** Delays between restarts. */
  readonly restart: Backoff;
  /** Beyond them the process is killed and started again. */
  readonly limits?: WatchedLimits | undefined;
}

export interface SupervisionEvents {
  /** The process ended, or could not be started again; it is started after the delay. */
  readonly crashed: (how: string, restartInMilliseconds: number) => void;
  readonly restarted?: () => void;
  readonly spawned?: (pid: number) => void;
  /** It can do its work, after a start or an adoption. */
  readonly ready?: (pid: number) => void;
  /** True: it leaves pings unanswered. False: it has answered for a while since. */
  readonly late?: (pid: number, isLate: boolean) => void;
  /** Whatever the reason, unless it was let go. */
  readonly ended?: () => void;
}

/** The first start failed; the message says how, as in `exited with code 3`. */
export class ProcessFailed extends Error {}

/** Adopted processes are looked at this often; a call waits for none of them. */
const adoptedPollMilliseconds = 100;

/** After being ready this long a crash counts as the first again. */
const stableMilliseconds = 30_000;

/** A child process that is kept running: started, watched, restarted with growing delays, stopped. */
export class SupervisedProcess {
  private running: Running | undefined;
  private how = '';
  private ended: Promise<void> = Promise.resolve();
  private isStopping = false;
  private isLetGo = false;
  private failures = 0;
  private restartTimer: NodeJS.Timeout | undefined;
  private readyAt = 0;
  private unwatch: () => void = () => {};
  /** Ends the observation of an adopted process. */
  private unfollow: () => void = () => {};

  constructor(
    private readonly plan: SupervisionPlan,
    private readonly events: SupervisionEvents,
  ) {}

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.running?.pid;
  }

  /**
   * Starts it and waits until it is ready. From then on it is kept running.
   * @throws ProcessFailed
   */
  async start(): Promise<void> {
    const failure = await this.launch();
    if (failure === undefined) {
      this.watch();
      return;
    }
    await this.stop();
    throw new ProcessFailed(failure);
  }

  /** Keeps a process running that another supervisor started, and that is ready. */
  adopt(process: AdoptableProcess): void {
    const running: Running = process;
    this.running = running;
    this.ended = new Promise((resolve) => {
      const finish = (): void => {
        clearInterval(timer);
        this.over(running, 'ended');
        resolve();
      };
      const timer = setInterval(() => {
        if (!process.isRunning()) finish();
      }, adoptedPollMilliseconds);
      this.unfollow = finish;
    });
    this.events.spawned?.(process.pid);
    this.watch();
  }

  /** Leaves the process to another supervisor: it runs on. */
  letGo(): void {
    this.isStopping = true;
    this.isLetGo = true;
    clearTimeout(this.restartTimer);
    this.unfollow();
    this.unwatch();
  }

  /** No effect while it does not run. */
  signal(signal: NodeJS.Signals): void {
    this.running?.signal(signal);
  }

  /**
   * Ends it for good: SIGTERM or another signal, then SIGKILL after its grace time. Resolves once it has ended.
   * @param graceMilliseconds the plan's when absent
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM', graceMilliseconds?: number): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restartTimer);
    await this.end(signal, graceMilliseconds ?? this.plan.graceMilliseconds);
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restartTimer);
    await this.end('SIGKILL', 0);
  }

  /** @returns why it is not ready */
  private async launch(): Promise<string | undefined> {
    const { spawn, ready, readyWithinMilliseconds } = this.plan;
    const child = spawn();
    const running: Running = { pid: child.pid, signal: (signal) => void child.kill(signal) };
    this.running = running;
    const over = new AbortController();
    let how = '';
    this.ended = new Promise((resolve) => {
      const finish = (text: string): void => {
        how ||= text;
        if (!this.over(running, text)) return;
        over.abort();
        resolve();
      };
      child.once('error', (failure) => {
        // It may also say that a signal or a message could not be sent.
        if (child.pid === undefined) finish(`could not be started: ${failure.message}`);
      });
      child.once('exit', () => finish(howItEnded(child)));
    });
    if (child.pid !== undefined) this.events.spawned?.(child.pid);
    const endBound = boundStart(child.pid, readyWithinMilliseconds, () => {
      how ||= `was not ready within ${readyWithinMilliseconds / 1000} s`;
      over.abort();
    });
    const aborted = new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // A readiness check that loses the race may still fail later; that says nothing new.
    const readiness = ready({ child, signal: over.signal }).then(
      () => undefined,
      (failure: unknown) => (over.signal.aborted ? undefined : String(failure)),
    );
    const failure = await Promise.race([readiness, aborted]);
    endBound();
    if (typeof failure === 'string') return `is not ready: ${failure}`;
    return over.signal.aborted ? how : undefined;
  }

  /** @returns false: it was over already */
  private over(running: Running, how: string): boolean {
    if (this.running !== running) return false;
    this.running = undefined;
    this.how = how;
    // Its name may be a successor's by now.
    if (!this.isLetGo) this.events.ended?.();
    return true;
  }

  private watch(): void {
    let killedFor: string | undefined;
    this.readyAt = performance.now();
    if (this.pid !== undefined) this.events.ready?.(this.pid);
    this.unwatch = this.watchLimits((what) => {
      killedFor = what;
      this.signal('SIGKILL');
    });
    void this.ended.then(() => {
      this.unwatch();
      if (this.isStopping) return;
      if (performance.now() - this.readyAt > stableMilliseconds) this.failures = 0;
      this.scheduleRestart(killedFor ?? this.how);
    });
  }

  private watchLimits(failed: (what: string) => void): () => void {
    const { limits } = this.plan;
    const { pid } = this;
    if (limits === undefined || pid === undefined) return () => {};
    return watchProcess(pid, limits, { failed, late: (isLate) => this.events.late?.(pid, isLate) });
  }

  private scheduleRestart(how: string): void {
    const delay = backoff(this.plan.restart, ++this.failures);
    this.events.crashed(how, delay);
    this.restartTimer = setTimeout(() => void this.restart(), delay);
  }

  private async restart(): Promise<void> {
    if (this.isStopping) return;
    const failure = await this.launch();
    if (this.isStopping) return;
    if (failure === undefined) {
      this.events.restarted?.();
      this.watch();
      return;
    }
    await this.end('SIGKILL', 0);
    if (!this.isStopping) this.scheduleRestart(failure);
  }

  private async end(signal: NodeJS.Signals, graceMilliseconds: number): Promise<void> {
    if (this.running === undefined) return this.ended;
    this.running.signal(signal);
    const isOver = await within(
      graceMilliseconds,
      this.ended.then(() => true),
    );
    if (isOver === undefined) this.signal('SIGKILL');
    await this.ended;
  }
}

const howItEnded = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode === null ? `exited with code ${exitCode ?? '?'}` : `was killed by ${signalCode}`;

/** Resolves with the message `{ type: 'ready', … }` that a role sends on its IPC channel (`reportReady`). */
export function readyMessage({ child, signal }: StartedProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      if ((message as { type?: unknown } | null)?.type !== 'ready') return;
      child.off('message', onMessage);
      resolve(message as Record<string, unknown>);
    };
    child.on('message', onMessage);
    signal.addEventListener('abort', () => reject(new Error('It exited before it was ready.')), {
      once: true,
    });
  });
}
