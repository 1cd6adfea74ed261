import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { connectRedis } from '../../src/base/redis.js';
import { EngineLink } from '../../src/edge/sip/engine-link.js';
import { until } from '../../src/testkit/waiting.js';
import { TestAuthority } from '../support/certificates.js';
import { type EngineUnderTest, startEngine } from '../support/engine-under-test.js';
import { PrivateRedis } from './redis/private-redis.js';

export const log = pino({ level: process.env.DEMARC_TEST_LOG ?? 'silent' });

interface EdgePart {
  start(): void;
  stop(): Promise<void> | void;
}

/** An engine, the connection to it and a Redis, for parts of the edge that need nothing else. */
export class EngineBench {
  /** What a test opened, to be closed at its end. */
  readonly closing: (() => Promise<unknown> | unknown)[] = [];

  private constructor(
    readonly redis: PrivateRedis,
    readonly client: Redis,
    readonly authority: TestAuthority,
    /** No party trusts it. */
    readonly stranger: TestAuthority,
    readonly engine: EngineUnderTest,
    readonly link: EngineLink,
    private readonly ownsRedis: boolean,
  ) {}

  /** @param given a Redis that the caller stops */
  static async start(sharedRedis?: PrivateRedis): Promise<EngineBench> {
    const authority = await TestAuthority.create();
    const stranger = await TestAuthority.create('CN=Somebody else');
    const [redis, engine] = await Promise.all([
      sharedRedis ?? PrivateRedis.start(),
      startEngine({ authority }),
    ]);
    const link = new EngineLink(log);
    link.connect({ ...engine.admin, secret: engine.secret });
    await until(() => link.isUp, 10_000, 'engine is up');
    return new EngineBench(
      redis,
      redis.client(),
      authority,
      stranger,
      engine,
      link,
      sharedRedis === undefined,
    );
  }

  /** Starts a separate partial edge until the end of the test; `kill` stops its Redis. */
  startEdge<Part extends EdgePart>(
    make: (edge: { edgeId: string; holder: string; redis: Redis; log: typeof log }) => Part,
  ): { part: Part; kill: () => void } {
    const redis = connectRedis(this.redis.url, log, 'demarc-edge', { socketTimeout: 3_000 });
    const kill = (): void => redis.disconnect();
    const edgeId = `edge-${this.closing.length}`;
    const part = make({ edgeId, holder: randomBytes(8).toString('hex'), redis, log });
    this.closing.push(kill, () => part.stop());
    part.start();
    return { part, kill };
  }

  /** Resolves when so many edges listen to the channel. */
  async listeners(channel: string, count: number): Promise<void> {
    const listening = async () => (await this.client.pubsub('NUMSUB', channel))[1];
    await until(async () => (await listening()) === count, 5_000, `${count} edges listen to ${channel}`);
  }

  async endTest(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
    await this.client.flushall();
  }

  async stop(): Promise<void> {
    this.link.close();
    this.client.disconnect();
    await Promise.all([this.engine.stop(), this.ownsRedis ? this.redis.stop() : undefined]);
    this.authority.remove();
    this.stranger.remove();
  }
}
