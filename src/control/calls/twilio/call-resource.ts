import type { Kysely } from 'kysely';
import type { Redis } from '../../../base/redis.js';
import type { CallRecord, EndReason } from '../../../contract/call-record.js';
import { accountSidOf, callSidOf } from '../../../contract/stream-ids.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { LiveCallReader } from '../../fleet/live-call-reader.js';
import { liveDetailOf, summaryOf } from '../history/call-view.js';
import { findCall } from '../history/find-call.js';
import { callResult } from '../orders/call-results.js';
import { statusOf } from '../orders/view.js';

export const apiVersion = '2010-04-01';

type Status =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'failed'
  | 'no-answer'
  | 'canceled';

/** What of a call the resource shows. Moments are ISO 8601 in UTC. */
export interface Facts {
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  readonly status: Status;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly answeredAt: string | null;
  readonly endedAt: string | null;
  readonly seconds: number | null;
}

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly live: Pick<LiveCallReader, 'look'>;
}

/**
 * A call of the organization as Twilio's API shows calls: inbound and outbound, queued, active and ended. Throws `DemarcError`:
 * `NOT_FOUND`, and what `LiveCallReader.look` throws.
 */
export async function readCallResource(deps: Deps, organizationId: string, callId: string) {
  return resourceOf(organizationId, callId, await readFacts(deps, organizationId, callId));
}

async function readFacts(deps: Deps, organizationId: string, callId: string): Promise<Facts> {
  const caller = { organizationId, isOperator: false };
  const found = await findCall(deps, caller, callId).catch((error: unknown) => {
    if (error instanceof DemarcError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (found === undefined) return orderFacts(deps, organizationId, callId);
  if (found.kind === 'live') {
    const call = liveDetailOf(found.call, null);
    return {
      ...call,
      status: liveStatusOf(call),
      createdAt: call.started_at,
      startedAt: call.started_at,
      answeredAt: call.answered_at,
      endedAt: call.ended_at,
      seconds: call.ended_at === null ? null : call.duration_seconds,
    };
  }
  const call = summaryOf(found.row);
  return {
    ...call,
    status: statusOf(found.row),
    createdAt: call.started_at,
    startedAt: call.started_at,
    answeredAt: call.answered_at,
    endedAt: call.ended_at,
    seconds: call.duration_seconds,
  };
}

/** No edge has dialled it, or it was lost. */
async function orderFacts(deps: Deps, organizationId: string, callId: string): Promise<Facts> {
  const order = await callResult(deps, organizationId, callId);
  if (order === undefined) throw new DemarcError('NOT_FOUND', 'Call not found');
  const status = order.status === 'unknown' ? 'failed' : (order.status ?? 'queued');
  return {
    from: order.from,
    to: order.to,
    direction: 'outbound',
    status,
    createdAt: order.created_at,
    startedAt: order.started_at,
    answeredAt: order.answered_at,
    endedAt: order.ended_at,
    seconds: order.duration_seconds,
  };
}

interface LiveCall {
  readonly state: 'setup' | 'ringing' | 'answered' | 'ending';
  readonly answered_at: string | null;
  readonly outcome: CallRecord['outcome'] | null;
  readonly end_reason: EndReason | null;
  readonly sip_code: number | null;
}

/** The status of a call without a record. */
export function liveStatusOf({ state, answered_at, outcome, end_reason, sip_code }: LiveCall): Status {
  if (state === 'answered') return 'in-progress';
  if (state !== 'ending') return state === 'setup' ? 'queued' : 'ringing';
  if (outcome !== null) return statusOf({ outcome, end_reason, sip_status: sip_code });
  return answered_at === null ? 'canceled' : 'completed';
}

/** RFC 2822 §3.3, as Twilio writes it. */
const date = (moment: string | null): string | null =>
  moment === null ? null : new Date(moment).toUTCString().replace(/GMT$/, '+0000');

/** As Twilio's API shows a call. */
export function resourceOf(organizationId: string, callId: string, facts: Facts) {
  const sid = callSidOf(callId);
  const account = accountSidOf(organizationId);
  return {
    sid,
    account_sid: account,
    api_version: apiVersion,
    direction: facts.direction === 'inbound' ? 'inbound' : 'outbound-api',
    from: facts.from,
    from_formatted: facts.from,
    to: facts.to,
    to_formatted: facts.to,
    status: facts.status,
    date_created: date(facts.createdAt),
    date_updated: date(facts.endedAt ?? facts.answeredAt ?? facts.createdAt),
    // Of an answered call the time that `duration` counts from.
    start_time: date(facts.answeredAt ?? facts.startedAt),
    end_time: date(facts.endedAt),
    duration: facts.seconds === null ? null : String(Math.round(facts.seconds)),
    uri: `/${apiVersion}/Accounts/${account}/Calls/${sid}.json`,
    answered_by: null,
    annotation: null,
    caller_name: null,
    forwarded_from: null,
    group_sid: null,
    parent_call_sid: null,
    phone_number_sid: null,
    price: null,
    price_unit: null,
    queue_time: null,
    trunk_sid: null,
    subresource_uris: {},
  };
}
