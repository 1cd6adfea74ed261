import { randomUUID } from 'node:crypto';
import type { Redis } from '../../base/redis.js';
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
import { askEdges } from './ask-edges.js';
import type { FleetReader } from './fleet-reader.js';

export type LookResult =
  | { readonly found: 'call'; readonly call: CallSnapshot }
  /** The call has ended; its record will be stored shortly. */
  | { readonly found: 'recorded' }
  | { readonly found: 'nothing' };

/** Concurrent lookups: each may return a megabyte. */
const maximumLooks = 32;
/** Asks the edges for a call that has no record yet. */
export class LiveCallReader {
  /** Concurrent lookups of the same call share one answer. */
  private readonly looks = new Map<string, Promise<LookResult>>();

  constructor(
    readonly redis: Redis,
    readonly fleet: Pick<FleetReader, 'edges' | 'listsCall'>,
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
      throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'too many trace requests');
    const look = this.ask({ look_id: randomUUID(), call_id: callId, organization: organizationId })
      .catch((error: unknown) => {
        throw error instanceof DemarcError ? error : new DemarcError('LIVE_STATE_UNAVAILABLE');
      })
      .finally(() => this.looks.delete(key));
    this.looks.set(key, look);
    return look;
  }

  private async ask(look: CallLook): Promise<LookResult> {
    const result = await askEdges(this, {
      channel: callLookChannel,
      message: JSON.stringify(look),
      replyKey: callLookReplyKey(look.look_id),
      read: (json) => {
        const reply = readJson(callLookReplySchema, json);
        return { owner: reply?.owner, result: reply && resultOf(reply) };
      },
      call: look,
    });
    return result ?? { found: 'nothing' };
  }
}

/** Undefined: that edge has no such call. */
function resultOf({ found, call }: CallLookReply): LookResult | undefined {
  if (found === 'nothing') return undefined;
  if (found === 'recorded') return { found };
  if (found === 'busy' || call === undefined)
    throw new DemarcError('LIVE_CALL_UNAVAILABLE', 'too many trace requests to its edge');
  return { found, call };
}
