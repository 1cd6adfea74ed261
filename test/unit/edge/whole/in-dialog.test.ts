import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { directionOf, readSession } from '../../../../src/sdp/sdp.js';
import { agentDescription, keyLine, trunkDescription } from '../../../contract/media/descriptions.js';
import type { PeerCall } from '../../../support/peer-call.js';
import { answerBye, type TwoLegs, UnitCallBench } from './call-bench.js';

let bench: UnitCallBench;
let legs: TwoLegs;
beforeAll(async () => {
  bench = await UnitCallBench.start();
});
afterAll(() => bench?.stop());
beforeEach(async () => {
  legs = await bench.establish();
});
afterEach(() => bench.expectNothingLeft());

const direction = (body: string): string => {
  const session = readSession(body)!;
  return directionOf(session, session.media[0]!);
};

const end = async (): Promise<void> => {
  await bench.hangUp(legs.trunk, legs.agent);
  await bench.record();
};

const secureAnswer = (offered: string, attributes: readonly string[] = []): string =>
  trunkDescription({ version: 5, crypto: [keyLine(offered, 'C'.repeat(40))], attributes });

/** One side's re-INVITE, answered by the other with 200. Returns what each received. */
async function exchange(
  asker: PeerCall,
  answerer: PeerCall,
  offer: string,
  answer: (offered: string) => string,
): Promise<{ offered: string; answered: string }> {
  await asker.send('INVITE', { body: offer });
  const invite = await answerer.peer.expectRequest('INVITE', { callId: answerer.callId });
  await answerer.respond(invite, 200, { body: answer(invite.message.body) });
  await answerer.peer.expectRequest('ACK', { callId: answerer.callId });
  const ok = await asker.response(200);
  await asker.ack(ok.message);
  return { offered: invite.message.body, answered: ok.message.body };
}

const final = async (asker: PeerCall, method = 'INVITE') => {
  const { message } = await asker.response((status) => status >= 200, method);
  if (method === 'INVITE') await asker.ack(message);
  return message;
};

