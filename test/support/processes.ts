import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { endingWithUs } from '../../dev/softphone/ending-with-us.js';
import { pause, within } from '../../src/testkit/waiting.js';
import { undoAfterTest } from './after-test.js';

/** A process that it left behind may hold its pipes for long. */
const pipeMilliseconds = 1_000;
/**
 * Node.js reads these at each start, which takes 0.1 s of processor time, and the processes of tests connect to nothing that they vouch for.
 */
const withoutExtraAuthorities = (variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: authorities, ...rest } = variables;
  return authorities === process.env.NODE_EXTRA_CA_CERTS ? rest : variables;
};

/** A child process whose output is kept and which is ended by its own id, never by name. */
export class TestProcess {
  private text = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  private readonly closed: Promise<void>;
  /** Called after each output. */
  private readonly watchers = new Set<() => void>();

  constructor(command: string, argv: readonly string[], options: SpawnOptions = {}) {
    // The channel closes when this process ends, which stops the role.
    const channel = command === process.execPath ? (['ipc'] as const) : [];
    const stdio = options.stdio ?? ['ignore', 'pipe', 'pipe', ...channel];
    const endsWithChannel = Array.isArray(stdio) && stdio.includes('ipc');
    const [file, line] = endsWithChannel ? [command, argv] : endingWithUs(command, argv);
    const env = withoutExtraAuthorities(options.env);
    this.child = spawn(file, line, { ...options, env, stdio });
    this.child.stdout?.on('data', (chunk: Buffer) => this.collect(chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => this.collect(chunk));
    this.closed = new Promise((resolve) => {
      this.child.once('close', () => resolve());
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
      this.child.once('error', (error) => {
        this.text += `\n${error.message}`;
        resolve({ code: null, signal: null });
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined;
  }

  /** Everything written to stdout and stderr, at most the last megabyte. */
  get output(): string {
    return this.text;
  }

  /** Resolves with what `select` makes of an IPC message; rejects with the output when the process ends before. */
  async message<T>(
    select: (message: unknown) => T | undefined,
    milliseconds: number,
    what: string,
  ): Promise<T> {
    const { child } = this;
    let take = (_message: unknown): void => {};
    const wanted = new Promise<T>((resolve) => {
      take = (message) => {
        const selected = select(message);
        if (selected !== undefined) resolve(selected);
      };
      child.on('message', take);
    });
    return this.orItsEnd(wanted, milliseconds, what).finally(() => child.off('message', take));
  }

  /** Resolves when the output matches. */
  async line(pattern: RegExp, milliseconds: number): Promise<RegExpExecArray> {
    let look = (): void => {};
    const matched = new Promise<RegExpExecArray>((resolve) => {
      look = () => {
        const match = pattern.exec(this.text);
        if (match !== null) resolve(match);
      };
      this.watchers.add(look);
      look();
    });
    return this.orItsEnd(matched, milliseconds, `output ${pattern}`).finally(() =>
      this.watchers.delete(look),
    );
  }

  /** Resolves with the exit code once all that it said is there; null: ended by a signal. */
  async exit(milliseconds: number): Promise<number | null> {
    const { code } = await within(this.ended, milliseconds, `end of process ${this.child.pid}`);
    await Promise.race([this.closed, pause(pipeMilliseconds)]);
    return code;
  }

  /** Ends the IPC channel, as the end of this process would. */
  disconnect(): void {
    this.child.disconnect();
  }

  /** A stopped process continues after the test at the latest. */
  signal(name: NodeJS.Signals): void {
    if (name === 'SIGSTOP') undoAfterTest(() => this.child.kill('SIGCONT'));
    this.child.kill(name);
  }

  /** SIGTERM, then SIGKILL when that does not help in time. */
  async stop(milliseconds = 8_000): Promise<void> {
    if (!this.isRunning) return;
    this.child.kill('SIGTERM');
    try {
      await this.exit(milliseconds);
    } catch {
      this.child.kill('SIGKILL');
      await this.exit(2_000);
    }
  }

  private collect(chunk: Buffer): void {
    this.text = (this.text + chunk.toString('utf8')).slice(-1_000_000);
    for (const look of this.watchers) look();
  }

  private async orItsEnd<T>(awaited: Promise<T>, milliseconds: number, what: string): Promise<T> {
    const early = this.ended.then(({ code, signal }) => {
      throw new Error(
        `${what}: the process ended first (code ${code}, signal ${signal}).\n${this.text.slice(-4_000)}`,
      );
    });
    try {
      return await within(Promise.race([awaited, early]), milliseconds, what);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.text.slice(-4_000)}`, { cause: error });
    } finally {
      early.catch(() => {});
    }
  }
}
