import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-ports.js';
import { PeerCall } from '../../support/peer-call.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription, trunkDescription, trunkKey } from '../media/descriptions.js';
import { CallBench, calledNumber } from './bench.js';

let bench: CallBench;
beforeAll(async () => {
  // The agent is in this process, which may be stalled for longer than shorter ones.
  bench = await CallBench.start({ DEMARC_AGENT_RESPONSE_SECONDS: '3', DEMARC_AGENT_ANSWER_SECONDS: '5' });
});
afterAll(() => bench?.stop());
afterEach(() => bench.expectNothingLeft());

const acknowledged = async (
  trunk: PeerCall,
  status: number,
): Promise<Awaited<ReturnType<PeerCall['response']>>['message']> => {
  const { message } = await trunk.response((each) => each >= 200);
  await trunk.ack(message);
  expect(message.status).toBe(status);
  return message;
};

describe('a refusal by the agent', () => {
  it.each([
    [486, 'Busy Here', 486, 'agent_refused'],
    [404, 'No such agent', 404, 'agent_refused'],
    [603, 'Decline', 603, 'agent_refused'],
    [503, 'Overloaded', 503, 'agent_refused'],
    [488, 'Not Acceptable Here', 488, 'agent_refused'],
    [302, 'Moved Temporarily', 502, 'agent_refused'],
    [401, 'Unauthorized', 500, 'agent_refused'],
    [415, 'Unsupported Media Type', 488, 'agent_refused'],
    [433, 'Anonymity Disallowed', 433, 'agent_refused'],
    [607, 'Unwanted', 607, 'agent_refused'],
    [608, 'Rejected', 608, 'agent_refused'],
    [699, 'Not Today', 600, 'agent_refused'],
    [408, 'Request Timeout', 504, 'agent_no_answer'],
  ])('relays %i %s to the caller as %i', async (status, reason, relayed, endReason) => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, status, { reason, headers: { 'X-Agent-Internal': 'node-7' } });
    const final = await acknowledged(trunk, relayed);
    expect(final.headers.get('X-Agent-Internal')).toBeUndefined();
    if (relayed === status) expect(final.reason).toBe(reason);
    expect(final.headers.get('Reason')).toContain(`cause=${status}`);
    expect(await bench.record()).toMatchObject({
      sip_status: relayed,
      end_reason: endReason,
      ended_by: 'agent',
      answered_at: null,
    });
  });

  it('follows a 302 to the agents that it names, best first, and never in a loop', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const [first, second] = [bench.agent.uri('worker-1'), bench.agent.uri('worker-2')];
    const Contact = `<${second}>;q=0.3, <tel:+14155550199>, <${first}>;q=0.7`;
    await agent.respond(invite, 302, { headers: { Contact } });
    const received = await bench.atAgent();
    expect(received.invite.message.uri).toBe(first);
    expect(received.agent.callId).not.toBe(agent.callId);
    expect(received.invite.message.headers.get('X-Demarc-Call-ID')).toBe(agent.callId);
    await received.agent.respond(received.invite, 302, { headers: { Contact: `<${invite.message.uri}>` } });
    const two = await bench.atAgent();
    expect(two.invite.message.uri).toBe(second);
    await two.agent.respond(two.invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: two.agent.callId });
    await trunk.send('BYE');
    await two.agent.respond(await bench.agent.expectRequest('BYE', { callId: two.agent.callId }), 200);
    expect(await bench.record()).toMatchObject({
      outcome: 'completed',
      sip_call_ids: { agent: two.agent.callId },
    });
  });

  it('follows a 302 three times at most, and not to one of Demarc’s own listeners', async () => {
    const trunk = await bench.call();
    for (let redirected = 0; redirected <= 3; redirected++) {
      const { agent, invite } = await bench.atAgent();
      const Contact = `<${bench.agent.uri(`worker-${redirected}`)}>`;
      await agent.respond(invite, 302, { headers: { Contact } });
    }
    expect((await acknowledged(trunk, 502)).headers.get('Reason')).toContain('cause=302');
    expect((await bench.record()).detail).toContain('more than 3 redirections');
    const again = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const { host, port } = bench.engine.listeners.tcp!;
    await agent.respond(invite, 302, { headers: { Contact: `<sip:a@${host}:${port};transport=tcp>` } });
    await acknowledged(again, 502);
    expect((await bench.record()).detail).toContain('redirection not followed');
  });

  it.each([
    [486, 'not before nine', 'not before nine'],
    [503, 'connect ECONNREFUSED 10.0.0.7:443', 'Service Unavailable'],
  ])(
    'records the text of a Reason with %i, and passes on why an agent declines',
    async (status, why, passed) => {
      const trunk = await bench.call();
      const { agent, invite } = await bench.atAgent();
      await agent.respond(invite, status, { headers: { Reason: `SIP;cause=${status};text="${why}"` } });
      const { headers } = await acknowledged(trunk, status);
      expect(headers.get('Reason')).toBe(`SIP;cause=${status};text="${passed}"`);
      expect((await bench.record()).detail).toContain(why);
    },
  );

  it('passes on causes in other protocols, and where to object to a rejection', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const redress = '<https://block.example/complaint>;purpose=jcard';
    await agent.respond(invite, 608, { headers: { Reason: 'Q.850;cause=21', 'Call-Info': redress } });
    const { headers } = await acknowledged(trunk, 608);
    expect(headers.get('Reason')).toBe('SIP;cause=608;text="Rejected", Q.850;cause=21');
    expect(headers.get('Call-Info')).toBe(redress);
    await bench.record();
  });

  it('passes on how long to wait', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 503, { headers: { 'Retry-After': '17' } });
    expect((await acknowledged(trunk, 503)).headers.get('Retry-After')).toBe('17');
    await bench.record();
  });

  it('of the audio line is 488 to the caller and a BYE to the agent', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription({ port: 0 }) });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    const final = await acknowledged(trunk, 488);
    expect(final.headers.get('Warning')).toContain('305');
    expect(await bench.record()).toMatchObject({ end_reason: 'media_failed', sip_status: 488 });
  });
});

