import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import type { SipRequest, SipResponse } from '../../../src/sip/message.js';
import type { Arrival } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { type MessageOptions, PeerCall } from '../../support/peer-call.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

/** Servers that answer our calls as no server should. */
const key = generateSecretKey();
let bench: CallBench;
let isOver = false;
beforeAll(async () => {
  bench = await CallBench.start({ DEMARC_SECRET_KEY: key, DEMARC_RING_SECONDS: '5' });
  void answerProbes();
});
afterAll(async () => {
  isOver = true;
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft());

async function answerProbes(): Promise<void> {
  while (!isOver) {
    const probe = await bench.trunk.expectRequest('OPTIONS', { milliseconds: 500 }).catch(() => undefined);
    if (probe !== undefined) await PeerCall.from(bench.trunk, probe.message).respond(probe, 200);
  }
}

interface Ringing {
  readonly agent: PeerCall;
  readonly trunk: PeerCall;
  readonly invite: Arrival<SipRequest>;
}

/** A call that we place has reached the trunk; the agent waits for our ACK. */
async function placed(outbound: Record<string, unknown> = {}): Promise<Ringing> {
  const server = { id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' };
  await bench.configure({ outbound: [{ ...server, ...outbound }] });
  await bench.order();
  const { agent, invite: atAgent } = await bench.atAgent();
  await agent.respond(atAgent, 200, { body: agentDescription() });
  return { agent, ...(await bench.atTrunk()) };
}

async function answer({ trunk, invite }: Ringing, options: MessageOptions = {}, status = 200): Promise<void> {
  await trunk.respond(invite, status, { body: trunkDescription(), ...options });
  await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
}

async function releasedByUs({ trunk }: Ringing): Promise<void> {
  await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId }), 200);
}

async function agentIsReleased({ agent }: Ringing): Promise<void> {
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
}

async function hungUpByCallee(call: Ringing): Promise<void> {
  await call.trunk.hangUp();
  await agentIsReleased(call);
  expect(await bench.record()).toMatchObject({ end_reason: 'callee_hung_up', outcome: 'completed' });
}

describe('a callee that answers', () => {
  it.each([202, 299])('%i is in the call as with 200', async (status) => {
    const call = await placed();
    await answer(call, {}, status);
    await hungUpByCallee(call);
  });

  it('without a Contact is released, and its server has failed', async () => {
    const call = await placed();
    await answer(call, { headers: { Contact: null } });
    await releasedByUs(call);
    await agentIsReleased(call);
    expect(await bench.record()).toMatchObject({
      end_reason: 'trunk_refused',
      outcome: 'refused',
      sip_status: 502,
      detail: expect.stringContaining('Answered without a Contact'),
    });
  });

  it('with a Contact that cannot be read is released', async () => {
    const call = await placed();
    await answer(call, { headers: { Contact: '<sip:' } });
    await releasedByUs(call);
    await agentIsReleased(call);
    expect(await bench.record()).toMatchObject({
      end_reason: 'trunk_refused',
      detail: expect.stringContaining('no valid Contact'),
    });
  });

  it('twice is in the call once: the other fork is acknowledged and released', async () => {
    const call = await placed();
    await answer(call);
    await call.trunk.respond(call.invite, 200, { body: trunkDescription(), tag: 'other' });
    const ack = await bench.trunk.expectRequest('ACK', { callId: call.trunk.callId });
    const bye = await bench.trunk.expectRequest('BYE', { callId: call.trunk.callId });
    for (const { message } of [ack, bye]) expect(message.headers.get('To')).toContain('tag=other');
    await call.trunk.respond(bye, 200);
    await hungUpByCallee(call);
  });

  it('with too many realms gets credentials for some of them', async () => {
    const password = new SecretBox([key]).seal('secret');
    const call = await placed({ credential: { username: 'user', password } });
    const challenges = Array.from({ length: 40 }, (_, index) => `Digest realm="r${index}", nonce="n"`);
    await call.trunk.respond(call.invite, 401, { headers: { 'WWW-Authenticate': challenges } });
    const again = await bench.trunk.expectRequest('INVITE', { callId: call.trunk.callId });
    expect(again.message.headers.lines('Authorization')).toHaveLength(5);
    await call.trunk.respond(again, 403);
    await agentIsReleased(call);
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: 403 });
  });

  it.each(['0;refresher=uac', '999999999;refresher=uac'])(
    'with Session-Expires %s is not refreshed without a pause',
    async (expires) => {
      const password = new SecretBox([key]).seal('secret');
      const call = await placed({ credential: { username: 'user', password } });
      const headers = { 'Session-Expires': expires, Require: 'timer', Allow: 'INVITE, ACK, BYE, UPDATE' };
      await answer(call, { headers });
      await bench.agent.expectRequest('ACK', { callId: call.agent.callId });
      await bench.trunk.expectNothing(
        (message) => message.kind === 'request' && message.method === 'UPDATE',
        400,
        'No UPDATE was due',
      );
      await call.trunk.hangUp();
      await call.agent.respond(await bench.agent.expectRequest('BYE', { callId: call.agent.callId }), 200);
      expect(await bench.record()).toMatchObject({ end_reason: 'callee_hung_up' });
    },
  );
});

