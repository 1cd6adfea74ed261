import { sql, type Transaction } from 'kysely';
import { groupBy } from '../../base/group-by.js';
import type { CallRecord } from '../../contract/call-record.js';
import { contactOf } from '../../contract/contact-id.js';
import { parseAddress } from '../../sip/address.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { Database } from '../database/tables.js';
import { roomForCallers, roomForContacts } from './contact-bounds.js';
import { termsOf } from './terms.js';

/** A call with the contact of its other party. */
export interface PartyCall {
  readonly callId: string;
  readonly organizationId: string;
  readonly contactId: string;
  /** E.164 with plus. */
  readonly number: string;
  /** Our number, E.164 without plus; undefined: the call is outbound. */
  readonly called: string | undefined;
  readonly startedAt: string;
  /** False: a refused call must not fill the contacts, and a test call has no other party. */
  readonly makesContact: boolean;
}

type Facts = Pick<
  CallRecord,
  'call_id' | 'organization' | 'number' | 'direction' | 'from' | 'to' | 'started_at' | 'answered_at'
> & { readonly sip_call_ids: Pick<CallRecord['sip_call_ids'], 'agent'> };

/** U+0000, or half of a surrogate pair. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Undefined: the other party has no number. */
export function partyCallOf(record: Facts): PartyCall | undefined {
  const header = record.direction === 'inbound' ? record.from : record.to;
  const text = parseAddress(header)?.uri;
  const uri = text === undefined ? undefined : parseUri(text);
  if (record.organization === null || uri === undefined) return undefined;
  // No organization and no call of Demarc has such an id.
  if (unstorable.test(record.organization) || unstorable.test(record.call_id)) return undefined;
  const party = contactOf(record.organization, userOf(uri));
  if (party === undefined) return undefined;
  const reachedAgent = record.sip_call_ids.agent !== null || record.answered_at !== null;
  return {
    callId: record.call_id,
    organizationId: record.organization,
    contactId: party.id,
    number: party.number,
    called: record.direction === 'inbound' ? (record.number ?? undefined) : undefined,
    startedAt: record.started_at,
    makesContact: reachedAgent && party.number !== `+${record.number}`,
  };
}

/** Of two integers, for `pg_advisory_xact_lock`: the first one says what is locked, the second is a hash of the organization. */
export const erasureLock = 1_668_247_656;

/**
 * Creates the contacts of calls that have none yet. Call it first in the transaction that stores the records: a deletion of a
 * contact waits for that transaction, or is seen by it.
 * @returns ids of those calls whose party was deleted meanwhile: their records are to be stored without it
 */
export async function noteParties(
  transaction: Transaction<Database>,
  calls: readonly PartyCall[],
): Promise<ReadonlySet<string>> {
  if (calls.length === 0) return new Set();
  const organizations = [...new Set(calls.map(({ organizationId }) => organizationId))];
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(erasureLock)}, hashtext(organization))
    from unnest(${organizations}::text[]) organization`.execute(transaction);
  const facts = calls.map(({ callId, organizationId, contactId, startedAt, makesContact }) => ({
    call_id: callId,
    organization_id: organizationId,
    contact_id: contactId,
    started_at: startedAt,
    makes_contact: makesContact,
  }));
  // Most calls are with a known contact: then this is all.
  const { rows } = await sql<{ call_id: string; is_erased: boolean }>`
    select call_id, is_erased from (
      select call_id, organization_id, contact_id, makes_contact, exists (
        select from contact_erasures erasure
        where erasure.organization_id = call.organization_id and erasure.contact_id = call.contact_id
          and (call.started_at <= erasure.erased_at or erasure.call_ids ? call.call_id)
      ) as is_erased
      from json_to_recordset(${JSON.stringify(facts)}) as call (
        call_id text, organization_id text, contact_id uuid, started_at timestamptz, makes_contact boolean)
    ) call
    where is_erased or makes_contact and not exists (
      select from contact_ids known
      where known.organization_id = call.organization_id and known.id = call.contact_id
    )`.execute(transaction);
  const erased = new Set(rows.flatMap(({ call_id, is_erased }) => (is_erased ? call_id : [])));
  const fresh = new Set(rows.flatMap(({ call_id, is_erased }) => (is_erased ? [] : call_id)));
  if (fresh.size > 0) {
    await createContacts(
      transaction,
      calls.filter(({ callId }) => fresh.has(callId)),
    );
  }
  return erased;
}

/**
 * Another process may create the same ones at the same time; unknown organizations have none. Calls beyond a bound of the
 * organization or the called number are stored without a contact.
 */
async function createContacts(
  transaction: Transaction<Database>,
  calls: readonly PartyCall[],
): Promise<void> {
  // A fixed order, so that two processes cannot deadlock.
  const distinct = [...new Map(calls.map((call) => [key(call), call])).values()].toSorted((left, right) =>
    key(left) < key(right) ? -1 : 1,
  );
  const parties = (await withinBounds(transaction, distinct)).map(
    ({ organizationId, contactId, number }) => ({
      organization_id: organizationId,
      contact_id: contactId,
      number,
      terms: termsOf({ name: '', identifiers: [{ type: 'phone_number', value: number }] }),
    }),
  );
  if (parties.length === 0) return;
  await sql`
    with wanted as (
      select party.* from json_to_recordset(${JSON.stringify(parties)}) as party (
        organization_id text, contact_id uuid, number text, terms text[])
      join organizations on organizations.id = organization_id
      order by organization_id, contact_id
    ), claimed as (
      insert into contact_ids (organization_id, id, contact_id)
      select organization_id, contact_id, contact_id from wanted
      on conflict do nothing
      returning organization_id, contact_id
    ), made as (
      insert into contacts (organization_id, id) select organization_id, contact_id from claimed
    ), identified as (
      insert into contact_identifiers (organization_id, contact_id, identifier_type, identifier_value, is_primary)
      select organization_id, contact_id, 'phone_number', number, true
      from claimed join wanted using (organization_id, contact_id)
      on conflict do nothing
    )
    insert into contact_terms (organization_id, term, contact_id)
    select organization_id, unnest(terms), contact_id
    from claimed join wanted using (organization_id, contact_id)`.execute(transaction);
}

async function withinBounds(
  transaction: Transaction<Database>,
  calls: readonly PartyCall[],
): Promise<PartyCall[]> {
  const admitted: PartyCall[] = [];
  const ofNumbers = groupBy(calls, ({ organizationId, called }) => `${organizationId} ${called ?? ''}`);
  for (const [, ofNumber] of [...ofNumbers].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const { organizationId, called } = ofNumber[0]!;
    const room =
      called === undefined
        ? ofNumber.length
        : await roomForCallers(transaction, { organizationId, called }, ofNumber.length);
    admitted.push(...ofNumber.slice(0, room));
  }
  const ofOrganizations = groupBy(admitted, ({ organizationId }) => organizationId);
  const kept: PartyCall[] = [];
  for (const [organizationId, ofOrganization] of ofOrganizations)
    kept.push(...ofOrganization.slice(0, await roomForContacts(transaction, organizationId)));
  return kept;
}

const key = ({ organizationId, contactId }: PartyCall): string => `${organizationId} ${contactId}`;
