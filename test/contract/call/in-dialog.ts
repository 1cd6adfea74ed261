import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSession } from '../../../src/sdp/sdp.js';
import { until } from '../../../src/testkit/waiting.js';
import { agentDescription } from '../media/descriptions.js';
import type { CallBench, TwoLegs } from './bench.js';
import { plainBench } from './plain-bench.js';

/** While the agent sends RTP from the port that it describes. */
async function talking(offered: string, during: () => Promise<void>): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind(readSession(agentDescription())!.media[0]!.port, '127.0.0.1');
  await once(socket, 'listening');
  const port = readSession(offered)!.media[0]!.port;
  let sequence = 0;
  const timer = setInterval(() => {
    const packet = Buffer.alloc(172, 0xff);
    packet.writeUInt16BE(0x8000, 0);
    packet.writeUInt16BE(++sequence, 2);
    packet.writeUInt32BE(sequence * 160, 4);
    packet.writeUInt32BE(7, 8);
    socket.send(packet, port, '127.0.0.1');
  }, 20);
  try {
    await until(() => sequence >= 5, 5_000, 'the agent talks');
    await during();
  } finally {
    clearInterval(timer);
    socket.close();
  }
}

let bench: CallBench;
let legs: TwoLegs;
beforeAll(async () => {
  bench = await plainBench.take();
});
afterEach(async () => {
  await legs.trunk.send('BYE');
  await legs.agent.respond(await bench.agent.expectRequest('BYE', { callId: legs.agent.callId }), 200);
  await bench.record();
  await bench.expectNothingLeft();
});

describe('a request inside the call', () => {
  it('INFO with DTMF crosses in both directions, its answer too', async () => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    await trunk.send('INFO', {
      headers: { ...headers, Event: 'telephone-event;duration=160' },
      body: 'Signal=5\r\nDuration=160\r\n',
    });
    const atAgent = await bench.agent.expectRequest('INFO', { callId: agent.callId });
    expect(atAgent.message.headers.get('Event')).toBe('telephone-event;duration=160');
    expect(atAgent.message.body).toBe('Signal=5\r\nDuration=160\r\n');
    expect(atAgent.message.headers.get('Content-Type')).toBe('application/dtmf-relay');
    await agent.respond(atAgent, 200);
    await trunk.response(200, 'INFO');
    await agent.send('INFO', { headers, body: 'Signal=#\r\n' });
    await trunk.respond(await bench.trunk.expectRequest('INFO', { callId: trunk.callId }), 403);
    expect((await agent.response((status) => status >= 200, 'INFO')).message.status).toBe(403);
  });

  it('an INFO of 10 KB crosses whole', async () => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    const body = 'transcript '.repeat(930);
    await trunk.send('INFO', { headers: { 'Content-Type': 'text/plain' }, body });
    const atAgent = await bench.agent.expectRequest('INFO', { callId: agent.callId });
    expect(atAgent.message.body).toBe(body);
    await agent.respond(atAgent, 200);
    await trunk.response(200, 'INFO');
  });

  it('INFOs that the agent does not answer are few at a time; the rest is refused for now', async () => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    const headers = { 'Content-Type': 'text/plain' };
    for (let sent = 0; sent < 100; sent++) await trunk.send('INFO', { headers, body: `${sent}` });
    for (let refused = 0; refused < 68; refused++) {
      const { message } = await trunk.response(500, 'INFO');
      expect(message.headers.get('Retry-After')).toBe('1');
    }
    for (let passed = 0; passed < 32; passed++) {
      await agent.respond(await bench.agent.expectRequest('INFO', { callId: agent.callId }), 200);
      await trunk.response(200, 'INFO');
    }
    await trunk.send('INFO', { headers, body: 'one more' });
    await agent.respond(await bench.agent.expectRequest('INFO', { callId: agent.callId }), 200);
    await trunk.response(200, 'INFO');
  });

  it('answers an UPDATE of the agent that still owes the response to an INFO', async () => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    await trunk.send('INFO', { headers: { 'Content-Type': 'text/plain' }, body: 'one' });
    const open = await bench.agent.expectRequest('INFO', { callId: agent.callId });
    await agent.send('UPDATE');
    await agent.response(200, 'UPDATE');
    await agent.respond(open, 200);
    await trunk.response(200, 'INFO');
  });

  it('a digit by INFO that the other side refuses is played to it in RTP, or is refused without any', async () => {
    legs = await bench.establish();
    const { trunk, agent, invite } = legs;
    const headers = { 'Content-Type': 'application/dtmf' };
    const send = async (): Promise<number> => {
      await agent.send('INFO', { headers, body: '5' });
      await trunk.respond(await bench.trunk.expectRequest('INFO', { callId: trunk.callId }), 415);
      return (await agent.response((status) => status >= 200, 'INFO')).message.status;
    };
    expect(await send()).toBe(415);
    await talking(invite.message.body, async () => expect(await send()).toBe(200));
  });

  it.each([
    ['OPTIONS', 200],
    ['REFER', 603],
    ['MESSAGE', 405],
    ['NOTIFY', 481],
    ['SUBSCRIBE', 481],
  ])('answers %s from either side with %i and does not forward it', async (method, status) => {
    legs = await bench.establish();
    const { trunk, agent } = legs;
    const headers = { 'Refer-To': '<sip:x@127.0.0.1>', Event: 'refer', 'Subscription-State': 'active' };
    for (const side of [trunk, agent]) {
      await side.send(method, { headers });
      expect((await side.response((each) => each >= 200, method)).message.status).toBe(status);
    }
    for (const peer of [bench.trunk, bench.agent]) {
      await peer.expectNothing(
        (m) => m.kind === 'request' && m.method === method,
        50,
        `No ${method} on the other side`,
      );
    }
  });
});
