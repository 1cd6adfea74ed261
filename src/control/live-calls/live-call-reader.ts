import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallLook,
  type CallLookReply,
  type CallSnapshot,
  callLookChannel,
  callLookReplyKey,
  callLookReplySchema,
} from '../../contract/call-look.js';
import { readJson } from '../../contract/read-json.js';
import { DemarcError } from '../../errors.js';
import type { FleetReader } from '../noc/fleet-reader.js';
import type { Redis } from '../redis.js';

export type LookResult =
  | { readonly found: 'call'; readonly call: CallSnapshot }
  /** It has ended, and its record will be stored in a moment. */
  | { readonly found: 'recorded' }
  | { readonly found: 'nothing' };

/** An edge answers within milliseconds, and within half a second where its rtpengine is silent. */
const waitMilliseconds = 3_000;
const lookMilliseconds = 20;
/** Looks under way at once: each may bring a megabyte. */
const maximumLooks = 32;
/** Replies read at once; there are no more edges than that. */
const repliesAtOnce = 1_000;

/** Asks the edges for a call that has no record yet. */
export class LiveCallReader {
  /** Who asks for the same call meanwhile gets the same answer. */
  private readonly looks = new Map<string, Promise<LookResult>>();

  constructor(
    private readonly redis: Redis,
    private readonly fleet: Pick<FleetReader, 'edges' | 'listsCall'>,
  ) {}

  /**
   * What the edges know of the organization's call. Throws `DemarcError`: `LIVE_CALL_UNAVAILABLE` when an edge that may have
   * it does not answer, `LIVE_STATE_UNAVAILABLE` when Redis does not.
   */
  look(organizationId: string, callId: string): Promise<LookResult> {
    const key = `${organizationId} ${callId}`;
    const running = this.looks.get(key);
    if (running !== undefined) return running;
    if (this.looks.size >= maximumLooks)
      throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'Too many look at calls');
    const look = this.ask({ look_id: randomUUID(), call_id: callId, organization: organizationId })
      .catch((error: unknown) => {
        throw error instanceof DemarcError ? error : new DemarcError('LIVE_STATE_UNAVAILABLE');
      })
      .finally(() => this.looks.delete(key));
    this.looks.set(key, look);
    return look;
  }

  private async ask(look: CallLook): Promise<LookResult> {
    const asked = await this.redis.publish(callLookChannel, JSON.stringify(look));
    const key = callLookReplyKey(look.look_id);
    const end = performance.now() + waitMilliseconds;
    const replied = new Set<string>();
    while (replied.size < asked && performance.now() < end) {
      await sleep(lookMilliseconds);
      const replies = (await this.redis.lpop(key, repliesAtOnce)) ?? [];
      for (const json of replies) {
        const reply = readJson(callLookReplySchema, json);
        const result = reply && resultOf(reply);
        if (result !== undefined) return result;
        replied.add(reply?.owner ?? json);
      }
    }
    await this.checkSilent(look, replied, replied.size < asked);
    return { found: 'nothing' };
  }

  /** An edge that is alive and has not answered may have the call: it hangs, or has just lost its way to Redis. */
  private async checkSilent(look: CallLook, replied: ReadonlySet<string>, isLate: boolean): Promise<void> {
    const edges = await this.fleet.edges();
    const silent = edges.filter(({ owner, isAlive }) => isAlive && !replied.has(owner));
    if (silent.length === 0) return;
    const owners = silent.map(({ owner }) => owner);
    if (!isLate && !(await this.fleet.listsCall(owners, look))) return;
    throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'An edge does not answer');
  }
}

/** Undefined: that edge has no such call. */
function resultOf({ found, call }: CallLookReply): LookResult | undefined {
  if (found === 'nothing') return undefined;
  if (found === 'recorded') return { found };
  if (found === 'busy' || call === undefined)
    throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'Too many look at calls of its edge');
  return { found, call };
}
