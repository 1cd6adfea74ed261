import { sql, type Transaction } from 'kysely';
import type { CallRecord } from '../../contract/call-record.js';
import { contactOf } from '../../contract/contact-id.js';
import { parseAddress } from '../../sip/address.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { Database } from '../database/tables.js';
import { termsOf } from './terms.js';

/** A call with the contact of its other party. */
export interface PartyCall {
  readonly callId: string;
  readonly organizationId: string;
  readonly contactId: string;
  /** E.164 with plus. */
  readonly number: string;
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
  // No organization and no call of ours has such an id.
  if (unstorable.test(record.organization) || unstorable.test(record.call_id)) return undefined;
  const party = contactOf(record.organization, userOf(uri));
  if (party === undefined) return undefined;
  const reachedAgent = record.sip_call_ids.agent !== null || record.answered_at !== null;
  return {
    callId: record.call_id,
    organizationId: record.organization,
    contactId: party.id,
    number: party.number,
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
  // A fixed order, so that two processes cannot deadlock.
  const ordered = calls.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  const parties = [...new Map(ordered.map((call) => [key(call), call])).values()];
  const terms = parties.flatMap(({ organizationId, contactId, number }) =>
    termsOf({ name: '', identifiers: [{ type: 'phone_number', value: number }] }).map((term) => ({
      ...{ organizationId, contactId, term },
    })),
  );
  const { rows } = await sql<{ call_id: string }>`
    with seen as (
      select * from unnest(
        ${ordered.map(({ callId }) => callId)}::text[],
        ${ordered.map(({ organizationId }) => organizationId)}::text[],
        ${ordered.map(({ contactId }) => contactId)}::uuid[],
        ${ordered.map(({ number }) => number)}::text[],
        ${ordered.map(({ startedAt }) => startedAt)}::timestamptz[],
        ${ordered.map(({ makesContact }) => makesContact)}::boolean[]
      ) as call (call_id, organization_id, contact_id, number, started_at, makes_contact)
    ), erased as (
      select call_id from seen join contact_erasures using (organization_id, contact_id)
      where started_at <= erased_at or call_ids ? call_id
    ), wanted as (
      select distinct organization_id, contact_id, number from seen
      join organizations on organizations.id = organization_id
      where makes_contact and call_id not in (select call_id from erased)
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
    ), searchable as (
      insert into contact_terms (organization_id, term, contact_id)
      select organization_id, term, contact_id from claimed join unnest(
        ${terms.map(({ organizationId }) => organizationId)}::text[],
        ${terms.map(({ contactId }) => contactId)}::uuid[],
        ${terms.map(({ term }) => term)}::text[]
      ) as found (organization_id, contact_id, term) using (organization_id, contact_id)
    )
    select call_id from erased`.execute(transaction);
  return new Set(rows.map(({ call_id }) => call_id));
}

const key = ({ organizationId, contactId }: PartyCall): string => `${organizationId} ${contactId}`;
