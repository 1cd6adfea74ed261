import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerChallenge,
  formatCredentials,
  parseChallenges,
  selectChallenge,
} from '../../src/sip/digest.js';
import { respondTo } from '../../src/sip/response.js';
import { serialize } from '../../src/sip/serialize.js';
import { type Arrival, SipPeer } from '../../src/testkit/sip-peer.js';
import { newToken, PeerCall } from '../../test/support/peer-call.js';

export interface DrivenCall {
  /** Called number, digits without plus. */
  readonly number: string;
  readonly description: string;
  /** Of an answered call, until the caller hangs up. */
  readonly seconds?: number;
  /** Answers challenges twice, as PBXs do. */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const finalMilliseconds = 30_000;
const triesOfCredentials = 2;

/** One call of a scripted caller without audio; resolves with the final status, after the call. */
export async function driveCall(peer: SipPeer, wanted: DrivenCall): Promise<number> {
  const call = PeerCall.to(peer, wanted.number);
  const send = async (authorization?: string) => {
    call.remoteTag = undefined;
    await call.invite({
      body: wanted.description,
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
    const { message } = await call.response((status) => status >= 200, 'INVITE', finalMilliseconds);
    await call.ack(message);
    return message;
  };
  let answer = await send();
  for (let tried = 0; tried < triesOfCredentials && answer.status === 401; tried++) {
    const challenge = selectChallenge(parseChallenges(answer.headers.lines('WWW-Authenticate')));
    if (wanted.credentials === undefined || challenge === undefined) break;
    const credentials = answerChallenge(challenge, {
      ...wanted.credentials,
      method: 'INVITE',
      uri: call.target,
      cnonce: newToken(),
      nonceCount: 1,
      body: wanted.description,
    });
    answer = await send(formatCredentials(credentials!));
  }
  if (answer.status !== 200) return answer.status;
  const bye = peer
    .expectRequest('BYE', { callId: call.callId, milliseconds: finalMilliseconds })
    .catch(() => undefined);
  const ended = await Promise.race([bye, sleep(1_000 * (wanted.seconds ?? 1), undefined)]);
  if (ended === undefined) await call.hangUp();
  else await call.respond(ended, 200);
  return answer.status;
}

/** A server of a trunk that answers OPTIONS, and refuses every INVITE. */
export function refusingTrunk(status: number, options: Parameters<typeof SipPeer.open>[0]): Promise<SipPeer> {
  const onArrival = ({ message, route }: Arrival): void => {
    if (message.kind !== 'request' || message.method === 'ACK') return;
    const answer = message.method === 'INVITE' ? status : 200;
    route.send(serialize(respondTo(message, answer, { toTag: 'trunk' })));
  };
  return SipPeer.open({ ...options, onArrival });
}
