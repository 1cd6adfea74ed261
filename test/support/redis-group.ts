import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '../../src/testkit/waiting.js';
import { freePort } from './free-ports.js';
import { TestProcess } from './processes.js';

/** Where the programs run. */
export interface ServerPlace {
  /** As the programs see it. */
  readonly inside: string;
  run(program: string, argv: readonly string[]): TestProcess;
  /** Returns the path inside. */
  write(name: string, content: string): string;
  remove(): void;
}

class Here implements ServerPlace {
  readonly inside = mkdtempSync(join(tmpdir(), 'demarc-redis-group-'));

  run(program: string, argv: readonly string[]): TestProcess {
    return new TestProcess(program, argv);
  }

  write(name: string, content: string): string {
    writeFileSync(join(this.inside, name), content);
    return join(this.inside, name);
  }

  remove(): void {
    rmSync(this.inside, { recursive: true, force: true });
  }
}

/** A primary with one replica, and three sentinels that promote the replica a second after the primary is gone. */
export class RedisGroup {
  static readonly master = 'demarc';
  readonly sentinelPorts: number[] = [];
  private readonly servers = new Map<number, TestProcess>();
  private readonly sentinels: TestProcess[] = [];

  private constructor(
    private readonly program: string,
    private readonly place: ServerPlace,
  ) {}

  /** @param program redis-server, or one that takes its options */
  static async start(program = 'redis-server', place: ServerPlace = new Here()): Promise<RedisGroup> {
    const group = new RedisGroup(program, place);
    const [primary, replica] = [await freePort(), await freePort()];
    await group.server(primary, []);
    await group.server(replica, ['--replicaof', '127.0.0.1', String(primary)]);
    await group.isReplicated(primary);
    for (let each = 0; each < 3; each++) await group.sentinel(primary);
    const client = new Redis(group.sentinelPorts[0]!, '127.0.0.1');
    await until(
      async () => {
        const [state] = (await client.call('SENTINEL', 'MASTERS')) as string[][];
        const fields = new Map(state!.map((name, index) => [name, state![index + 1]]));
        return fields.get('num-other-sentinels') === '2' && fields.get('num-slaves') === '1';
      },
      10_000,
      'the sentinels know each other',
    );
    client.disconnect();
    return group;
  }

  get settings(): Readonly<Record<string, string>> {
    return {
      DEMARC_REDIS_URL: 'redis://the-group',
      DEMARC_REDIS_SENTINELS: this.sentinelPorts.map((port) => `127.0.0.1:${port}`).join(','),
      DEMARC_REDIS_MASTER: RedisGroup.master,
    };
  }

  /** Of the server that the sentinels name. */
  async primaryPort(): Promise<number> {
    const client = new Redis(this.sentinelPorts[0]!, '127.0.0.1');
    try {
      const [, port] = (await client.call(
        'SENTINEL',
        'GET-MASTER-ADDR-BY-NAME',
        RedisGroup.master,
      )) as string[];
      return Number(port);
    } finally {
      client.disconnect();
    }
  }

  /** A connection to the present primary, for the test itself. */
  async client(): Promise<Redis> {
    const client = new Redis(await this.primaryPort(), '127.0.0.1', { maxRetriesPerRequest: 3 });
    client.on('error', () => {});
    return client;
  }

  /** The replica loses its primary, which continues without it. */
  async stopReplication(): Promise<void> {
    const primary = await this.primaryPort();
    for (const port of this.servers.keys()) {
      if (port === primary) continue;
      const client = new Redis(port, '127.0.0.1');
      await client.replicaof('127.0.0.1', 1);
      client.disconnect();
    }
  }

  /** kill -9; its connections break. */
  async killPrimary(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** It hangs, as seen from a machine that lost it: no connection breaks. */
  async hangPrimary(): Promise<void> {
    await this.end('SIGSTOP');
  }

  private async end(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    const port = await this.primaryPort();
    this.servers.get(port)!.signal(signal);
    if (signal === 'SIGKILL') this.servers.delete(port);
  }

  async isPromoted(former: number): Promise<void> {
    await until(async () => (await this.primaryPort()) !== former, 20_000, 'another primary');
  }

  async stop(): Promise<void> {
    for (const each of [...this.sentinels, ...this.servers.values()]) each.signal('SIGKILL');
    await Promise.all([...this.sentinels, ...this.servers.values()].map((each) => each.exit(5_000)));
    this.place.remove();
  }

  private async server(port: number, options: readonly string[]): Promise<void> {
    const argv = [
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--save',
      '',
      '--repl-diskless-sync-delay',
      '0',
    ];
    const server = this.place.run(this.program, [...argv, '--dir', this.place.inside, ...options]);
    this.servers.set(port, server);
    await server.line(/Ready to accept connections/, 5_000);
  }

  private async isReplicated(primary: number): Promise<void> {
    const client = new Redis(primary, '127.0.0.1');
    await until(
      async () => /state=online/.test(await client.info('replication')),
      20_000,
      'the replica has the data',
    );
    client.disconnect();
  }

  private async sentinel(primary: number): Promise<void> {
    const port = await freePort();
    const { master } = RedisGroup;
    const file = this.place.write(
      `sentinel-${port}.conf`,
      [
        'bind 127.0.0.1',
        `port ${port}`,
        `dir ${this.place.inside}`,
        `sentinel monitor ${master} 127.0.0.1 ${primary} 2`,
        `sentinel down-after-milliseconds ${master} 1000`,
        `sentinel failover-timeout ${master} 5000`,
        '',
      ].join('\n'),
    );
    const sentinel = this.place.run(this.program, [file, '--sentinel']);
    this.sentinels.push(sentinel);
    this.sentinelPorts.push(port);
    await sentinel.line(/monitor master/, 5_000);
  }
}