describe('a re-INVITE', () => {
  test('of the caller puts the agent on hold and takes it back', async () => {
    const { trunk, agent } = legs;
    const hold = trunkDescription({ version: 2, attributes: ['a=sendonly'] });
    const held = await exchange(trunk, agent, hold, () =>
      agentDescription({ version: 2, attributes: ['a=sendrecv'] }),
    );
    expect([direction(held.offered), direction(held.answered)]).toEqual(['sendonly', 'recvonly']);
    const resume = trunkDescription({ version: 3, attributes: ['a=sendrecv'] });
    const resumed = await exchange(trunk, agent, resume, () => agentDescription({ version: 3 }));
    expect([direction(resumed.offered), direction(resumed.answered)]).toEqual(['sendrecv', 'sendrecv']);
    await end();
  });

  test('of the agent reaches the caller as SRTP', async () => {
    const { trunk, agent } = legs;
    const hold = agentDescription({ version: 2, attributes: ['a=sendonly'] });
    const held = await exchange(agent, trunk, hold, (offered) => secureAnswer(offered, ['a=recvonly']));
    expect(readSession(held.offered)!.media[0]!.protocol).toBe('RTP/SAVP');
    expect(direction(held.answered)).toBe('recvonly');
    await end();
  });

  test('leaves the session when the other side refuses it, and another one succeeds', async () => {
    const { trunk, agent } = legs;
    await trunk.send('INVITE', { body: trunkDescription({ version: 2, formats: '8' }) });
    await agent.respond(await bench.agent.expectRequest('INVITE', { callId: agent.callId }), 488);
    expect((await final(trunk)).status).toBe(488);
    const changed = await exchange(
      trunk,
      agent,
      trunkDescription({ version: 3, formats: '8 101', port: 45_678 }),
      () => agentDescription({ version: 3, formats: '8 101' }),
    );
    expect(readSession(changed.offered)!.media[0]!.formats).toEqual(['8', '101']);
    await end();
  });

  test.each([
    ['plain RTP', () => agentDescription({ version: 2 })],
    [
      'fax',
      () =>
        'v=0\r\no=f 1 2 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=image 4000 udptl t38\r\n',
    ],
  ])('to %s gets 488, and the agent hears nothing of it', async (_what, body) => {
    await legs.trunk.send('INVITE', { body: body() });
    const refused = await final(legs.trunk);
    expect([refused.status, refused.headers.get('Warning')]).toEqual([
      488,
      expect.stringMatching(/^30[45] /),
    ]);
    await end();
  });

  test('ends the call when the caller answers it without SRTP', async () => {
    const { trunk, agent } = legs;
    await agent.send('INVITE', { body: agentDescription({ version: 2, formats: '8 101' }) });
    const invite = await bench.trunk.expectRequest('INVITE', { callId: trunk.callId });
    await trunk.respond(invite, 200, { body: agentDescription({ formats: '8 101' }) });
    await answerBye(trunk);
    await final(agent);
    await answerBye(agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed' });
  });

  test('without a description gets our offer, and its ACK brings the answer', async () => {
    const { trunk, agent } = legs;
    await trunk.send('INVITE');
    const asked = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    expect(asked.message.body).toBe('');
    await agent.respond(asked, 200, { body: agentDescription({ version: 2 }) });
    const ok = await trunk.response(200);
    expect(ok.message.body).toContain('RTP/SAVP');
    await trunk.ack(ok.message, {
      body: trunkDescription({ version: 2, crypto: [keyLine(ok.message.body)] }),
    });
    const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect(ack.message.body).toContain('RTP/AVP');
    await end();
  });

  test('without a description that the other side refuses is refused, and the call stays', async () => {
    const { trunk, agent } = legs;
    await trunk.send('INVITE');
    await agent.respond(await bench.agent.expectRequest('INVITE', { callId: agent.callId }), 491);
    expect((await final(trunk)).status).toBeGreaterThanOrEqual(488);
    await end();
  });

  test('of both sides at once: one has to wait', async () => {
    const { trunk, agent } = legs;
    await trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const open = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.send('INVITE', { body: agentDescription({ version: 2 }) });
    expect((await final(agent)).status).toBe(491);
    await agent.respond(open, 200, { body: agentDescription({ version: 3, attributes: ['a=recvonly'] }) });
    expect((await final(trunk)).status).toBe(200);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await end();
  });

  test('ends with the call when its sender hangs up before the answer', async () => {
    const { trunk, agent } = legs;
    await trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const open = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(open, 180);
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await agent.respond(open, 487);
    await answerBye(agent);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });
});

describe('an UPDATE', () => {
  test('without a description is answered here', async () => {
    await legs.trunk.send('UPDATE');
    expect((await final(legs.trunk, 'UPDATE')).status).toBe(200);
    await end();
  });

  test('with a description crosses to the other side', async () => {
    const { trunk, agent } = legs;
    await trunk.send('UPDATE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const invite = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(invite, 200, { body: agentDescription({ version: 2, attributes: ['a=recvonly'] }) });
    const answer = await final(trunk, 'UPDATE');
    expect([answer.status, direction(answer.body)]).toEqual([200, 'recvonly']);
    await end();
  });
});

describe('other requests within the call', () => {
  test('INFO crosses in both directions, with its answer', async () => {
    const { trunk, agent } = legs;
    await trunk.send('INFO', { headers: { 'Content-Type': 'application/dtmf-relay' }, body: 'Signal=5\r\n' });
    const atAgent = await bench.agent.expectRequest('INFO', { callId: agent.callId });
    expect(atAgent.message.body).toBe('Signal=5\r\n');
    await agent.respond(atAgent, 200);
    expect((await final(trunk, 'INFO')).status).toBe(200);
    await agent.send('INFO', { headers: { 'Content-Type': 'text/plain' }, body: 'x' });
    await trunk.respond(await bench.trunk.expectRequest('INFO', { callId: trunk.callId }), 403);
    expect((await final(agent, 'INFO')).status).toBe(403);
    await end();
  });

  test.each([
    ['OPTIONS', 200],
    ['REFER', 603],
    ['MESSAGE', 405],
    ['NOTIFY', 481],
    ['SUBSCRIBE', 481],
  ])('%s of either side is answered with %i', async (method, status) => {
    const headers = { 'Refer-To': '<sip:x@127.0.0.1>', Event: 'refer', 'Subscription-State': 'active' };
    for (const side of [legs.trunk, legs.agent]) {
      await side.send(method, { headers });
      expect((await final(side, method)).status).toBe(status);
    }
    await end();
  });
});
