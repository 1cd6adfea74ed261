import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { contactId } from '../../../src/contract/contact-id.js';
import { MediaWatch } from '../../../src/edge/media/media-watch.js';
import { cryptoLinesOf, readSession } from '../../../src/sdp/sdp.js';
import { agentDescription, keyLine, trunkDescription } from '../media/descriptions.js';
import { type CallBench, calledNumber } from './bench.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;
beforeAll(async () => {
  bench = await plainBench.take();
});
afterEach(() => bench.expectNothingLeft());

describe('an inbound call', () => {
  it('is answered by the agent and ended by the caller', async () => {
    const { trunk, agent } = await bench.establish();
    await trunk.send('BYE', { headers: { Reason: 'Q.850;cause=16;text="Normal call clearing"' } });
    const bye = await bench.agent.expectRequest('BYE', { callId: agent.callId });
    expect(bye.message.headers.get('Reason')).toContain('Q.850;cause=16');
    await agent.respond(bye, 200);
    await trunk.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      sip_status: 200,
      number: calledNumber,
      organization: 'acme',
      media: {
        trunk_codec: 'PCMU',
        agent_codec: 'PCMU',
        srtp_suite: 'AES_CM_128_HMAC_SHA1_80',
        trunk: { packets_received: 0, errors: 0 },
      },
      sip_call_ids: { trunk: trunk.callId, agent: agent.callId },
    });
  });

  it('is ended by the agent', async () => {
    const { trunk, agent } = await bench.establish();
    await agent.send('BYE');
    const bye = await bench.trunk.expectRequest('BYE', { callId: trunk.callId });
    await trunk.respond(bye, 200);
    await agent.response(200, 'BYE');
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', ended_by: 'agent' });
  });

  it('is survived when the agent hangs up before the caller has acknowledged', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    const ok = await trunk.response(200);
    await agent.send('BYE');
    await agent.response(200, 'BYE');
    await bench.trunk.expectNothing(
      (message) => message.kind === 'request' && message.method === 'BYE',
      200,
      'No BYE before the ACK',
    );
    await trunk.ack(ok.message);
    await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_hung_up', outcome: 'completed' });
  });

  it('survives 200, ACK and BYE of a hasty caller in one segment', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await trunk.send('BYE');
    await trunk.response(200, 'BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });

  it('offers the caller SRTP with our suite only and the agent plain RTP', async () => {
    const { trunk, agent, invite } = await bench.establish({
      offer: trunkDescription({
        formats: '8 0 96 101',
        crypto: [
          'a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj',
          'a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz',
        ],
        attributes: ['a=rtcp-mux', 'a=tool:secret-pbx 1.0'],
      }),
    });
    const offer = readSession(invite.message.body)!;
    expect(offer.media[0]).toMatchObject({ protocol: 'RTP/AVP', formats: ['0', '8', '96', '101'] });
    expect(invite.message.body).not.toMatch(/crypto|rtcp-mux|private|tool/);
    const ok = bench.trunk.all(
      (message) => message.kind === 'response' && message.status === 200 && message.body !== '',
    );
    const answer = readSession(ok.at(-1)!.message.body)!;
    expect(answer.media[0]!.protocol).toBe('RTP/SAVP');
    expect(cryptoLinesOf(answer.media[0]!)).toMatchObject([{ tag: '2', suite: 'AES_CM_128_HMAC_SHA1_80' }]);
    expect(ok.at(-1)!.text).not.toMatch(/private|somebody|rtcp-mux/);
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    await bench.record();
  });

  it('sends the agent the caller’s identity and hides the agent’s side from the trunk', async () => {
    const trunk = await bench.call({
      headers: {
        From: '"Zoë \\"Z\\" Ünal" <sip:+14155550100@pbx.example>;tag=abc',
        'P-Asserted-Identity': '"Zoe" <sip:+14155550100@pbx.example>',
        Diversion: '<sip:+14155550199@pbx.example>;reason=unconditional',
        'User-to-User': '48656c6c6f;encoding=hex',
        'X-Campaign': 'spring',
        'X-Demarc-Org': 'somebody else',
      },
    });
    trunk.localTag = 'abc';
    const { agent, invite } = await bench.atAgent();
    const { headers } = invite.message;
    expect(headers.get('From')).toMatch(/^"Zo.* \\"Z\\" .*nal" <sip:\+14155550100@127\.0\.0\.1/);
    expect(headers.get('P-Asserted-Identity')).toContain('+14155550100');
    expect(headers.get('Diversion')).toContain('unconditional');
    expect(headers.get('User-to-User')).toBe('48656c6c6f;encoding=hex');
    expect(headers.get('X-Campaign')).toBe('spring');
    expect(headers.get('X-Demarc-Org')).toBe('acme');
    expect(headers.get('X-Demarc-Direction')).toBe('inbound');
    expect(headers.get('X-Demarc-Contact')).toBe(contactId('acme', '+14155550100'));
    expect(headers.get('X-Demarc-Call-ID')).toBe(headers.get('Call-ID'));
    await agent.respond(invite, 180, { headers: { 'X-Agent-Internal': 'node-7', Server: 'agent/1.2' } });
    await agent.respond(invite, 200, {
      body: agentDescription(),
      headers: { 'X-Agent-Internal': 'node-7', Server: 'agent/1.2', 'User-Agent': 'agent/1.2' },
    });
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    await trunk.response(200, 'BYE');
    const sentToTrunk = bench.trunk.all(({ headers: lines }) => lines.get('Call-ID') === trunk.callId);
    for (const { text } of sentToTrunk) {
      expect(text).not.toMatch(/agent\/1\.2|node-7|X-Agent|X-Demarc/i);
      expect(text).not.toContain(String(bench.agent.port));
    }
    await bench.record();
  });

  it('relays ringing and early media, and the final answer over it', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    expect((await trunk.response(180)).message.body).toBe('');
    await agent.respond(invite, 183, { body: agentDescription({ attributes: ['a=sendonly'] }) });
    const early = (await trunk.response(183)).message;
    expect(early.body).toContain('RTP/SAVP');
    expect(early.headers.get('Require') ?? '').toBe('');
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = (await trunk.response(200)).message;
    expect(ok.body).toContain('a=sendrecv');
    await trunk.ack(ok);
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    const record = await bench.record();
    expect(record.ringing_at).not.toBeNull();
  });

  it('ends when the program fails after the answer', async () => {
    const watch = vi.spyOn(MediaWatch.prototype, 'watch').mockImplementationOnce(() => {
      throw new Error('No watch.');
    });
    const legs = await bench.establish();
    await bench.bothAreLetGo(legs, 4_000);
    expect(watch).toHaveBeenCalled();
    expect(await bench.record()).toMatchObject({ end_reason: 'internal_error', ended_by: 'edge' });
    const metrics = await (await fetch(`${bench.edge.httpUrl}/metrics`)).text();
    expect(metrics).toMatch(/demarc_call_ends_total\{[^}]*reason="internal_error"[^}]*\} 1/);
  });

  it('has its whole trace in the record, without keys', async () => {
    const { trunk, agent } = await bench.establish();
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    const { trace, trace_truncated } = await bench.record();
    expect(trace_truncated).toBe(false);
    const on = (leg: string): string[] =>
      trace.filter((entry) => entry.leg === leg).map((entry) => entry.summary);
    expect(on('trunk')).toEqual(['INVITE', '100 Trying', '180 Ringing', '200 OK', 'ACK', 'BYE', '200 OK']);
    expect(on('agent')).toEqual(['INVITE', '180 Ringing', '200 OK', 'ACK', 'BYE', '200 OK']);
    expect(JSON.stringify(trace)).not.toMatch(/inline:(?!\[redacted\])/);
  });
});

