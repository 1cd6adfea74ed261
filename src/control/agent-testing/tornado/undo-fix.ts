import { type Kysely, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { changeVersion } from '../../pathways/index.js';
import { undoFix } from './fix.js';
import { readSession } from './session-storage.js';

/**
 * Takes an applied fix out of the fork. Throws `DemarcError` `NOT_FOUND`, `TORNADO_ACTIVE` while the session runs, `FIX_NOT_UNDONE` when the
 * place was changed since, and `VERSION_NOT_CHANGEABLE` once the fork is live.
 */
export async function undoSessionFix(
  database: Kysely<Database>,
  organizationId: string,
  sessionId: string,
  fixId: string,
): Promise<void> {
  const { session, iterations } = await readSession(database, organizationId, sessionId);
  if (session.status === 'RUNNING') throw new DemarcError('TORNADO_ACTIVE');
  const iteration = iterations.find(({ fixes }) => fixes?.some(({ id }) => id === fixId));
  const fix = iteration?.fixes?.find(({ id }) => id === fixId);
  if (iteration === undefined || fix === undefined)
    throw new DemarcError('NOT_FOUND', `Fix ${fixId.slice(0, 64)} not found`);
  const { forked_version: versionNumber } = session;
  if (!fix.is_applied || versionNumber === null)
    throw new DemarcError('FIX_NOT_UNDONE', 'the fork does not have it');
  await database.transaction().execute(async (transaction) => {
    await changeVersion(transaction, organizationId, session.pathway_id, {
      versionNumber,
      change: (current) => {
        const outcome = undoFix(current, fix);
        if (outcome.problem !== undefined) throw new DemarcError('FIX_NOT_UNDONE', outcome.problem);
        return outcome.document;
      },
    });
    await sql`update agent_test_tornado_iterations set fixes = (
        select jsonb_agg(case when fix ->> 'id' = ${fixId} then fix || '{"is_applied": false}' else fix end order by place)
        from jsonb_array_elements(fixes) with ordinality as element (fix, place))
      where organization_id = ${organizationId} and session_id = ${session.id}
        and iteration = ${iteration.iteration}`.execute(transaction);
  });
}
