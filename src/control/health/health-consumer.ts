import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { healthStream } from '../../contract/health.js';
import type { Database } from '../database/tables.js';
import { PositionedConsumer } from '../streams/positioned-consumer.js';
import { deleteOldChecks, storeChecks } from './health-storage.js';

export interface HealthConsumerDeps {
  readonly database: Kysely<Database>;
  /** A separate connection, because it blocks on reads. */
  readonly reader: Redis;
  readonly log: Logger;
}

/** Stores checks of the customers' servers from the stream in PostgreSQL. */
export const healthConsumer = ({ database, ...deps }: HealthConsumerDeps): PositionedConsumer =>
  new PositionedConsumer({
    name: 'trunk health',
    stream: healthStream,
    field: 'health',
    what: 'health checks',
    database,
    store: (entries, after) => storeChecks(database, entries, after),
    tidy: () => deleteOldChecks(database),
    tidyMilliseconds: 3_600_000,
    gatherMilliseconds: 500,
    ...deps,
  });
