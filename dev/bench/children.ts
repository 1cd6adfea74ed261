import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Starts programs and ends exactly those. */
export class Children {
  private readonly running: ChildProcess[] = [];

  constructor(
    private readonly directory: string,
    private readonly options: {
      /** Pins each child to these cores, as `taskset -c` reads them; undefined: no pinning. */
      readonly cores?: string | undefined;
      /** Time from SIGTERM to SIGKILL. */
      readonly graceMilliseconds?: number;
    } = {},
  ) {}

  /** Output goes to `<directory>/<name>.log`. Returns the pid. */
  start(name: string, file: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): number {
    const log = openSync(join(this.directory, `${name}.log`), 'a');
    const { cores } = this.options;
    const pinned = cores === undefined ? [file, ...args] : ['taskset', '-c', cores, file, ...args];
    const child = spawn(pinned[0]!, pinned.slice(1), {
      cwd: this.directory,
      stdio: ['ignore', log, log],
      env: { ...process.env, TERM: 'dumb', ...environment },
    });
    child.on('error', (error) => {
      throw new Error(`${file} did not start: ${error.message}`);
    });
    this.running.push(child);
    if (child.pid === undefined) throw new Error(`${file} did not start.`);
    return child.pid;
  }

  isRunning(pid: number): boolean {
    return this.running.some(
      (child) => child.pid === pid && child.exitCode === null && child.signalCode === null,
    );
  }

  logOf(name: string): string {
    return readFileSync(join(this.directory, `${name}.log`), 'utf8');
  }

  /** SIGTERM in reverse order of start, SIGKILL after the grace time. */
  async stop(): Promise<void> {
    for (const child of this.running.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), this.options.graceMilliseconds ?? 5_000);
      await ended;
      clearTimeout(timer);
    }
  }
}

/** Waits until a TCP port of this machine accepts connections. Rejects after `milliseconds`. */
export async function portAccepts(port: number, milliseconds = 15_000): Promise<void> {
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port });
        socket.on('connect', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      }),
    `port ${port} to accept connections`,
    milliseconds,
  );
}

/** Retries every 50 ms. On timeout rejects with the awaited condition. */
export async function until(
  attempt: () => Promise<boolean>,
  what: string,
  milliseconds = 15_000,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await attempt().catch(() => false))) {
    if (Date.now() > end) throw new Error(`Gave up waiting for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
