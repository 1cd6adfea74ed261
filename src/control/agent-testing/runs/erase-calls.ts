import type { Kysely } from 'kysely';
import type { CallErasure } from '../../area.js';
import type { Database } from '../../database/tables.js';

const callsAtOnce = 500;

/** Deletes the runs that judged these calls, with what was said in them. A run in progress ends without a result. */
export const eraseJudgedCalls =
  (database: Kysely<Database>): CallErasure =>
  async (organizationId, callIds) => {
    for (let at = 0; at < callIds.length; at += callsAtOnce) {
      await database
        .deleteFrom('agent_test_runs')
        .where('organization_id', '=', organizationId)
        .where('call_id', 'in', callIds.slice(at, at + callsAtOnce))
        .execute();
    }
  };