describe('an agent that is not there', () => {
  it('is found out at once when its port is closed', async () => {
    await bench.configure({
      inbound: [{ id: 'any', agent_uri: `sip:a@127.0.0.1:${await freePort()};transport=tcp` }],
    });
    const watch = Stopwatch.start();
    await acknowledged(await bench.call(), 503);
    expect(watch.milliseconds).toBeLessThan(watch.bound(1_900));
    expect(await bench.record()).toMatchObject({
      end_reason: 'agent_unreachable',
      ended_by: 'edge',
      sip_status: 503,
    });
    await bench.configure({});
  });

  it('is given up when it does not answer', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await acknowledged(trunk, 504);
    // The engine can cancel only after a provisional response (RFC 3261 §9.1).
    await agent.respond(invite, 180);
    const cancel = await bench.agent.expectRequest('CANCEL');
    await agent.respond(cancel, 200);
    await agent.respond(invite, 487);
    expect(await bench.record()).toMatchObject({ end_reason: 'agent_unreachable', sip_status: 504 });
  });

  it('is given up when it rings for too long', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 180);
    await trunk.response(180);
    await agent.respond(await bench.agent.expectRequest('CANCEL'), 200);
    await agent.respond(invite, 487);
    await acknowledged(trunk, 480);
    expect(await bench.record()).toMatchObject({
      end_reason: 'agent_no_answer',
      outcome: 'failed',
      sip_status: 480,
    });
  });
});

