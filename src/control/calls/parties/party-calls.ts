import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { contactNumber } from '../../../contract/contact-id.js';
import type { Database } from '../../database/tables.js';
import { type CallFilter, pageQuery } from '../history/call-filter.js';
import { callById, cursorOf, readCall } from '../history/call-page.js';
import { findInPeriods, periodsBehind, readPeriods } from '../history/call-periods.js';
import { type callDetailSchema, detailOf, summaryOf } from '../history/call-view.js';
import { type TraceArchive, withTrace } from '../history/trace-archive.js';
import { readContinued } from '../lost/continued-calls.js';

/** The other party of calls: all numbers of one contact, E.164 with plus. */
export interface Party {
  readonly organizationId: string;
  readonly numbers: readonly string[];
}

/** As a trunk may have sent them. */
const spellingsOf = (numbers: readonly string[]): string[] =>
  numbers.flatMap((number) => [number, number.replace('+', '')]);

interface Page {
  readonly limit: number;
  /** Id of the last call of the previous page. */
  readonly after?: string | undefined;
}

/**
 * The ended calls with a contact, newest first; `next` is the cursor of the next page. Throws `InvalidRequest` for a cursor that
 * names no call.
 */
export async function listPartyCalls(database: Kysely<Database>, party: Party, page: Page) {
  const { rows, next } = await readRows(database, party, page);
  return { calls: rows.map(summaryOf), next };
}

async function readRows(database: Kysely<Database>, { organizationId, numbers }: Party, page: Page) {
  const { limit, after } = page;
  if (numbers.length === 0) return { rows: [], next: null };
  const parties = spellingsOf(numbers);
  const request = { owner: organizationId, limit: limit + 1 };
  const cursor =
    after === undefined
      ? undefined
      : await cursorOf(database, { organizationId, cursorPath: 'after' }, after);
  const periods = periodsBehind({}, cursor);
  const read = (filter: CallFilter) =>
    readPeriods(periods, request.limit, (period, most) =>
      pageQuery(database, { ...request, ...filter, ...period, limit: most }, cursor).execute(),
    );
  const [inbound, outbound] = await Promise.all([
    read({ direction: 'inbound', caller: parties }),
    read({ direction: 'outbound', called: parties }),
  ]);
  const rows = [...inbound, ...outbound]
    .sort((left, right) => +right.started_at - +left.started_at || (left.call_id < right.call_id ? 1 : -1))
    .slice(0, limit);
  const hasMore = inbound.length + outbound.length > limit;
  return { rows, next: hasMore ? rows.at(-1)!.call_id : null };
}

/** Rows held in memory. */
const pageLength = 50;

/** Every ended call with a contact, newest first, with its SIP trace. */
export async function* exportPartyCalls(
  database: Kysely<Database>,
  party: Party,
  traces: Pick<TraceArchive, 'read'> | undefined,
): AsyncGenerator<z.infer<typeof callDetailSchema>> {
  let after: string | undefined;
  do {
    const { rows, next } = await readRows(database, party, { limit: pageLength, after });
    for (const { call_id } of rows) {
      const found = await readCall(database, party.organizationId, call_id);
      if (found === undefined) continue;
      const whole = await withTrace(traces, found);
      const continues = await readContinued(database, whole.row);
      yield detailOf(whole.row, whole.record, whole.isTraceUnavailable, continues);
    }
    after = next ?? undefined;
  } while (after !== undefined);
}

/** The other party of a call. */
export interface CallParty {
  /** E.164 with plus. */
  readonly number: string;
  /** Our number, E.164 without plus; undefined: the call is outbound. */
  readonly called: string | undefined;
}

/** The other party of an ordered or ended call; undefined: no such call, or its party has no number. */
export async function storedCallParty(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<CallParty | undefined> {
  const order = await database
    .selectFrom('ordered_calls')
    .select('phone_number')
    .where('call_id', '=', callId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (order !== undefined) return partyOf(`+${order.phone_number}`, undefined);
  const call = await findInPeriods((period) =>
    callById(database, callId, period)
      .select(['direction', 'caller', 'called', 'number'])
      .where('organization_id', '=', organizationId)
      .executeTakeFirst(),
  );
  if (call === undefined) return undefined;
  return call.direction === 'inbound'
    ? partyOf(call.caller, call.number ?? undefined)
    : partyOf(call.called, undefined);
}

function partyOf(party: string, called: string | undefined): CallParty | undefined {
  const number = contactNumber(party);
  return number === undefined ? undefined : { number, called };
}

/** What was ordered for calls to a contact: the agent's task, its variables and the customer's own data. */
export const exportPartyOrders = (database: Kysely<Database>, { organizationId, numbers }: Party) =>
  numbers.length === 0
    ? Promise.resolve([])
    : database
        .selectFrom('ordered_calls')
        .select(['call_id', 'task', 'request_data', 'metadata', 'created_at', 'scheduled_at'])
        .where('organization_id', '=', organizationId)
        .where('phone_number', 'in', digitsOf(numbers))
        .orderBy('created_at', 'desc')
        .execute();

export const digitsOf = (numbers: readonly string[]): string[] =>
  numbers.map((number) => number.replace('+', ''));
