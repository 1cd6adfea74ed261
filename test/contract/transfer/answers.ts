import { expect } from 'vitest';
import { directionOf, readSession } from '../../../src/sdp/sdp.js';
import type { PeerCall } from '../../support/peer-call.js';
import { keyLine, trunkDescription } from '../media/descriptions.js';

/** A trunk's answer to our offer: the same tag, another key. */
export function secureAnswer(offered: string): string {
  return trunkDescription({ version: 5, crypto: [keyLine(offered, 'C'.repeat(40))] });
}

/** Hold by one party of a call crosses to the other: they are each other's far sides. */
export async function holdCrosses(asker: PeerCall, answerer: PeerCall): Promise<void> {
  await asker.send('INVITE', { body: trunkDescription({ version: 9, attributes: ['a=sendonly'] }) });
  const invite = await answerer.peer.expectRequest('INVITE', { callId: answerer.callId });
  const session = readSession(invite.message.body)!;
  expect(directionOf(session, session.media[0]!)).toBe('sendonly');
  await answerer.respond(invite, 200, { body: secureAnswer(invite.message.body) });
  await answerer.peer.expectRequest('ACK', { callId: answerer.callId });
  const ok = await asker.response(200);
  await asker.ack(ok.message);
}
