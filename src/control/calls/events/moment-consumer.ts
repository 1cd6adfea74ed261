import type { Kysely } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { Redis } from '../../../base/redis.js';
import { momentStream } from '../../../contract/moments.js';
import type { Database } from '../../database/tables.js';
import { PositionedConsumer } from '../../streams/positioned-consumer.js';
import { storeMoments } from './moment-storage.js';

export interface MomentConsumerDeps {
  readonly database: Kysely<Database>;
  /** A separate connection, because it blocks on reads. */
  readonly reader: Redis;
  /** Called when there may be something to send. */
  readonly queued: () => void;
  readonly log: Logger;
}

/** Turns call and registration events from edges into webhooks. */
export const momentConsumer = ({ database, queued, ...deps }: MomentConsumerDeps): PositionedConsumer =>
  new PositionedConsumer({
    name: 'call events',
    stream: momentStream,
    field: 'moment',
    what: 'events of calls',
    database,
    store: async (entries, after) => {
      const stored = await storeMoments(database, entries, after);
      if (stored.queued > 0) queued();
      return stored;
    },
    // A webhook is this much later at most.
    gatherMilliseconds: 250,
    // The writers trim the stream.
    tidy: async () => {},
    ...deps,
  });
