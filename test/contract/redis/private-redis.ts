import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { undoAfterTest } from '../../support/after-test.js';
import { freePort } from '../../support/free-ports.js';
import { TestProcess } from '../../support/processes.js';

/** A redis-server of the test's own, which can be killed, hung, and started again on the same port. */
export class PrivateRedis {
  private process: TestProcess | undefined;
  private isOver = false;

  private constructor(
    readonly port: number,
    readonly directory: string,
  ) {}

  static async start(): Promise<PrivateRedis> {
    const directory = await mkdtemp(join(tmpdir(), 'demarc-redis-'));
    const redis = new PrivateRedis(await freePort(), directory);
    await redis.up();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server; with `keep` it saves at the end and loads at the start. */
  async up(): Promise<void> {
    const argv = ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no'];
    // Hundreds of them are idle for most of a test run, and each look at its clients takes a tenth of a millisecond.
    argv.push('--hz', '5');
    this.process = new TestProcess('redis-server', [...argv, '--dir', this.directory]);
    await this.process.line(/Ready to accept connections/, 5_000);
  }

  /** kill -9: everything in memory is gone. After the test it is up again at the latest. */
  async kill(): Promise<void> {
    undoAfterTest(() => (this.isOver || this.process?.isRunning === true ? undefined : this.up()));
    this.process?.signal('SIGKILL');
    await this.process?.exit(5_000);
  }

  hang(): void {
    this.process?.signal('SIGSTOP');
  }

  resume(): void {
    this.process?.signal('SIGCONT');
  }

  /** A plain connection for the test itself. */
  client(): Redis {
    const client = new Redis(this.url, { maxRetriesPerRequest: 3 });
    client.on('error', () => {});
    return client;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    this.resume();
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}
