import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { CallRecord, EndReason } from '../../../contract/call-record.js';
import type { LiveCall } from '../../../contract/live.js';
import type { Database } from '../../database/tables.js';
import { type CountedCall, countCalls } from '../history/call-minutes.js';
import type { CallsTable } from '../history/tables.js';
import { removedParty } from '../parties/without-party.js';

/**
 * Calls that rang when their edge was lost: the engine gives the INVITE to another edge, which begins the call again. Such a call has
 * two records with one Call-ID; the earlier one names the later one, and only the later one is counted.
 */

const decompress = promisify(gunzip);

/** What an edge that rang at the loss leaves behind. */
const lostReasons = ['edge_lost', 'engine_lost'] as const satisfies readonly EndReason[];
/** The other edge has the INVITE at once; the end of a lost call may be known only by its edge's last heartbeat, which is seconds older. */
const latestMilliseconds = 60_000;
/** No call rings for longer. */
const longestRingingMilliseconds = 600_000;

type StoredCall = Selectable<CallsTable>;

/** A call as far as it may be the end of an earlier one, or its continuation. */
export type CallOfLeg = Pick<StoredCall, 'call_id' | 'organization_id' | 'sip_call_id' | 'started_at'>;

/** A row about to be stored leaves its organization out, or null. */
type Nullable<Call extends CallOfLeg> = Omit<Call, 'organization_id'> & {
  readonly organization_id?: string | null;
};

type LostCall = CallOfLeg & Pick<StoredCall, 'ended_at'>;

const ofActive = ({ call_id, organization, trunk, started_at }: LiveCall): CallOfLeg => ({
  call_id,
  organization_id: organization,
  sip_call_id: trunk.sip_call_id,
  started_at: new Date(started_at),
});

export const legOf = ({
  call_id,
  organization,
  sip_call_ids,
  started_at,
}: Pick<CallRecord, 'call_id' | 'organization' | 'sip_call_ids' | 'started_at'>): CallOfLeg => ({
  call_id,
  organization_id: organization,
  sip_call_id: sip_call_ids.trunk,
  started_at: new Date(started_at),
});

/** Whether it rang when its edge was lost. */
export const mayBeContinued = ({
  direction,
  answered_at,
  end_reason,
}: Pick<CallRecord, 'direction' | 'answered_at' | 'end_reason'>): boolean =>
  direction === 'inbound' &&
  answered_at === null &&
  (lostReasons as readonly EndReason[]).includes(end_reason);

/** The call that continues a lost one; undefined: none does. */
export function continuationOf(lost: LostCall, begun: readonly CallOfLeg[]): string | undefined {
  const [first] = begun
    .filter(
      ({ call_id, organization_id, sip_call_id, started_at }) =>
        call_id !== lost.call_id &&
        organization_id === lost.organization_id &&
        sip_call_id === lost.sip_call_id &&
        started_at >= lost.started_at &&
        started_at.getTime() <= lost.ended_at.getTime() + latestMilliseconds,
    )
    .sort((left, right) => left.started_at.getTime() - right.started_at.getTime());
  return first?.call_id;
}

/** Of two integers, for `pg_advisory_xact_lock`: the first one says what is locked, the second is a hash of the organization. */
const linkLock = 1_668_247_657;

/**
 * First in each transaction that stores calls. One that stores a call that may be continued runs beside no other one of its organization:
 * neither could see the other's call, and both records would stay without a link.
 */
export async function lockForLinks(
  transaction: Transaction<Database>,
  records: readonly Pick<CallRecord, 'organization' | 'direction' | 'answered_at' | 'end_reason'>[],
): Promise<void> {
  const inbound = records.flatMap((record) =>
    record.organization !== null && record.direction === 'inbound'
      ? [{ organization: record.organization, isLost: mayBeContinued(record) }]
      : [],
  );
  if (inbound.length === 0) return;
  // One lock a key, in the order of the keys, so that two transactions cannot deadlock.
  await sql`
    select case when is_lost
      then pg_advisory_xact_lock(${sql.lit(linkLock)}, key)
      else pg_advisory_xact_lock_shared(${sql.lit(linkLock)}, key) end
    from (
      select hashtext(organization) as key, bool_or(is_lost) as is_lost
      from unnest(
        ${inbound.map(({ organization }) => organization)}::text[],
        ${inbound.map(({ isLost }) => isLost)}::boolean[]) as stored (organization, is_lost)
      group by 1 order by 1 offset 0) keys`.execute(transaction);
}

