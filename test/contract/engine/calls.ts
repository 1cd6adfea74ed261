import { tagOf } from '../../../src/sip/address.js';
import type { SipRequest, SipResponse } from '../../../src/sip/message.js';
import type { Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { type MessageOptions, PeerCall, sdp } from '../../support/peer-call.js';
import {
  dialogOf,
  type Frame,
  type HeaderLines,
  type SipFrame,
  type WireClient,
} from '../../support/wire-client.js';

export interface UasLeg {
  readonly invite: SipFrame<SipRequest>;
  /** Reply to the app's 200. */
  readonly reply: Frame;
  readonly answer: Arrival<SipResponse>;
  readonly ack: SipFrame<SipRequest>;
  readonly dialogId: string;
}

/** A call from the peer, answered by the app with 200 and acknowledged. */
export async function establishUas(
  wire: WireClient,
  call: PeerCall,
  options: { invite?: MessageOptions; headers?: HeaderLines } = {},
): Promise<UasLeg> {
  await call.invite(options.invite);
  const invite = await wire.expectRequest('INVITE');
  const reply = await wire.respond(invite, 200, { headers: options.headers ?? {}, body: sdp('2') });
  const answer = await call.response(200);
  await call.ack(answer.message);
  const ack = await wire.expectRequest('ACK');
  return { invite, reply, answer, ack, dialogId: dialogOf(ack) };
}

export interface UacLeg {
  readonly call: PeerCall;
  readonly invite: Arrival<SipRequest>;
  readonly reply: Frame;
  readonly transaction: string;
  readonly answer: SipFrame<SipResponse>;
  readonly ack: Arrival<SipRequest>;
  readonly dialogId: string;
}

/** A call from the app, answered by the peer with 200 and acknowledged. */
export async function establishUac(
  wire: WireClient,
  peer: SipPeer,
  options: { headers?: Record<string, string>; answer?: MessageOptions; nextHop?: string; uri?: string } = {},
): Promise<UacLeg> {
  const uri = options.uri ?? peer.uri('bob');
  const reply = await wire.newRequest(
    `INVITE ${uri} SIP/2.0`,
    { From: '<sip:app@localhost>', To: `<${uri}>`, Contact: '<sip:app@localhost>', ...options.headers },
    sdp('3'),
    options.nextHop,
  );
  if (reply.fields[3] !== 'OK') throw new Error(`INVITE was not sent: ${reply.fields.slice(3).join('|')}`);
  const invite = await peer.expectRequest('INVITE');
  const call = PeerCall.from(peer, invite.message);
  await call.respond(invite, 200, { body: sdp('4'), ...options.answer });
  const transaction = reply.fields[10] ?? '';
  const answer = await wire.expectResponse({ status: 200, transaction });
  const dialogId = dialogOf(answer);
  await wire.inDialog(dialogId, 'ACK');
  const ack = await peer.expectRequest('ACK', { callId: call.callId });
  call.remoteTag = tagOf(invite.message.headers.get('From') ?? '');
  return { call, invite, reply, transaction, answer, ack, dialogId };
}

/** The peer ends the call, the app says 200. */
export async function hangUpAtPeer(wire: WireClient, call: PeerCall): Promise<void> {
  await call.send('BYE');
  await wire.respond(await wire.expectRequest('BYE'), 200);
  await call.response(200, 'BYE');
}

/** The app ends the call, the peer says 200. */
export async function hangUpAtApp(wire: WireClient, call: PeerCall, dialogId: string): Promise<SipRequest> {
  const reply = await wire.inDialog(dialogId, 'BYE');
  const bye = await call.peer.expectRequest('BYE', { callId: call.callId });
  await call.respond(bye, 200);
  await wire.expectResponse({ status: 200, transaction: reply.fields[10] ?? '' });
  return bye.message;
}

/** Waits for the request at one of several apps, answers it there and says which it was. */
export async function ask<Name extends string>(
  method: string,
  apps: Readonly<Record<Name, WireClient>>,
  status = 200,
  body?: string,
): Promise<Name> {
  const names = Object.keys(apps) as Name[];
  const end = Date.now() + 5_000;
  for (;;) {
    for (const name of names) {
      const isWaiting = apps[name].frames.pending.some(
        (frame) => frame.message?.kind === 'request' && frame.message.method === method,
      );
      if (!isWaiting) continue;
      const frame = await apps[name].expectRequest(method);
      await apps[name].respond(frame, status, body === undefined ? {} : { body });
      return name;
    }
    if (Date.now() > end) throw new Error(`${method} reached none of ${names.join(', ')}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Transaction id of the reply to an app's request. */
export const sentTransaction = (reply: Frame): string => reply.fields[10] ?? '';
