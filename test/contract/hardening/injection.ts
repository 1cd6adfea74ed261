import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '../../../src/sip/message.js';
import { serialize } from '../../../src/sip/serialize.js';
import type { Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { calledNumber, type Stage } from './stage.js';
import { usualStage } from './usual-stage.js';

let stage: Stage;
/** A new one for each test: what cannot be read ends its connection. */
let trunk: SipPeer;
beforeAll(async () => {
  stage = await usualStage.take();
});
beforeEach(async () => {
  trunk = await stage.peer('tcp');
});
afterAll(() => stage.expectNothingLeft());

/** Sends an INVITE whose text was altered; nothing is waited for. */
async function altered(alter: (text: string) => string): Promise<PeerCall> {
  const call = PeerCall.to(trunk, calledNumber);
  call.invitation = call.build('INVITE', { body: trunkDescription() });
  const text = alter(serialize(call.invitation));
  const length = Buffer.byteLength(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1');
  await trunk.send(Buffer.from(text.replace(/Content-Length: \d+/, `Content-Length: ${length}`), 'latin1'));
  return call;
}

/** Adds a header line as it stands. */
const withLine =
  (line: string) =>
  (text: string): string =>
    text.replace('\r\nCSeq:', `\r\n${line}\r\nCSeq:`);

async function refusedByAgent(call: PeerCall): Promise<Arrival<SipRequest>> {
  const invite = await stage.agent.expectRequest('INVITE');
  const agent = PeerCall.from(stage.agent, invite.message);
  await agent.respond(invite, 486);
  await stage.agent.expectRequest('ACK', { callId: agent.callId });
  await call.ack((await call.response(486)).message);
  await stage.record(call.callId);
  return invite;
}

const headNames = (text: string): string[] =>
  text
    .slice(0, text.indexOf('\r\n\r\n'))
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(':', 1)[0]!.toLowerCase());

describe('line ends that do not belong into a value', () => {
  it.each([
    ['a bare LF in an X- header', withLine('X-Customer: 1\nX-Evil: 1')],
    ['a bare CR in an X- header', withLine('X-Customer: 1\rX-Evil: 1')],
    ['a bare LF in a display name', (text: string) => text.replace('From: <', 'From: "a\nX-Evil: 1" <')],
    ['a zero octet', withLine('X-Customer: a\0b')],
  ])('%s: 400, and the agent hears nothing', async (_name, alter) => {
    const call = await altered(alter);
    const final = await call.response((status) => status >= 200);
    expect(final.message.status).toBe(400);
    expect(final.text).not.toMatch(/^X-Evil/m);
    await stage.agent.expectNothing(() => true, 100, 'Nothing reaches the agent');
  });

  it.each([
    [
      'escaped in the user part',
      (text: string) => text.replaceAll(`sip:${calledNumber}@`, `sip:${calledNumber};x=%0d%0aX-Evil:%201@`),
    ],
    ['escaped in the caller', (text: string) => text.replaceAll('sip:alice@', 'sip:al%0d%0aX-Evil:%201@')],
    [
      'as Unicode in a display name',
      (text: string) => text.replace('From: <', 'From: "a\xe2\x80\xa8X-Evil: 1\xc2\x85X-Evil: 2" <'),
    ],
    ['folded', withLine('X-Customer: one\r\n X-Evil: 1\r\n\tVia: none')],
    ['escaped in an X- header', withLine('X-Customer: one\\r\\nX-Evil: 1%0d%0aX-Evil: 1')],
  ])('%s: no header of the agent’s INVITE comes of it', async (_name, alter) => {
    const call = await altered(alter);
    const invite = await refusedByAgent(call);
    expect(headNames(invite.text)).not.toContain('x-evil');
    expect(headNames(invite.text).filter((name) => name === 'via')).toHaveLength(1);
  });

  it('headers that pretend to be ours, and hidden credentials, do not reach the agent', async () => {
    const lines = [
      'x-demarc-org: forged',
      'X-DEMARC-Number: forged',
      'Authorization: Digest username="a", response="0badcafe"',
      'Proxy-Authorization: Digest username="a", response="0badcafe"',
      'Route: <sip:forged.example.com;lr>',
      'Record-Route: <sip:127.0.0.1:9;lr>',
    ];
    const call = await altered(withLine(lines.slice(0, 4).concat(lines[5]!).join('\r\n')));
    const { text } = await refusedByAgent(call);
    expect(text).not.toMatch(/forged|0badcafe|Authorization|127\.0\.0\.1:9;/);
    expect(headNames(text).filter((name) => name.startsWith('x-demarc-call'))).toHaveLength(1);
  });
});

describe('content of a session description', () => {
  it('a message hidden in it is never parsed as one, nor forwarded to the agent', async () => {
    const hidden = `OPTIONS sip:hidden@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bKhidden\r\n\r\n`;
    const call = await altered((text) => `${text}${hidden}`);
    const invite = await refusedByAgent(call);
    expect(invite.text).not.toContain('hidden');
    expect(trunk.all((message) => message.headers.get('Via')?.includes('hidden') === true)).toEqual([]);
  });

  it('addresses, origin and name of one side are not disclosed to the other', async () => {
    const call = PeerCall.to(trunk, calledNumber);
    await call.invite({ body: trunkDescription({ host: '10.99.98.97' }) });
    const invite = await stage.agent.expectRequest('INVITE');
    expect(invite.message.body).not.toMatch(/10\.99\.98\.97|somebody|A private name/);
    const agent = PeerCall.from(stage.agent, invite.message);
    await agent.respond(invite, 200, {
      body: agentDescription({ host: '10.11.12.13' }),
      headers: { Server: 'agent/1.0 on 10.11.12.13', 'X-Internal': 'secret', Warning: '399 10.11.12.13 "x"' },
    });
    const ok = await call.response(200);
    expect(ok.text).not.toMatch(/10\.11\.12\.13|agent\/1\.0|X-Internal|somebody|A private name/);
    await call.ack(ok.message);
    await stage.agent.expectRequest('ACK', { callId: agent.callId });
    await stage.hangUp({ trunk: call, agent, invite });
    await stage.record(call.callId);
  });
});

describe('headers that must stand once', () => {
  it.each([
    'Call-ID: another',
    'CSeq: 9 INVITE',
    'From: <sip:b@c>;tag=9',
    'To: <sip:b@c>',
    'Max-Forwards: 7',
  ])('a second %s: 400', async (line) => {
    const call = await altered((text) => text.replace('\r\nContent-Type', `\r\n${line}\r\nContent-Type`));
    expect((await trunk.expectResponse((status) => status >= 200)).message.status).toBe(400);
    await stage.agent.expectNothing(() => true, 50, 'Nothing reaches the agent');
    expect(call.callId).not.toBe('');
  });
});
