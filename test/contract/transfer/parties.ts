import { expect } from 'vitest';
import type { PeerCall } from '../../support/peer-call.js';

/** The dialog of a party as we know it, as the value of Replaces: our tag is the to-tag. */
export const dialogOf = ({ callId, localTag, remoteTag }: PeerCall): string =>
  `${callId};to-tag=${remoteTag};from-tag=${localTag}`;

/** A Refer-To that names that dialog, at us. */
export const referTo = (party: PeerCall): string =>
  `<sip:demarc@127.0.0.1?Replaces=${encodeURIComponent(dialogOf(party))}>`;

/** The status line that the next NOTIFY brings to the transferor. */
export async function notified(by: PeerCall): Promise<string> {
  const notify = await by.peer.expectRequest('NOTIFY', { callId: by.callId });
  await by.respond(notify, 200);
  return notify.message.body.trim();
}

/** The re-INVITE that moves a party to another one; the offer. */
export async function moved(
  party: PeerCall,
  answer: (offer: string) => string,
  status = 200,
): Promise<string> {
  const invite = await party.peer.expectRequest('INVITE', { callId: party.callId });
  await party.respond(invite, status, status === 200 ? { body: answer(invite.message.body) } : {});
  await party.peer.expectRequest('ACK', { callId: party.callId });
  return invite.message.body;
}

export const answerBye = async (of: PeerCall): Promise<void> => {
  await of.respond(await of.peer.expectRequest('BYE', { callId: of.callId }), 200);
};

export async function refer(by: PeerCall, to: string, status = 202): Promise<void> {
  await by.send('REFER', { headers: { 'Refer-To': to } });
  expect((await by.response(status, 'REFER')).message.status).toBe(status);
}