describe('a caller without an offer', () => {
  it('is offered SRTP in the 200 and answers in the ACK', async () => {
    const trunk = await bench.call({ body: '' });
    const { agent, invite } = await bench.atAgent();
    expect(invite.message.body).toBe('');
    await agent.respond(invite, 180);
    await trunk.response(180);
    await agent.respond(invite, 200, { body: agentDescription({ formats: '0 8 101' }) });
    const ok = (await trunk.response(200)).message;
    const offer = readSession(ok.body)!;
    expect(offer.media[0]!.protocol).toBe('RTP/SAVP');
    const crypto = cryptoLinesOf(offer.media[0]!);
    expect(crypto.map(({ suite }) => suite)).toEqual(['AES_CM_128_HMAC_SHA1_80']);
    await trunk.ack(ok, {
      body: trunkDescription({ crypto: [keyLine(ok.body, 'B'.repeat(40))] }),
    });
    const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
    expect(readSession(ack.message.body)!.media[0]!.protocol).toBe('RTP/AVP');
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    expect(await bench.record()).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { trunk_codec: 'PCMU' },
    });
  });

  it('is refused with 488 when the agent rings with a description and answers without one', async () => {
    const trunk = await bench.call({ body: '' });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 183, { body: agentDescription() });
    await trunk.response(183);
    await agent.respond(invite, 200);
    await trunk.ack((await trunk.response(488)).message);
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
  });

  it('is let go when the ACK answers in the clear', async () => {
    const trunk = await bench.call({ body: '' });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = (await trunk.response(200)).message;
    await trunk.ack(ok, { body: agentDescription() });
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    await trunk.respond(await bench.trunk.expectRequest('BYE'), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', ended_by: 'edge' });
  });
});
