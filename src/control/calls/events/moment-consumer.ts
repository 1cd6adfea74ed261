import type { Kysely } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { Redis } from '../../../base/redis.js';
import { momentStream } from '../../../contract/moments.js';
import type { Database } from '../../database/tables.js';
import { PositionedConsumer } from '../../streams/positioned-consumer.js';
import { compareEntryIds, trimStream } from '../../streams/stream-position.js';
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
    tidy: (position) => trimMoments(deps.reader, position, Date.now()),
    tidyMilliseconds: 5_000,
    ...deps,
  });

/** A standby of PostgreSQL that was promoted may lack the positions of this time; control then reads these entries again. */
const keepMilliseconds = 60_000;

/**
 * Removes entries that are stored, which would take up to 55 MB of Redis until the writers' limit is reached.
 * @param position up to which the stream is stored
 * @param now of Redis' clock, Unix milliseconds
 */
export async function trimMoments(redis: Pick<Redis, 'xtrim'>, position: string, now: number): Promise<void> {
  const old = `${now - keepMilliseconds}-0`;
  const oldest = compareEntryIds(position, old) < 0 ? position : old;
  await trimStream(redis, momentStream, oldest);
}
