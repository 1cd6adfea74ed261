import type { Kysely, Transaction } from 'kysely';
import { parseSocketAddress } from '../../../base/socket-address.js';
import type { CallRecord } from '../../../contract/call-record.js';
import type { LiveCall } from '../../../contract/live.js';
import type { Database } from '../../database/tables.js';
import { momentsOf, queueCallEvents } from '../events/call-events.js';
import { type CountedCall, countCalls } from '../history/call-minutes.js';
import { columnsOf, rowOf } from '../history/call-row.js';
import { withParties } from '../parties/without-party.js';
import { linkContinued, lockForLinks } from './continued-calls.js';

export type OpenCall = LiveCall;

/** `stopped`: it left its calls for an edge that would be started after it. */
export type EdgeEnd = 'died' | 'stopped';

/**
 * The record of a call whose edge died, made from the edge's last notes. The trace is lost with the edge.
 * @param diedAt last sign of life of the edge, Unix milliseconds; undefined: unknown
 */
export function edgeLostRecord(
  call: OpenCall,
  edgeId: string,
  diedAt: number | undefined,
  end: EdgeEnd,
  now = Date.now(),
): CallRecord {
  const { trunk, media, started_at, ringing_at, answered_at } = call;
  const endedAt = Math.max(Date.parse(answered_at ?? ringing_at ?? started_at), diedAt ?? now);
  const { host, port } = parseSocketAddress(trunk.address) ?? { host: '', port: 0 };
  return {
    version: 1,
    call_id: call.call_id,
    edge_id: edgeId,
    organization: call.organization,
    number: call.number,
    direction: call.direction,
    from: call.from,
    to: call.to,
    source: { address: host, port, protocol: trunk.protocol },
    started_at,
    ringing_at,
    answered_at,
    ended_at: new Date(endedAt).toISOString(),
    duration_milliseconds: answered_at === null ? 0 : Math.max(0, endedAt - Date.parse(answered_at)),
    outcome: answered_at === null ? 'failed' : 'completed',
    sip_status: answered_at === null ? null : 200,
    sip_reason: answered_at === null ? null : 'OK',
    ended_by: 'edge',
    end_reason: 'edge_lost',
    detail:
      end === 'died'
        ? `Edge ${edgeId} died during the call. The end time is the edge’s last heartbeat; the SIP trace is lost.`
        : `Edge ${edgeId} was stopped during the call, and no other edge continued it. The end time is approximate; the SIP trace is lost.`,
    media:
      media === null
        ? null
        : {
            node: '',
            trunk_codec: media.codec,
            agent_codec: null,
            srtp_suite: media.srtp_suite,
            trunk: null,
            agent: null,
          },
    attempts: [],
    sip_call_ids: { trunk: trunk.sip_call_id, agent: null },
    trace: [],
    trace_truncated: true,
    ...(call.test_run_id === undefined ? {} : { test_run_id: call.test_run_id }),
  };
}

/**
 * Stores and counts these records and queues their webhooks, except those of calls that have one. Ordered calls are left to `LostCalls`, which also knows of
 * their webhooks.
 * @param active calls of all edges, which may continue one of them
 * @returns how many were stored
 */
export async function storeEdgeLost(
  database: Kysely<Database>,
  records: readonly CallRecord[],
  active: readonly LiveCall[] = [],
): Promise<number> {
  if (records.length === 0) return 0;
  return database.transaction().execute(async (transaction) => {
    await lockForLinks(transaction, records);
    const ordered = await transaction
      .selectFrom('ordered_calls')
      .select('call_id')
      .where(
        'call_id',
        'in',
        records.map(({ call_id }) => call_id),
      )
      .execute();
    const isOrdered = new Set(ordered.map(({ call_id }) => call_id));
    const read = records
      .filter(({ call_id }) => !isOrdered.has(call_id))
      // A fixed order, so that two processes that store the same records cannot deadlock.
      .toSorted((left, right) => (left.call_id < right.call_id ? -1 : 1))
      .map((record) => ({ record, row: rowOf(record, JSON.stringify(record)) }));
    const calls = await withParties(transaction, read);
    if (calls.length === 0) return 0;
    const stored = await transaction
      .insertInto('calls')
      .values(calls.map(({ row }) => columnsOf(row)))
      .onConflict((conflict) => conflict.doNothing())
      .returning([...countedColumns, 'call_id'])
      .execute();
    await countCalls(transaction, countedOf(stored));
    const byId = new Map(calls.map((call) => [call.record.call_id, call]));
    const links = await linkContinued(
      transaction,
      stored.map(({ call_id }) => byId.get(call_id)!.row),
      active,
    );
    await queueCallEvents(
      transaction,
      stored.flatMap(({ call_id }) => momentsOf(byId.get(call_id)!.record, links.get(call_id))),
    );
    return stored.length;
  });
}

const countedColumns = [
  ...(['organization_id', 'number', 'direction', 'outcome', 'end_reason', 'sip_status'] as const),
  ...(['started_at', 'answered_at', 'ended_at', 'test_run_id'] as const),
] as const;

/** Calls of agent tests count neither as usage nor in statistics; nothing is known of their transfers. */
export const countedOf = <
  Call extends Omit<CountedCall, 'ringing_at'> & { readonly test_run_id: string | null },
>(
  calls: readonly Call[],
): CountedCall[] =>
  calls.flatMap(({ test_run_id: run, ...call }) => (run === null ? [{ ...call, ringing_at: null }] : []));

/**
 * Takes the calls among these that were given up with their edge out of the history and the counts, because their own record has come.
 * @returns their ids
 */
export async function withdrawEdgeLost(
  transaction: Transaction<Database>,
  callIds: readonly string[],
): Promise<string[]> {
  if (callIds.length === 0) return [];
  const given = await transaction
    .deleteFrom('calls')
    .where('call_id', 'in', callIds)
    .where('end_reason', '=', 'edge_lost')
    .returning([...countedColumns, 'call_id', 'continued_as'])
    .execute();
  const counted = given.filter(({ continued_as }) => continued_as === null);
  await countCalls(transaction, countedOf(counted), -1);
  return given.map(({ call_id }) => call_id);
}
