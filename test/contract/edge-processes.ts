import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demarcCommand, type EngineUnderTest } from '../support/engine-under-test.js';
import { freePort } from '../support/free-ports.js';
import { TestProcess } from '../support/processes.js';

/** Edges of one engine and one Redis, each a process; none has an rtpengine. */
export class EdgeProcesses {
  readonly running = new Map<string, TestProcess>();
  private readonly directory = mkdtempSync(join(tmpdir(), 'demarc-edges-'));

  constructor(
    private readonly engine: EngineUnderTest,
    private readonly redisUrl: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  async start(id: string): Promise<void> {
    const [command, argv] = demarcCommand('edge', []);
    const edge = new TestProcess(command, argv, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        DEMARC_EDGE_ID: id,
        DEMARC_STATE_DIR: join(this.directory, id),
        DEMARC_REDIS_URL: this.redisUrl,
        DRACHTIO_HOST: this.engine.admin.host,
        DRACHTIO_PORT: String(this.engine.admin.port),
        DRACHTIO_SECRET: this.engine.secret,
        DEMARC_RTPENGINE: `127.0.0.1:${await freePort()}`,
        DEMARC_HTTP_PORT: String(await freePort()),
        // An edge that is stalled for longer loses its work to another.
        DEMARC_LEASE_SECONDS: '4',
        ...this.environment,
      },
    });
    this.running.set(id, edge);
    await edge.line(/Edge is up/, 60_000);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((edge) => edge.stop()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}