describe('a callee that rings', () => {
  it('gets an SDP answer to an UPDATE with an offer, and 200 to one without', async () => {
    const call = await placed();
    const { trunk, invite } = call;
    const reliable = { Require: '100rel', RSeq: '1' };
    await trunk.respond(invite, 183, { body: trunkDescription(), headers: reliable });
    await trunk.respond(await bench.trunk.expectRequest('PRACK', { callId: trunk.callId }), 200);
    await trunk.send('UPDATE', { body: trunkDescription({ version: 2 }) });
    expect((await trunk.response(200, 'UPDATE')).message.body).toContain('RTP/SAVP');
    await trunk.send('UPDATE');
    expect((await trunk.response(200, 'UPDATE')).message.body).toBe('');
    await trunk.respond(invite, 486);
    await agentIsReleased(call);
    expect(await bench.record()).toMatchObject({ end_reason: 'trunk_refused', sip_status: 486 });
  });
});

describe('an agent that rings', () => {
  it('endlessly gets a limited number of its 183 responses forwarded', async () => {
    await bench.configure({});
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    for (let port = 42_000; port < 42_800; port += 2) {
      await agent.respond(invite, 183, {
        body: agentDescription({ port }),
        headers: { 'X-Port': `${port}` },
      });
    }
    const forwarded = (): number =>
      bench.trunk.all(
        (message) =>
          message.kind === 'response' &&
          message.status === 183 &&
          message.headers.get('Call-ID') === trunk.callId,
      ).length;
    // Provisional responses may be lost, as they are not reliable (RFC 3261 §13.3.1.1).
    await until(
      () => forwarded() >= 150,
      30_000,
      () => `some 200 provisional responses, not ${forwarded()}`,
    );
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    expect(forwarded()).toBeLessThanOrEqual(200);
    await trunk.hangUp();
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });
});

describe('an agent that answers our order', () => {
  it('without a Contact is released, and has failed', async () => {
    const server = { id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' };
    await bench.configure({ outbound: [server] });
    await bench.order();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription(), headers: { Contact: null } });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    expect(await bench.record()).toMatchObject({
      end_reason: 'agent_refused',
      detail: expect.stringContaining('Answered without a Contact'),
    });
  });
});

describe('a caller', () => {
  it('holds the agent for 64·T1 when it asks for an offer and never answers it', async () => {
    await bench.configure({});
    const trunk = PeerCall.to(bench.trunk, calledNumber);
    await trunk.send('INVITE');
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.response(200);
    const milliseconds = 20_000;
    const bye = await bench.agent.expectRequest('BYE', { callId: agent.callId, milliseconds });
    await agent.respond(bye, 200);
    await trunk.respond(await bench.trunk.expectRequest('BYE', { callId: trunk.callId, milliseconds }), 200);
    expect(await bench.record(20_000)).toMatchObject({ end_reason: 'ack_timeout', ended_by: 'edge' });
  });

  it('is refused after two hundred changes of its session, and the call continues', async () => {
    await bench.configure({});
    const { trunk, agent } = await bench.establish();
    let offered = 0;
    let refusal: SipResponse | undefined;
    // A slow machine may reach the time of the next permitted changes.
    for (let change = 0; change < 210 && refusal === undefined; change++) {
      // The port stays: what is counted are the offers.
      const attributes = [change % 2 === 0 ? 'a=sendonly' : 'a=sendrecv'];
      await trunk.send('INVITE', { body: trunkDescription({ version: 2 + change, attributes }) });
      const final = trunk.response((status) => status >= 200);
      const relayed = bench.agent
        .expectRequest('INVITE', { callId: agent.callId })
        .then((atAgent) => agent.respond(atAgent, 200, { body: agentDescription({ version: 2 + change }) }))
        .catch(() => undefined);
      if (change < 200) await relayed;
      const { message } = await final;
      await trunk.ack(message);
      if (message.status === 200) offered += 1;
      else refusal = message;
    }
    expect(refusal?.status).toBe(500);
    expect(Number(refusal?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(offered).toBeGreaterThanOrEqual(200);
    await trunk.hangUp();
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    expect(await bench.record()).toMatchObject({ end_reason: 'caller_hung_up' });
  });

  it('with long names is refused like any other caller, and so is the next one', async () => {
    await bench.configure({});
    const name = 'x'.repeat(7_000);
    for (const display of [`"${name}"`, '"short"']) {
      const call = PeerCall.to(bench.trunk, '4999');
      await call.invite({
        headers: {
          From: `${display} <sip:caller@127.0.0.1>;tag=${call.localTag}`,
          To: `${display} <sip:4999@127.0.0.1>`,
        },
      });
      const refusal = await bench.trunk.expectResponse(404, { callId: call.callId });
      await call.ack(refusal.message);
      expect(await bench.record()).toMatchObject({ end_reason: 'refused_unknown_number' });
    }
    // What the edge says reaches the engine still.
    const legs = await bench.establish();
    await legs.trunk.hangUp();
    await legs.agent.respond(await bench.agent.expectRequest('BYE'), 200);
    expect(await bench.record()).toMatchObject({ number: calledNumber, end_reason: 'caller_hung_up' });
  });
});
