import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { CallSnapshot } from '../../../contract/call-look.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { LiveCallReader } from '../../fleet/live-call-reader.js';
import type { Caller } from '../../http/api-server.js';
import { readCall, type StoredCall } from './call-page.js';

/** A record is stored about ten milliseconds after the call ends. */
const storingMilliseconds = 2_000;
const lookAgainMilliseconds = 100;

export type FoundCall =
  | ({ readonly kind: 'ended' } & StoredCall)
  | { readonly kind: 'live'; readonly call: CallSnapshot };

/**
 * One call of the organization, in the history or at an edge; for operators also a call that no organization has. Throws `DemarcError`: `NOT_FOUND`, and what
 * `LiveCallReader.look` throws.
 */
export async function findCall(
  { database, live }: { readonly database: Kysely<Database>; readonly live: Pick<LiveCallReader, 'look'> },
  { organizationId, isOperator }: Pick<Caller, 'organizationId' | 'isOperator'>,
  callId: string,
): Promise<FoundCall> {
  const stored = async (): Promise<FoundCall | undefined> => {
    const found = await readCall(database, organizationId, callId, { isOperator });
    return found && { kind: 'ended', ...found };
  };
  const before = await stored();
  if (before !== undefined) return before;
  const look = await live.look(organizationId, callId);
  if (look.found === 'call') return { kind: 'live', call: look.call };
  const end = performance.now() + storingMilliseconds;
  for (;;) {
    // Also if no edge has the call: it may have ended between the two lookups.
    const after = await stored();
    if (after !== undefined) return after;
    if (look.found === 'nothing') throw new DemarcError('NOT_FOUND', 'Call not found');
    if (performance.now() > end)
      throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'the call has ended and its record is not stored yet');
    await sleep(lookAgainMilliseconds);
  }
}
