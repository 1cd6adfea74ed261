import type { Kysely } from 'kysely';
import type { Redis } from '../../base/redis.js';
import type { CallGrant } from '../../contract/call-token.js';
import { contactId as idOfNumber } from '../../contract/contact-id.js';
import { DemarcError } from '../../errors.js';
import { activeCallParty, readStarts, storedCallParty } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import { roomForCallers } from '../parties/contact-bounds.js';
import { findContactId, unknownContact } from './contact-rows.js';
import { resolveContact } from './contacts.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
}

/**
 * The contact that the agent of a call may read and write: that of the call's other party alone. It is created if the call's
 * record has not created it yet. Throws `DemarcError` `NOT_FOUND`: for any other contact, and when it was deleted during the call;
 * `TOO_MANY_CONTACTS`.
 * @param id as the agent sent it
 */
export async function contactOfCall(
  { database, redis }: Deps,
  grant: CallGrant,
  id: string,
): Promise<string> {
  const { organization, contactId, callId } = grant;
  if (contactId === undefined) throw unknownContact();
  const own = await findContactId(database, organization, contactId);
  const asked = await findContactId(database, organization, id);
  if (own === undefined ? id.toLowerCase() !== contactId : asked !== own) throw unknownContact();
  if (await wasErased(database, grant)) throw unknownContact();
  if (own !== undefined) return own;
  const party =
    (await storedCallParty(database, organization, callId)) ??
    (await activeCallParty(redis, organization, callId));
  if (party === undefined || idOfNumber(organization, party.number) !== contactId) throw unknownContact();
  const { number, called } = party;
  if (called !== undefined) {
    // In a transaction, so that a refused request counts nothing: the call's record does.
    await database.transaction().execute(async (transaction) => {
      const number = { organizationId: organization, called };
      if ((await roomForCallers(transaction, number, 1)) === 0) throw new DemarcError('TOO_MANY_CONTACTS');
    });
  }
  const made = await resolveContact(database, organization, [{ type: 'phone_number', value: number }], {});
  return made.id;
}

/** Whether the contact was deleted while the call was active: its agent must not bring it back. */
async function wasErased(
  database: Kysely<Database>,
  { organization, contactId, callId }: CallGrant,
): Promise<boolean> {
  const erasure = await database
    .selectFrom('contact_erasures')
    .select(['erased_at', 'call_ids'])
    .where('organization_id', '=', organization)
    .where('contact_id', '=', contactId!)
    .executeTakeFirst();
  if (erasure === undefined) return false;
  const startedAt = (await readStarts(database, organization, [callId])).get(callId);
  return isErasedCall(erasure, callId, startedAt);
}

/** @param startedAt of the call's record; undefined: there is none yet */
export const isErasedCall = (
  { erased_at, call_ids }: { readonly erased_at: Date; readonly call_ids: readonly string[] },
  callId: string,
  startedAt: Date | undefined,
): boolean => (startedAt !== undefined && startedAt <= erased_at) || call_ids.includes(callId);
