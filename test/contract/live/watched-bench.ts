import { openDatabase } from '../../../src/control/database/database.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { until } from '../../../src/testkit/waiting.js';
import type { PrivatePostgres } from '../../support/postgres.js';
import { privateDatabase, sharedDatabase } from '../../support/shared-postgres.js';
import { CallBench } from '../call/bench.js';
import { type ApiUnderTest, startApi } from '../control/api-under-test.js';

/** Calls of an edge, and a control that people watch them by. */
export class WatchedBench {
  private constructor(
    readonly calls: CallBench,
    /** Undefined: shared with other files. */
    private readonly ownPostgres: PrivatePostgres | undefined,
    readonly api: ApiUnderTest,
    /** It has the called number. */
    readonly organization: string,
    /** Of that organization, of another one, and of those of the other one who run the service. */
    readonly keys: { readonly own: string; readonly stranger: string; readonly operator: string },
  ) {}

  /** @param options `ownPostgres`: for a test that kills it */
  static async start({
    ownPostgres = false,
  }: {
    readonly ownPostgres?: boolean;
  } = {}): Promise<WatchedBench> {
    const [calls, server] = await Promise.all([
      CallBench.start(),
      ownPostgres ? privateDatabase() : undefined,
    ]);
    const databaseUrl = server?.url ?? (await sharedDatabase());
    const options = { url: databaseUrl, maximumConnections: 2, timeoutMilliseconds: 5_000 };
    const database = openDatabase(options, () => {});
    const { id: organization } = await createOrganization(database, { name: 'acme', sipEnabled: true });
    const otherOrganization = await createOrganization(database, { name: 'other', sipEnabled: true });
    const { key: own } = await createKey(database, organization, 'test');
    const { key: stranger } = await createKey(database, otherOrganization.id, 'test');
    const { key: operator } = await createKey(database, otherOrganization.id, 'noc', { isOperator: true });
    await database.destroy();
    const redis = { url: `redis://127.0.0.1:${calls.redis.options.port}` };
    const api = await startApi({ databaseUrl, redis });
    // Control empties a Redis that it did not fill.
    await until(async () => (await api.get('/readyz', '')).status === 200, 20_000, 'control is ready');
    await calls.configure({ organization });
    return new WatchedBench(calls, server?.postgres, api, organization, { own, stranger, operator });
  }

  /** The server, if this bench has it to itself. */
  get postgres(): PrivatePostgres {
    if (this.ownPostgres === undefined)
      throw new Error('Start the bench with `ownPostgres` to kill PostgreSQL.');
    return this.ownPostgres;
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.calls.stop();
    await this.ownPostgres?.stop();
  }
}
