import { randomUUID } from 'node:crypto';
import type { Redis } from '../../base/redis.js';
import {
  type CallAction,
  type CallControlReply,
  callControlChannel,
  callControlReplyKey,
  callControlReplySchema,
} from '../../contract/call-control.js';
import { readJson } from '../../contract/read-json.js';
import { DemarcError } from '../../errors.js';
import { askEdges } from './ask-edges.js';
import type { FleetReader } from './fleet-reader.js';

/** The first digit may wait for the agent's audio, or for the trunk's answer to an INFO. */
const waitMilliseconds = 9_000;

/** Sends commands for active calls, inbound and outbound, to the edges. */
export class CallControls {
  constructor(
    readonly redis: Redis,
    readonly fleet: Pick<FleetReader, 'edges' | 'listsCall'>,
  ) {}

  /**
   * False: no edge has such a call of the organization. Throws `DemarcError`: `CALL_NOT_READY` when the call is in no state
   * for it, `CALL_ACTION_FAILED`, `LIVE_CALL_UNAVAILABLE`, or `CALLS_UNAVAILABLE` when Redis does not answer.
   */
  async act(organizationId: string, callId: string, action: CallAction): Promise<boolean> {
    return (await this.ask(organizationId, callId, action)) !== undefined;
  }

  /** As `act`, with the reply of the edge; undefined: no edge has such a call. */
  async ask(
    organizationId: string,
    callId: string,
    action: CallAction,
  ): Promise<CallControlReply | undefined> {
    const call = { call_id: callId, organization: organizationId };
    const requestId = randomUUID();
    const reply = await askEdges(this, {
      channel: callControlChannel,
      message: JSON.stringify({ request_id: requestId, ...call, ...action }),
      replyKey: callControlReplyKey(requestId),
      read: (json) => {
        const read = readJson(callControlReplySchema, json);
        return { owner: read?.owner, result: read?.result === 'unknown' ? undefined : read };
      },
      call,
      waitMilliseconds,
    }).catch((error: unknown) => {
      throw error instanceof DemarcError ? error : new DemarcError('CALLS_UNAVAILABLE');
    });
    if (reply === undefined) return undefined;
    if (reply.result === 'conflict') throw new DemarcError('CALL_NOT_READY', reply.detail ?? undefined);
    if (reply.result === 'failed') throw new DemarcError('CALL_ACTION_FAILED', reply.detail ?? undefined);
    return reply;
  }
}
