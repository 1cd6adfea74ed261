import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serialize } from '../../../src/sip/serialize.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { newToken, PeerCall } from '../../support/peer-call.js';
import { trunkDescription } from '../media/descriptions.js';
import { calledNumber, type Stage, type TwoLegs } from './stage.js';
import { usualStage } from './usual-stage.js';

let stage: Stage;
let trunk: SipPeer;
let stranger: SipPeer;
beforeAll(async () => {
  stage = await usualStage.take();
  trunk = await stage.peer('tcp');
  stranger = await stage.peer('tcp');
});
afterAll(() => stage.expectNothingLeft());

/** An attacker's view of the caller's dialog: known values replace the invented ones. */
function forged(names: Partial<Pick<PeerCall, 'callId' | 'localTag' | 'remoteTag'>>): PeerCall {
  return Object.assign(PeerCall.to(stranger, calledNumber), names);
}

/** The attacker's request gets that status, and never a session description. */
async function expectRefusal(call: PeerCall, method: string, status: number): Promise<void> {
  const body = method === 'BYE' ? {} : { body: trunkDescription({ version: 9, port: 45_678 }) };
  await call.send(method, { cseq: 500, ...body });
  const final = await call.response((each) => each >= 200, method);
  if (method === 'INVITE') {
    call.invitation = call.build('INVITE', { cseq: 500, branch: branchOf(final.text) });
    await call.ack(final.message);
  }
  expect(final.message.status).toBe(status);
  expect(final.message.body).toBe('');
  expect(final.text).not.toContain('inline:');
}

const branchOf = (text: string): string => /branch=([^;\r\n]+)/.exec(text)![1]!;

async function expectUntouched(legs: TwoLegs): Promise<void> {
  await stage.agent.expectNothing(() => true, 100, 'Nothing reaches the agent');
  await legs.trunk.send('INFO', {
    body: 'Signal=5',
    headers: { 'Content-Type': 'application/dtmf-relay' },
  });
  await legs.agent.respond(await stage.agent.expectRequest('INFO'), 200);
  await legs.trunk.response(200, 'INFO');
  await stage.hangUp(legs);
  const record = await stage.record(legs.trunk.callId);
  expect(record).toMatchObject({ end_reason: 'caller_hung_up' });
  const ofCaller = record.trace.filter(({ leg }) => leg === 'trunk').map(({ summary }) => summary);
  expect(ofCaller[0]).toBe('INVITE');
  expect(ofCaller.slice(-2)).toEqual(['BYE', '200 OK']);
}

describe('a request of an attacker that knows the Call-ID', () => {
  it.each(['INVITE', 'UPDATE', 'BYE', 'INFO'])(
    '%s with wrong tags: 481, no description, no effect',
    async (method) => {
      const legs = await stage.establish(trunk);
      const { callId, localTag, remoteTag } = legs.trunk;
      await expectRefusal(forged({ callId, remoteTag: newToken() }), method, 481);
      await expectRefusal(forged({ callId, localTag, remoteTag: newToken() }), method, 481);
      await expectRefusal(forged({ callId, remoteTag: remoteTag! }), method, 481);
      await expectUntouched(legs);
    },
  );

  it('CANCEL and ACK with another branch: no effect', async () => {
    const legs = await stage.establish(trunk);
    const { callId, localTag, remoteTag } = legs.trunk;
    const cancel = forged({ callId, localTag });
    await cancel.send('CANCEL', { cseq: 1 });
    await cancel.response(481, 'CANCEL');
    await forged({ callId, localTag, remoteTag: remoteTag! }).send('ACK', { cseq: 77 });
    await expectUntouched(legs);
  });

  it('a new INVITE with that Call-ID is a separate call with separate media', async () => {
    const legs = await stage.establish(trunk);
    await stage.configure({ inbound: [{ id: 'trunk', allowed_sources: ['198.51.100.7'] }] });
    await expectRefusal(forged({ callId: legs.trunk.callId }), 'INVITE', 403);
    expect(await stage.record(legs.trunk.callId)).toMatchObject({ end_reason: 'refused_source' });
    await stage.configure({});
    await expectUntouched(legs);
  });

  it('cannot guess our tags', async () => {
    const tags = new Set<string>();
    for (let count = 0; count < 3; count++) {
      const legs = await stage.establish(trunk);
      tags.add(legs.trunk.remoteTag!).add(legs.agent.remoteTag!);
      await stage.hangUp(legs);
    }
    expect(tags.size).toBe(6);
    for (const tag of tags) expect(tag.length).toBeGreaterThanOrEqual(13);
  });
});

