import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cryptoLinesOf, directionOf, readSession } from '../../../src/sdp/sdp.js';
import type { PeerCall } from '../../support/peer-call.js';
import { agentDescription, keyLine, trunkDescription } from '../media/descriptions.js';
import type { CallBench, TwoLegs } from './bench.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;
beforeAll(async () => {
  bench = await plainBench.take();
});
afterEach(() => bench.expectNothingLeft());

const direction = (body: string): string => {
  const session = readSession(body)!;
  return directionOf(session, session.media[0]!);
};

const end = async ({ trunk, agent }: TwoLegs): Promise<void> => {
  await trunk.send('BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
  await bench.record();
};

/** One side's re-INVITE, answered by the other with 200. Returns what each received. */
async function exchange(
  asker: PeerCall,
  answerer: PeerCall,
  offer: string,
  answer: string | ((offered: string) => string),
): Promise<{ offered: string; answered: string }> {
  await asker.send('INVITE', { body: offer });
  const invite = await answerer.peer.expectRequest('INVITE', { callId: answerer.callId });
  const body = typeof answer === 'string' ? answer : answer(invite.message.body);
  await answerer.respond(invite, 200, { body });
  await answerer.peer.expectRequest('ACK', { callId: answerer.callId });
  const ok = await asker.response(200);
  await asker.ack(ok.message);
  return { offered: invite.message.body, answered: ok.message.body };
}

/** The trunk's answer to our offer: the same tag, another key. */
const secureAnswer = (offered: string, attributes: readonly string[] = []): string => {
  const crypto = [keyLine(offered, 'C'.repeat(40))];
  return trunkDescription({ version: 5, crypto, attributes });
};

describe('a re-INVITE without a description', () => {
  it('lets an offer follow at once, while the exchange on the other leg is still open', async () => {
    const legs = await bench.establish();
    const { trunk, agent } = legs;
    await trunk.send('INVITE');
    const asked = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(asked, 200, { body: agentDescription({ version: 2 }) });
    const ok = await trunk.response(200);
    const answer = trunkDescription({ version: 2, crypto: [keyLine(ok.message.body)] });
    // In one segment.
    void trunk.ack(ok.message, { body: answer });
    void trunk.send('INVITE', { body: trunkDescription({ version: 3, port: 41_300 }) });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const renewed = await bench.agent.expectRequest('INVITE', { callId: agent.callId });
    await agent.respond(renewed, 200, { body: agentDescription({ version: 3 }) });
    const final = await trunk.response((status) => status >= 200);
    await trunk.ack(final.message);
    expect(final.message.status).toBe(200);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await end(legs);
  });
});

describe('hold and resume', () => {
  it('by the caller: directions are mirrored as in RFC 3264', async () => {
    const legs = await bench.establish();
    const held = await exchange(
      legs.trunk,
      legs.agent,
      trunkDescription({ version: 2, attributes: ['a=sendonly'] }),
      agentDescription({ version: 2, attributes: ['a=recvonly'] }),
    );
    expect(direction(held.offered)).toBe('sendonly');
    expect(direction(held.answered)).toBe('recvonly');
    const resumed = await exchange(
      legs.trunk,
      legs.agent,
      trunkDescription({ version: 3, attributes: ['a=sendrecv'] }),
      agentDescription({ version: 3, attributes: ['a=sendrecv'] }),
    );
    expect(direction(resumed.offered)).toBe('sendrecv');
    expect(direction(resumed.answered)).toBe('sendrecv');
    await end(legs);
  });

  it('an agent that answers sendonly with sendrecv is corrected', async () => {
    const legs = await bench.establish();
    const held = await exchange(
      legs.trunk,
      legs.agent,
      trunkDescription({ version: 2, attributes: ['a=sendonly'] }),
      agentDescription({ version: 2, attributes: ['a=sendrecv'] }),
    );
    expect(direction(held.answered)).toBe('recvonly');
    await end(legs);
  });

  it('the old way, by 0.0.0.0, is understood', async () => {
    const legs = await bench.establish();
    const held = await exchange(
      legs.trunk,
      legs.agent,
      trunkDescription({ version: 2, host: '0.0.0.0' }),
      agentDescription({ version: 2, attributes: ['a=recvonly'] }),
    );
    expect(direction(held.offered)).toBe('sendonly');
    expect(held.answered).not.toContain('0.0.0.0');
    await end(legs);
  });

  it('by the agent: the caller is offered SRTP with one key of our suite', async () => {
    const legs = await bench.establish();
    const held = await exchange(
      legs.agent,
      legs.trunk,
      agentDescription({ version: 2, attributes: ['a=sendonly'] }),
      (offered) => secureAnswer(offered, ['a=recvonly']),
    );
    const [audio] = readSession(held.offered)!.media;
    expect(audio!.protocol).toBe('RTP/SAVP');
    expect(cryptoLinesOf(audio!).map(({ suite }) => suite)).toEqual(['AES_CM_128_HMAC_SHA1_80']);
    expect(direction(held.answered)).toBe('recvonly');
    await end(legs);
  });
});

describe('another change of the session', () => {
  it('of codec and port crosses, and the origin’s version grows', async () => {
    const legs = await bench.establish();
    const first = legs.invite.message.body.match(/^o=.*$/m)![0];
    const changed = await exchange(
      legs.trunk,
      legs.agent,
      trunkDescription({ version: 2, formats: '8 101', port: 45_678 }),
      agentDescription({ version: 2, formats: '8 101' }),
    );
    expect(readSession(changed.offered)!.media[0]!.formats).toEqual(['8', '101']);
    const second = changed.offered.match(/^o=.*$/m)![0];
    expect(second.split(' ')[1]).toBe(first.split(' ')[1]);
    expect(Number(second.split(' ')[2])).toBeGreaterThan(Number(first.split(' ')[2]));
    await end(legs);
  });

  it('leaves the session unchanged when the other leg refuses it', async () => {
    const legs = await bench.establish();
    await legs.trunk.send('INVITE', { body: trunkDescription({ version: 2, formats: '8' }) });
    const invite = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    await legs.agent.respond(invite, 488);
    const refused = await legs.trunk.response((status) => status >= 200);
    expect(refused.message.status).toBe(488);
    await legs.trunk.ack(refused.message);
    const again = await exchange(
      legs.trunk,
      legs.agent,
      trunkDescription({ version: 3, attributes: ['a=sendonly'] }),
      agentDescription({ version: 3, attributes: ['a=recvonly'] }),
    );
    expect(direction(again.answered)).toBe('recvonly');
    await end(legs);
  });

  it('to plain RTP, DTLS-SRTP or fax is refused with 488 and the call continues', async () => {
    const legs = await bench.establish();
    for (const body of [
      agentDescription({ version: 2 }),
      trunkDescription({
        version: 2,
        protocol: 'UDP/TLS/RTP/SAVP',
        crypto: ['a=setup:actpass', `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`],
      }),
      'v=0\r\no=f 1 2 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=image 4000 udptl t38\r\n',
    ]) {
      await legs.trunk.send('INVITE', { body });
      const refused = await legs.trunk.response((status) => status >= 200);
      expect(refused.message.status).toBe(488);
      expect(refused.message.headers.get('Warning')).toMatch(/^30[45] /);
      await legs.trunk.ack(refused.message);
    }
    await bench.agent.expectNothing(
      (m) => m.kind === 'request' && m.method === 'INVITE',
      100,
      'No INVITE at the agent',
    );
    await end(legs);
  });

  it('ends the call when the caller answers it without SRTP', async () => {
    const legs = await bench.establish();
    await legs.agent.send('INVITE', { body: agentDescription({ version: 2, formats: '8 101' }) });
    const invite = await bench.trunk.expectRequest('INVITE', { callId: legs.trunk.callId });
    await legs.trunk.respond(invite, 200, { body: agentDescription({ formats: '8 101' }) });
    await legs.trunk.respond(await bench.trunk.expectRequest('BYE', { callId: legs.trunk.callId }), 200);
    await legs.agent.respond(await bench.agent.expectRequest('BYE', { callId: legs.agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
  });

  it('from both sides at once is 491 to one of them', async () => {
    const legs = await bench.establish();
    await legs.trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const invite = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    await legs.agent.send('INVITE', { body: agentDescription({ version: 2, formats: '8' }) });
    const glare = await legs.agent.response((status) => status >= 200);
    expect(glare.message.status).toBe(491);
    await legs.agent.ack(glare.message);
    await legs.agent.respond(invite, 200, {
      body: agentDescription({ version: 2, attributes: ['a=recvonly'] }),
    });
    await legs.trunk.ack((await legs.trunk.response(200)).message);
    await end(legs);
  });

  it('takes its offer from the other side when it is requested without one', async () => {
    const legs = await bench.establish();
    await legs.trunk.send('INVITE', {});
    const invite = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    expect(invite.message.body).toBe('');
    await legs.agent.respond(invite, 200, { body: agentDescription({ version: 2, formats: '0 8 101' }) });
    const ok = (await legs.trunk.response(200)).message;
    expect(readSession(ok.body)!.media[0]!.protocol).toBe('RTP/SAVP');
    await legs.trunk.ack(ok, { body: secureAnswer(ok.body) });
    const ack = await bench.agent.expectRequest('ACK', { callId: legs.agent.callId });
    expect(readSession(ack.message.body)!.media[0]!.protocol).toBe('RTP/AVP');
    await end(legs);
  });

  it('takes its offer from the caller when the agent requests it without one', async () => {
    const legs = await bench.establish();
    await legs.agent.send('INVITE', {});
    const invite = await bench.trunk.expectRequest('INVITE', { callId: legs.trunk.callId });
    await legs.trunk.respond(invite, 200, { body: trunkDescription({ version: 2 }) });
    const ok = (await legs.agent.response(200)).message;
    expect(readSession(ok.body)!.media[0]!.protocol).toBe('RTP/AVP');
    await legs.agent.ack(ok, { body: agentDescription({ version: 2 }) });
    const ack = await bench.trunk.expectRequest('ACK', { callId: legs.trunk.callId });
    expect(cryptoLinesOf(readSession(ack.message.body)!.media[0]!)).toHaveLength(1);
    await end(legs);
  });

  it('by UPDATE crosses too', async () => {
    const legs = await bench.establish();
    await legs.trunk.send('UPDATE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) });
    const invite = await bench.agent.expectRequest('INVITE', { callId: legs.agent.callId });
    await legs.agent.respond(invite, 200, {
      body: agentDescription({ version: 2, attributes: ['a=recvonly'] }),
    });
    const ok = await legs.trunk.response(200, 'UPDATE');
    expect(direction(ok.message.body)).toBe('recvonly');
    await end(legs);
  });
});

describe('session timers', () => {
  it('a refresh by re-INVITE or UPDATE is answered without troubling the agent', async () => {
    const legs = await bench.establish({
      headers: { 'Session-Expires': '1800;refresher=uac', Supported: 'timer' },
    });
    const ok = bench.trunk.all(
      (m) => m.kind === 'response' && m.status === 200 && m.headers.get('Call-ID') === legs.trunk.callId,
    );
    expect(ok[0]!.message.headers.get('Session-Expires')).toBe('1800;refresher=uac');
    expect(ok[0]!.message.headers.get('Require')).toBe('timer');
    await legs.trunk.send('INVITE', {
      body: trunkDescription(),
      headers: { 'Session-Expires': '1800;refresher=uac' },
    });
    const refreshed = (await legs.trunk.response(200)).message;
    expect(refreshed.headers.get('Session-Expires')).toBe('1800;refresher=uac');
    expect(refreshed.body).toBe(ok[0]!.message.body);
    await legs.trunk.ack(refreshed);
    await legs.trunk.send('UPDATE', { headers: { 'Session-Expires': '1800;refresher=uac' } });
    const updated = (await legs.trunk.response(200, 'UPDATE')).message;
    expect(updated.headers.get('Session-Expires')).toBe('1800;refresher=uac');
    expect(updated.body).toBe('');
    await bench.agent.expectNothing(
      (m) => m.kind === 'request' && m.method !== 'ACK',
      100,
      'The agent hears nothing',
    );
    await end(legs);
  });

  it('a caller that requests us as refresher gets it', async () => {
    const legs = await bench.establish({
      headers: { 'Session-Expires': '600;refresher=uas', Supported: 'timer' },
    });
    const ok = bench.trunk.all(
      (m) => m.kind === 'response' && m.status === 200 && m.headers.get('Call-ID') === legs.trunk.callId,
    );
    expect(ok[0]!.message.headers.get('Session-Expires')).toBe('600;refresher=uas');
    await end(legs);
  });
});