describe('an offer that is not SRTP as required', () => {
  it.each([
    ['plain RTP', agentDescription(), /SRTP required/],
    [
      'DTLS-SRTP alone',
      trunkDescription({
        protocol: 'UDP/TLS/RTP/SAVP',
        crypto: ['a=setup:actpass', `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`],
      }),
      /SRTP required: offer RTP\/SAVP/,
    ],
    [
      'SRTP as RTP/AVP with a key, which the settings do not take',
      trunkDescription({ protocol: 'RTP/AVP' }),
      /SRTP required/,
    ],
    ['SAVP without a key', trunkDescription({ crypto: [] }), /a=crypto required/],
    [
      'another suite',
      trunkDescription({ crypto: [`a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:${trunkKey}`] }),
      /No common SRTP suite/,
    ],
    ['only codecs that are not enabled', trunkDescription({ formats: '18 101' }), /No common codec/],
    [
      'only fax',
      'v=0\r\no=f 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=image 4000 udptl t38\r\n',
      /No audio/,
    ],
  ])('%s is 488 with a Warning that says why', async (_name, body, text) => {
    const final = await acknowledged(await bench.call({ body }), 488);
    expect(final.headers.get('Warning')).toMatch(text);
    expect(await bench.record()).toMatchObject({
      end_reason: 'refused_media',
      outcome: 'refused',
      media: null,
    });
  });

  it('gets 415 for a body part whose handling is required and not supported, but not for an optional one', async () => {
    const multipart = (handling: string): string =>
      ['--b', 'Content-Type: application/sdp', '', trunkDescription()].join('\r\n') +
      [
        '--b',
        'Content-Type: application/ISUP',
        `Content-Disposition: signal;handling=${handling}`,
        '',
        'x',
      ].join('\r\n') +
      '\r\n--b--\r\n';
    const headers = { 'Content-Type': 'multipart/mixed;boundary=b' };
    const refused = await bench.call({ headers, body: multipart('required') });
    expect((await acknowledged(refused, 415)).headers.get('Accept')).toContain('application/sdp');
    expect((await bench.record()).detail).toContain('application/isup');
    const trunk = await bench.call({ headers, body: multipart('optional') });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 486);
    await acknowledged(trunk, 486);
    await bench.record();
  });

  it('gets 400 for a Contact to which requests cannot be sent', async () => {
    const trunk = await bench.call({ headers: { Contact: '<tel:+14155550100>' } });
    await acknowledged(trunk, 400);
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_bad_request', sip_status: 400 });
  });

  it('has further lines refused and its audio taken', async () => {
    const offer = `${trunkDescription()}m=video 5000 RTP/SAVP 99\r\na=rtpmap:99 H264/90000\r\nm=image 4000 udptl t38\r\n`;
    const { trunk, agent, invite } = await bench.establish({ offer });
    expect(invite.message.body).not.toMatch(/m=(video|image)/);
    const answer = bench.trunk.all((m) => m.kind === 'response' && m.status === 200 && m.body !== '').at(-1)!
      .message.body;
    expect(answer.match(/^m=\S+ \d+ \S+/gm)).toEqual([
      expect.stringMatching(/^m=audio [1-9]\d* RTP\/SAVP/),
      'm=video 0 RTP/SAVP',
      'm=image 0 udptl',
    ]);
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE'), 200);
    await bench.record();
  });
});

describe('a request that the edge does not serve', () => {
  it('an INVITE that requires an unknown extension is 420', async () => {
    const final = await acknowledged(await bench.call({ headers: { Require: 'precondition, timer' } }), 420);
    expect(final.headers.get('Unsupported')).toBe('precondition');
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_bad_request', sip_status: 420 });
  });

  it('an INVITE with another body is 415', async () => {
    const final = await acknowledged(
      await bench.call({ body: 'hello', headers: { 'Content-Type': 'text/plain' } }),
      415,
    );
    expect(final.headers.get('Accept')).toContain('application/sdp');
    expect(await bench.record()).toMatchObject({ sip_status: 415 });
  });

  it('an unknown number is 404', async () => {
    const trunk = PeerCall.to(bench.trunk, '49999999');
    await trunk.invite({ body: trunkDescription() });
    await acknowledged(trunk, 404);
    expect(await bench.record()).toMatchObject({ end_reason: 'refused_unknown_number', number: null });
  });

  it.each([
    ['REGISTER', 405],
    ['MESSAGE', 405],
    ['SUBSCRIBE', 405],
    ['PUBLISH', 405],
    ['INFO', 481],
  ])('%s outside a dialog is %d', async (method, status) => {
    const trunk = PeerCall.to(bench.trunk, calledNumber);
    await trunk.send(method, { headers: { Event: 'presence', Contact: bench.trunk.uri() } });
    expect((await trunk.response((code) => code >= 200, method)).message.status).toBe(status);
  });

  it('OPTIONS that requires an unknown extension is refused 420, as its INVITE would be', async () => {
    const trunk = PeerCall.to(bench.trunk);
    await trunk.send('OPTIONS', { headers: { Require: 'timer, Nothing-SupportsThis' } });
    const { headers } = (await trunk.response(420, 'OPTIONS')).message;
    expect(headers.get('Unsupported')).toBe('Nothing-SupportsThis');
  });

  it('OPTIONS is answered with what we can do', async () => {
    const trunk = PeerCall.to(bench.trunk, calledNumber);
    await trunk.send('OPTIONS');
    const { headers } = (await trunk.response(200, 'OPTIONS')).message;
    expect(headers.get('Allow')).toContain('INVITE');
    expect(headers.get('Accept')).toContain('application/sdp');
    expect(headers.has('Supported')).toBe(true);
  });
});
