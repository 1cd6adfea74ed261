import { migrate, openDatabase } from '../../../src/control/database/database.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { until } from '../../../src/testkit/waiting.js';
import { PrivatePostgres } from '../../support/postgres.js';
import { CallBench } from '../call/bench.js';
import { type ApiUnderTest, startApi } from '../control/api-under-test.js';

/** Calls of an edge, and a control that people watch them by. */
export class WatchedBench {
  private constructor(
    readonly calls: CallBench,
    readonly postgres: PrivatePostgres,
    readonly api: ApiUnderTest,
    /** It has the called number. */
    readonly organization: string,
    /** Of that organization, of another one, and of those of the other one who run the service. */
    readonly keys: { readonly own: string; readonly stranger: string; readonly operator: string },
  ) {}

  static async start(): Promise<WatchedBench> {
    const [calls, postgres] = await Promise.all([CallBench.start(), PrivatePostgres.start()]);
    const databaseUrl = await postgres.database();
    await migrate(databaseUrl);
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
    return new WatchedBench(calls, postgres, api, organization, { own, stranger, operator });
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.calls.stop();
    await this.postgres.stop();
  }
}