describe('an unauthorized transfer', () => {
  const target = 'sip:+4990012345@premium.example.com';

  it('REFER in a call gets 603, and no call is placed', async () => {
    const legs = await stage.establish(trunk);
    await legs.trunk.send('REFER', { headers: { 'Refer-To': `<${target}>` } });
    await legs.trunk.response(603, 'REFER');
    await expectUntouched(legs);
  });

  it('REFER outside a call is refused, and no call is placed', async () => {
    const call = PeerCall.to(stranger, calledNumber);
    await call.send('REFER', { headers: { 'Refer-To': `<${target}>` } });
    const final = await call.response((status) => status >= 200, 'REFER');
    expect(final.message.status).toBe(405);
    await stage.agent.expectNothing(() => true, 100, 'No agent is called');
  });

  it('Replaces takes over no call of a number that does not allow it, nor with wrong tags', async () => {
    const legs = await stage.establish(trunk);
    const { callId, localTag, remoteTag } = legs.trunk;
    const wrongTags = [
      `to-tag=${localTag};from-tag=${remoteTag}`,
      `to-tag=${newToken()};from-tag=${localTag}`,
    ];
    for (const [tags, status] of [
      [`to-tag=${remoteTag};from-tag=${localTag}`, 403],
      [`to-tag=${remoteTag}`, 400],
      ...wrongTags.map((tags) => [tags, 481] as const),
    ] as const) {
      const call = await stage.call(stranger, { Replaces: `${callId};${tags}`, Require: 'replaces' });
      await call.ack((await call.response(status)).message);
      await stage.record(call.callId);
    }
    await expectUntouched(legs);
  });

  it('a redirection by the agent leads the caller nowhere', async () => {
    const call = await stage.call(trunk);
    const invite = await stage.agent.expectRequest('INVITE');
    const agent = PeerCall.from(stage.agent, invite.message);
    await agent.respond(invite, 302, { headers: { Contact: `<${target}>` } });
    const final = await call.response((status) => status >= 200);
    await call.ack(final.message);
    expect(final.message.status).toBeGreaterThanOrEqual(400);
    expect(final.text).not.toContain('premium');
    await stage.agent.expectRequest('ACK', { callId: agent.callId });
    await stage.record(call.callId);
  });
});

describe('who the caller is', () => {
  afterEach(() => stage.configure({}));

  it('is never taken from a header', async () => {
    await stage.configure({ inbound: [{ id: 'trunk', allowed_sources: ['198.51.100.7'] }] });
    const call = PeerCall.to(trunk, calledNumber);
    const invite = call.build('INVITE', {
      body: trunkDescription(),
      headers: {
        'X-Forwarded-For': '198.51.100.7',
        'X-Real-IP': '198.51.100.7',
        Forwarded: 'for=198.51.100.7',
        Contact: '<sip:trunk@198.51.100.7>',
      },
    });
    call.invitation = invite;
    const text = serialize(invite).replace(/^(Via: [^\r]*)/m, '$1;received=198.51.100.7;rport=5061');
    await trunk.send(text);
    await call.ack((await call.response(403)).message);
    expect(await stage.record(call.callId)).toMatchObject({ source: { address: '127.0.0.1' } });
  });

  it('is not believed over UDP, where a source can be forged, but is over TCP', async () => {
    await stage.configure({ inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }] });
    const datagrams = await stage.peer('udp');
    const call = await stage.call(datagrams);
    await call.ack((await call.response(403)).message);
    expect((await stage.record(call.callId)).detail).toMatch(/UDP/);
    expect((await stage.callAndHangUp(trunk)).outcome).toBe('completed');
  });

  it('is checked for each call: a source removed from the list is refused, its active call continues', async () => {
    await stage.configure({ inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }] });
    const legs = await stage.establish(trunk);
    await stage.configure({ inbound: [{ id: 'trunk', allowed_sources: ['198.51.100.7'] }] });
    const refused = await stage.call(trunk);
    await refused.ack((await refused.response(403)).message);
    await stage.record(refused.callId);
    await expectUntouched(legs);
  });
});
