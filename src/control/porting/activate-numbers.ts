import { DemarcError } from '../../errors.js';
import type { ControlDeps } from '../http/api-server.js';
import { attachWithin, readDirections } from '../trunks/index.js';
import { isAttachOwed } from './owed-work.js';
import { lockRequest, numbersOf, type PortRequest } from './port-rows.js';

/**
 * Makes every number that was ported an inbound number of the organization, by the same path as attach, each in the one
 * transaction that notes it. A number that cannot be attached says why and is not tried again.
 */
export async function activateNumbers(
  { database, settings, secrets, log }: Pick<ControlDeps, 'database' | 'settings' | 'secrets' | 'log'>,
  request: Pick<PortRequest, 'id' | 'organization_id'>,
): Promise<void> {
  const waiting = (await numbersOf(database, request.id)).filter(isAttachOwed);
  if (waiting.length === 0) return;
  const direction = {
    type: 'inbound' as const,
    auth_mode: 'ip' as const,
    allowed_ips: [...settings.porting.sources],
  };
  const wanted = readDirections({ settings, secrets }, request.organization_id, [direction]);
  for (const { number } of waiting) {
    const attach = async (problem?: string): Promise<void> =>
      database.transaction().execute(async (transaction) => {
        await lockRequest(transaction, request.id);
        const current = (await numbersOf(transaction, request.id)).find((row) => row.number === number);
        if (current === undefined || !isAttachOwed(current)) return;
        if (problem === undefined) {
          // The port itself is the proof that the organization holds the number.
          await transaction
            .insertInto('number_proofs')
            .values({ number, organization_id: request.organization_id, key_id: request.id })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await attachWithin(transaction, { settings, secrets }, request.organization_id, number, wanted);
        }
        await transaction
          .updateTable('port_numbers')
          .set(problem === undefined ? { attached_at: new Date() } : { reason: problem })
          .where('request_id', '=', request.id)
          .where('number', '=', number)
          .execute();
      });
    try {
      await attach();
    } catch (error) {
      if (!(error instanceof DemarcError)) throw error;
      log.warn({ port: request.id, number, error: error.message }, 'A ported number could not be attached.');
      await attach(`The number was ported, but could not be attached: ${error.message}.`);
    }
  }
}
