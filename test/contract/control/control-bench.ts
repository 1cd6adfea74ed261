import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { connectRedis } from '../../../src/base/redis.js';
import { numberKey, readyEdgesKey } from '../../../src/contract/keys.js';
import { type NumberDocument, numberDocumentSchema } from '../../../src/contract/number.js';
import { openDatabase } from '../../../src/control/database/database.js';
import type { Database } from '../../../src/control/database/tables.js';
import { markNumbersChanged } from '../../../src/control/numbers/outbox.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import type { PrivatePostgres } from '../../support/postgres.js';
import { privateDatabase, sharedDatabase } from '../../support/shared-postgres.js';
import { PrivateRedis } from '../redis/private-redis.js';

export const log = pino({ level: process.env.DEMARC_TEST_LOG ?? 'silent' });

/** A database with our schema and a Redis that no other test uses. */
export class ControlBench {
  private readonly closing: (() => Promise<void> | void)[] = [];
  organization = '';

  private constructor(
    private readonly ownPostgres: PrivatePostgres | undefined,
    readonly redis: PrivateRedis,
    readonly databaseUrl: string,
    readonly database: Kysely<Database>,
  ) {}

  /** @param options `ownPostgres`: for a test that kills it */
  static async start(options: { readonly ownPostgres?: boolean } = {}): Promise<ControlBench> {
    const [own, redis] = await Promise.all([
      options.ownPostgres === true ? privateDatabase() : undefined,
      PrivateRedis.start(),
    ]);
    const url = own?.url ?? (await sharedDatabase());
    const bench = new ControlBench(own?.postgres, redis, url, openBenchDatabase(url));
    const organization = await createOrganization(bench.database, { name: 'acme', sipEnabled: true });
    bench.organization = organization.id;
    return bench;
  }

  /** The server, if this bench has it to itself. */
  get postgres(): PrivatePostgres {
    if (this.ownPostgres === undefined)
      throw new Error('Start the bench with `ownPostgres` to kill PostgreSQL.');
    return this.ownPostgres;
  }

  /** As if an edge took orders to call; no order is read. */
  async pretendEdge(): Promise<void> {
    const client = this.redis.client();
    await client.zadd(readyEdgesKey, Date.now() + 3_600_000, 'pretended');
    client.disconnect();
  }

  /** Another process's connections to the same database. */
  openDatabase(): Kysely<Database> {
    const database = openBenchDatabase(this.databaseUrl);
    this.closing.push(() => database.destroy());
    return database;
  }

  /** @param options `db`: a separate logical database, in which the projectors do not write */
  connectRedis(options: { commandTimeout?: number; db?: number } = {}): ReturnType<typeof connectRedis> {
    const redis = connectRedis(this.redis.url, log, 'demarc-control', { commandTimeout: 5_000, ...options });
    this.closing.push(() => redis.disconnect());
    return redis;
  }

  /** Commits a configuration of the number, as the API does; returns when the commit was confirmed. */
  async configure(number: string, allowedIps: readonly string[] = ['192.0.2.0/24']): Promise<number> {
    await this.database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('numbers')
        .values({ number, organization_id: this.organization })
        .onConflict((conflict) => conflict.column('number').doUpdateSet({ updated_at: new Date() }))
        .execute();
      await transaction.deleteFrom('configurations').where('number', '=', number).execute();
      await transaction
        .insertInto('configurations')
        .values({
          id: `cfg-${number}`,
          number,
          direction: 'inbound',
          sip_endpoint: null,
          auth_mode: 'ip',
          register_username: null,
          register_password: null,
          pbx_password: null,
          options: '{}',
          sip_password: null,
          allowed_ips: JSON.stringify(allowedIps),
          headers: '[]',
        })
        .execute();
      await markNumbersChanged(transaction, [number]);
    });
    return performance.now();
  }

  async detach(number: string): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('numbers').where('number', '=', number).execute();
      await markNumbersChanged(transaction, [number]);
    });
  }

  async documentOf(
    client: { get(key: string): Promise<string | null> },
    number: string,
  ): Promise<NumberDocument | null> {
    const json = await client.get(numberKey(number));
    return json === null ? null : numberDocumentSchema.parse(JSON.parse(json));
  }

  async waiting(): Promise<number> {
    const { rows } = await sql<{ count: string }>`select count(*) from projection_outbox`.execute(
      this.database,
    );
    return Number(rows[0]!.count);
  }

  async stop(): Promise<void> {
    for (const close of this.closing) await close();
    await this.database.destroy();
    await Promise.all([this.ownPostgres?.stop(), this.redis.stop()]);
  }
}

const openBenchDatabase = (url: string): Kysely<Database> =>
  openDatabase({ url, maximumConnections: 5, timeoutMilliseconds: 110_000 }, () => {});
