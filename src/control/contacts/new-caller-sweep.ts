import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Database } from '../database/tables.js';
import { SweepService } from '../jobs/sweep-service.js';
import { maximumNewCallers } from '../parties/contact-bounds.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly log: Logger;
}

const intervalMilliseconds = 30_000;

/** Logs, once for all processes, each number that has more new callers today than get contacts; forgets the days before. */
export class NewCallerSweep extends SweepService {
  constructor(private readonly deps: Deps) {
    super('new callers', 'counting new callers', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) => deps.log.warn({ error: error.message }, 'Counting new callers failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    const { database, log } = this.deps;
    await sql`delete from new_callers where day < (now() at time zone 'utc')::date - 1`.execute(database);
    const { rows } = await sql<{ organization_id: string; number: string }>`
      update new_callers set is_reported = true
      where callers > ${maximumNewCallers} and not is_reported
      returning organization_id, number`.execute(database);
    for (const { organization_id: organization, number } of rows) {
      const text = `The number has had ${maximumNewCallers} new callers today; calls of others are stored without a contact.`;
      log.warn({ organization, number }, text);
    }
  }
}
