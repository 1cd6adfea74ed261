import type { Redis } from '../../../base/redis.js';
import { callStream, orderedCallKey } from '../../../contract/keys.js';
import { type LiveCall, liveCallSchema } from '../../../contract/live.js';
import { momentStream } from '../../../contract/moments.js';
import { openCallOwnersKey, openCallsKey } from '../../../contract/open-calls.js';
import { readJson } from '../../../contract/read-json.js';
import { partyCallOf } from '../../parties/call-parties.js';
import { type CallParty, digitsOf, type Party } from './party-calls.js';

/** What Redis holds of calls: active ones, and what edges have reported of ended ones. */

const partyOfLive = (call: LiveCall) => partyCallOf({ ...call, sip_call_ids: { agent: null } });

/** Ids of the active calls with the contact. Rejects while Redis is down. */
export async function activePartyCalls(redis: Redis, { organizationId, numbers }: Party): Promise<string[]> {
  const digits = digitsOf(numbers);
  const found: string[] = [];
  for (const owner of await redis.smembers(openCallOwnersKey)) {
    for (const json of await redis.hvals(openCallsKey(owner))) {
      // Reading is costlier than looking.
      if (!digits.some((digit) => json.includes(digit)) && !json.includes(';phone-context')) continue;
      const call = readJson(liveCallSchema, json);
      const party = call && partyOfLive(call);
      if (party?.organizationId === organizationId && numbers.includes(party.number))
        found.push(party.callId);
    }
  }
  return found;
}

/** The number of an active call's other party, E.164 with plus; undefined if there is no such call. Rejects while Redis is down. */
export async function activeCallParty(
  redis: Redis,
  organizationId: string,
  callId: string,
): Promise<CallParty | undefined> {
  for (const owner of await redis.smembers(openCallOwnersKey)) {
    const call = readJson(liveCallSchema, await redis.hget(openCallsKey(owner), callId));
    const party = call && partyOfLive(call);
    if (party?.organizationId === organizationId) return party;
  }
  return undefined;
}

const entriesAtOnce = 500;

/**
 * Deletes what Redis still holds of ended calls: their orders, and the edges' reports of them in the streams. Control has read
 * these: calls whose records wait in the stream are none of them. Rejects while Redis is down.
 */
export async function forgetInRedis(redis: Redis, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return;
  const wanted = new Set(callIds);
  for (let at = 0; at < callIds.length; at += entriesAtOnce) {
    await redis.del(...callIds.slice(at, at + entriesAtOnce).map(orderedCallKey));
  }
  await deleteEntries(redis, callStream, wanted);
  await deleteEntries(redis, momentStream, wanted);
}

async function deleteEntries(redis: Redis, stream: string, callIds: ReadonlySet<string>): Promise<void> {
  for (let from = '-'; ; ) {
    const entries = await redis.xrange(stream, from, '+', 'COUNT', entriesAtOnce);
    const found = entries.filter(([, fields]) => {
      const id = /"call_id":"([^"]{1,300})"/.exec(fields[1] ?? '')?.[1];
      return id !== undefined && callIds.has(id);
    });
    if (found.length > 0) await redis.xdel(stream, ...found.map(([id]) => id));
    if (entries.length < entriesAtOnce) return;
    from = `(${entries.at(-1)![0]}`;
  }
}
