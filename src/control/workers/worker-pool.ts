import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { FairSemaphore } from '../../base/fair-semaphore.js';
import type { Logger } from '../../base/log.js';
import { type ProcessorTime, processorTime } from '../../base/processor-time.js';
import { boundStart } from '../../base/start-bound.js';

/** Half of the cores: the event loop, PostgreSQL and Redis need the others. */
const usualThreads = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
/**
 * A task is bounded by the size of its input and takes a second at most; longer means that a bound is missing. The time in which the
 * threads wait for a processor does not count.
 */
const usualDeadlineMilliseconds = 30_000;
/** Longest wait for a turn behind other organizations. */
const patienceMilliseconds = 120_000;
/** Starting a thread takes longer than most tasks. */
const idleMilliseconds = 60_000;
/**
 * Gives the event loop priority on few cores; has no effect on systems without thread priorities. With 19, the start of a thread alone took
 * 20 s beside eight busy processes; with 10, more than 30 s beside twenty.
 */
const usualNiceness = 5;
/** Heap of a thread: a task that needs more ends with its thread instead of the process. */
const heapMegabytes = 256;

/** A task that got no result: it took too long, needed too much memory, or got no turn. */
export class WorkerFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkerFailure';
  }
}

interface WorkerLimits {
  readonly threads?: number;
  readonly deadlineMilliseconds?: number;
  /** Nice value of the threads. Default: 5. */
  readonly niceness?: number;
}

const isSource = import.meta.url.endsWith('.ts');

/** `--import tsx` loads nothing in threads other than the first. */
const sourceLoader = (): string => {
  const root = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const tsx = new URL('./dist/esm/api/index.mjs', root).href;
  return `data:text/javascript,${encodeURIComponent(`import { register } from ${JSON.stringify(tsx)}; register();`)}`;
};

/** A file whose default export is a function of one input, which a thread runs. */
export interface WorkerFile<Input, Result> {
  readonly path: string;
  /** Of types alone. */
  readonly run?: (input: Input) => Result;
}

/**
 * The file of a worker beside the one that uses it.
 * @param name without the extension, such as `./check-worker`
 */
export const workerFile = <Input, Result>(name: string, besides: string): WorkerFile<Input, Result> => ({
  path: fileURLToPath(new URL(`${name}${isSource ? '.ts' : '.js'}`, besides)),
});

/** Reads what all threads of this process have had since now. */
function timeSince(): () => ProcessorTime | undefined {
  const before = processorTime(process.pid, 'all');
  return () => {
    const after = processorTime(process.pid, 'all');
    if (before === undefined || after === undefined) return undefined;
    // Threads that have ended are missing.
    return {
      used: Math.max(0, after.used - before.used),
      waited: Math.max(0, after.waited - before.waited),
    };
  };
}

/**
 * Threads for work on customers' texts whose time the customer chooses: on the event loop it would delay all organizations. They
 * take turns; a task that exceeds the deadline or the memory ends with its thread. Threads start with the first task.
 */
export class WorkerPool {
  readonly name = 'workers';
  private readonly pool: Piscina;
  private readonly turns: FairSemaphore;
  private readonly deadline: number;

  constructor(
    log: Logger,
    {
      threads = usualThreads,
      deadlineMilliseconds = usualDeadlineMilliseconds,
      niceness = usualNiceness,
    }: WorkerLimits = {},
  ) {
    this.deadline = deadlineMilliseconds;
    this.turns = new FairSemaphore(threads);
    this.pool = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMilliseconds,
      niceIncrement: niceness,
      recordTiming: false,
      execArgv: isSource ? ['--import', sourceLoader()] : [],
      // Customer text must not reach secrets in the environment.
      env: { NODE_ENV: process.env.NODE_ENV },
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    this.pool.on('error', (error: Error) => log.error({ err: error }, 'A worker thread ended.'));
  }

  /** Rejects with `WorkerFailure`, with the signal's reason, or with the error of the task. */
  async run<Input, Result>(
    { path }: WorkerFile<Input, Result>,
    organizationId: string,
    input: Input,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (!(await this.turns.enter(patienceMilliseconds, { group: organizationId })))
      throw new WorkerFailure('No worker thread was free in time.');
    const late = new AbortController();
    const endBound = boundStart(process.pid, this.deadline, () => late.abort(), timeSince());
    try {
      signal?.throwIfAborted();
      const signals = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
      return (await this.pool.run(input, { filename: path, signal: signals })) as Result;
    } catch (error) {
      signal?.throwIfAborted();
      if (late.signal.aborted)
        throw new WorkerFailure(`It took longer than ${this.deadline / 1_000} seconds.`, { cause: error });
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new WorkerFailure(`It needs more than ${heapMegabytes} MB of memory.`, { cause: error });
      throw error;
    } finally {
      endBound();
      this.turns.leave();
    }
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.pool.destroy();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return {
      ready: true,
      detail: `${this.pool.threads.length} threads, ${this.turns.waiting} tasks waiting`,
    };
  }
}