/**
 * Links lost calls with their continuations and takes them out of the counts, whichever of the two was stored first. In the
 * transaction that stored and counted them, after `lockForLinks`.
 * @param stored calls that were just stored
 * @param active calls that may be a continuation without a record yet
 * @returns the continuation of each lost call among them, or found for them, by its id
 */
export async function linkContinued(
  transaction: Transaction<Database>,
  stored: readonly (Nullable<CallOfLeg> & Pick<StoredCall, 'direction'>)[],
  active: readonly LiveCall[] = [],
): Promise<ReadonlyMap<string, string>> {
  const legs = stored.filter(
    ({ organization_id, direction, sip_call_id }) =>
      organization_id != null &&
      direction === 'inbound' &&
      sip_call_id !== '' &&
      sip_call_id !== removedParty,
  );
  const links = new Map<string, string>();
  if (legs.length === 0) return links;
  const times = legs.map(({ started_at }) => started_at.getTime());
  const since = new Date(Math.min(...times) - longestRingingMilliseconds);
  const until = new Date(Math.max(...times) + longestRingingMilliseconds + latestMilliseconds);
  const ofLegs = sql<boolean>`(organization_id, sip_call_id) in (select * from unnest(
    ${legs.map(({ organization_id }) => organization_id!)}::text[], ${legs.map(({ sip_call_id }) => sip_call_id)}::text[]))`;
  const lost = await transaction
    .selectFrom('calls')
    .select(['call_id', 'organization_id', 'sip_call_id', 'started_at', 'ended_at'])
    .where(ofLegs)
    .where('started_at', '>=', since)
    .where('started_at', '<=', until)
    .where('end_reason', 'in', lostReasons)
    .where('direction', '=', 'inbound')
    .where('answered_at', 'is', null)
    .where('continued_as', 'is', null)
    .execute();
  if (lost.length === 0) return links;
  const begun = await transaction
    .selectFrom('calls')
    .select(['call_id', 'organization_id', 'sip_call_id', 'started_at'])
    .where('organization_id', 'in', [...new Set(lost.map(({ organization_id }) => organization_id!))])
    .where('sip_call_id', 'in', [...new Set(lost.map(({ sip_call_id }) => sip_call_id))])
    .where('started_at', '>=', since)
    .where('started_at', '<=', until)
    .execute();
  const candidates = [...begun, ...active.map(ofActive)];
  for (const call of lost.toSorted((left, right) => (left.call_id < right.call_id ? -1 : 1))) {
    const next = continuationOf(call, candidates);
    if (next !== undefined && (await link(transaction, call, next))) links.set(call.call_id, next);
  }
  return links;
}

/** False: another process was faster. */
async function link(transaction: Transaction<Database>, lost: LostCall, next: string): Promise<boolean> {
  const linked = await transaction
    .updateTable('calls')
    .set({ continued_as: next })
    .where('call_id', '=', lost.call_id)
    .where('started_at', '=', lost.started_at)
    .where('continued_as', 'is', null)
    .returning([
      ...(['organization_id', 'number', 'direction', 'outcome', 'end_reason', 'sip_status'] as const),
      ...(['started_at', 'answered_at', 'ended_at', 'test_run_id', 'record'] as const),
    ])
    .executeTakeFirst();
  if (linked === undefined) return false;
  const { test_run_id: run, record, ...call } = linked;
  if (run === null)
    await countCalls(transaction, [{ ...call, ...(await countedBeside(call.end_reason, record)) }], -1);
  return true;
}

/** What else was counted of it: of a call that control gave up, nothing (`edge-lost-records.ts`). */
async function countedBeside(
  endReason: EndReason,
  record: Buffer,
): Promise<Pick<CountedCall, 'ringing_at' | 'agent'>> {
  if (endReason === 'edge_lost') return { ringing_at: null };
  const { ringing_at, agent } = JSON.parse((await decompress(record)).toString('utf8')) as CallRecord;
  return { ringing_at: ringing_at === null ? null : new Date(ringing_at), agent };
}

/** The call of a lost edge that this one continues; null: none. */
export async function readContinued(
  database: Kysely<Database>,
  { call_id, organization_id, sip_call_id, started_at }: CallOfLeg,
): Promise<string | null> {
  if (organization_id === null || sip_call_id === '' || sip_call_id === removedParty) return null;
  const lost = await database
    .selectFrom('calls')
    .select('call_id')
    .where('organization_id', '=', organization_id)
    .where('sip_call_id', '=', sip_call_id)
    .where('continued_as', '=', call_id)
    .where('started_at', '>=', new Date(started_at.getTime() - longestRingingMilliseconds))
    .where('started_at', '<=', started_at)
    .executeTakeFirst();
  return lost?.call_id ?? null;
}
