import { type Kysely, sql } from 'kysely';
import type { AgentTestSettings } from '../../../config/agent-test-settings.js';
import type { Database } from '../../database/tables.js';
import { SweepService } from '../../jobs/sweep-service.js';

const everyMilliseconds = 3_600_000;
/** Rows per statement. */
const atOnce = 1_000;

/** Deletes runs that ended before the retention, and what only they used. */
export class RetentionSweep extends SweepService {
  constructor(
    private readonly database: Kysely<Database>,
    private readonly settings: Pick<AgentTestSettings, 'retentionDays' | 'recordings'>,
  ) {
    super('agent-test-retention', 'old test runs are deleted', { everyMilliseconds });
  }

  async sweep(): Promise<void> {
    const { retentionDays, recordings } = this.settings;
    await sql`delete from agent_test_recordings
      where created_at < now() - make_interval(days => ${recordings.days})`.execute(this.database);
    if (retentionDays === 0) return;
    const limit = sql`now() - make_interval(days => ${retentionDays})`;
    for (;;) {
      const { rows } = await sql`delete from agent_test_runs where (organization_id, id) in (
        select organization_id, id from agent_test_runs where completed_at < ${limit} limit ${atOnce})
        returning id`.execute(this.database);
      if (rows.length < atOnce) break;
    }
    await sql`delete from agent_test_batches b where b.completed_at < ${limit} and not exists (
      select from agent_test_runs r where r.organization_id = b.organization_id and r.batch_id = b.id)`.execute(
      this.database,
    );
    await sql`delete from agent_test_simulation_sets s where s.completed_at < ${limit} and not exists (
      select from agent_test_runs r where r.organization_id = s.organization_id and r.simulation_set_id = s.id)`.execute(
      this.database,
    );
    await sql`delete from agent_test_load_tests l where l.completed_at < ${limit} and not exists (
      select from agent_test_runs r where r.organization_id = l.organization_id and r.load_test_id = l.id)`.execute(
      this.database,
    );
    await sql`delete from agent_test_tornado_sessions where completed_at < ${limit}`.execute(this.database);
    await sql`delete from promotions where completed_at < ${limit}`.execute(this.database);
    // Not those of runs that are being stored.
    await sql`delete from agent_test_definitions d where not exists (
      select from agent_test_runs r
      where r.organization_id = d.organization_id and r.definition_digest = d.digest)`
      .execute(this.database)
      .catch((error: unknown) => {
        // A run began to use one meanwhile.
        if ((error as { code?: string }).code !== '23503') throw error;
      });
  }
}
