import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DemoAgent } from '../../../../dev/agent/agent.js';
import { tonePackets } from '../../../../dev/agent/tones.js';
import { createLog } from '../../../../src/base/log.js';
import { codecsOf, directionOf, readSession } from '../../../../src/sdp/sdp.js';
import { SipPeer } from '../../../../src/testkit/sip-peer.js';
import { until } from '../../../../src/testkit/waiting.js';
import { PeerCall } from '../../../support/peer-call.js';
import { stays } from '../../../support/stays.js';

const log = createLog({ level: 'silent', role: 'agent', edge: 'test' });
const settings = {
  listen: { host: '127.0.0.1', port: 0 },
  ringMilliseconds: 50,
  toneMilliseconds: 300,
  logLevel: 'silent' as const,
};

let agent: DemoAgent;
let peer: SipPeer;
let rtp: Socket;
/** Of the last packet. */
let receivedAt = 0;
let packets: Buffer[];

beforeEach(async () => {
  agent = await DemoAgent.start(settings, log);
  peer = await SipPeer.open({ protocol: 'tcp', target: { host: '127.0.0.1', port: agent.port } });
  packets = [];
  rtp = createSocket('udp4');
  rtp.on('message', (packet) => {
    packets.push(packet);
    receivedAt = performance.now();
  });
  await new Promise<void>((resolve) => rtp.bind(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  try {
    await until(() => agent.activeCalls === 0, 10_000, 'end of all calls');
  } finally {
    rtp.close();
    await peer.close();
    await agent.stop();
  }
});

/** Nothing more comes: what was on its way when the audio ended is passed over. */
async function expectSilence(): Promise<void> {
  const since = performance.now();
  await until(() => performance.now() - Math.max(since, receivedAt) > 150, 5_000, 'silence');
  packets.length = 0;
}

function offer(formats = '0 8 101', extra = ''): string {
  return (
    `v=0\r\no=peer 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n` +
    `m=audio ${rtp.address().port} RTP/AVP ${formats}\r\na=rtpmap:101 telephone-event/8000\r\n${extra}`
  );
}

async function answered(user: string, body = offer()): Promise<{ call: PeerCall; sdp: string }> {
  const call = PeerCall.to(peer, user);
  await call.invite({ body });
  const { message } = await call.response(200);
  await call.ack(message);
  return { call, sdp: message.body };
}

const audioOf = (sdp: string) => {
  const session = readSession(sdp)!;
  const audio = session.media.find(({ kind }) => kind === 'audio')!;
  return { audio, direction: directionOf(session, audio), names: codecsOf(audio).map(({ name }) => name) };
};

const voice = (packet: Buffer) => (packet[1]! & 0x7f) === 0;

function send(port: number, sequence: number, payloadType = 0, fill = sequence & 0xff): Buffer {
  const packet = Buffer.alloc(172, fill);
  packet[0] = 0x80;
  packet[1] = payloadType;
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(sequence * 160, 4);
  packet.writeUInt32BE(0xabcdef01, 8);
  rtp.send(packet, port, '127.0.0.1');
  return packet;
}

/** A telephone event (RFC 4733) in three packets, as a phone sends one digit. */
function press(port: number, digit: number): void {
  for (const [index, isEnd] of [false, false, true].entries()) {
    const packet = Buffer.alloc(16);
    packet[0] = 0x80;
    packet[1] = 101;
    packet.writeUInt16BE(digit * 100 + index, 2);
    packet.writeUInt32BE(digit * 10_000, 4);
    packet.writeUInt32BE(0xabcdef01, 8);
    packet.set([digit, isEnd ? 0x8a : 0x0a, 0, 160], 12);
    rtp.send(packet, port, '127.0.0.1');
  }
}

describe('a digit', () => {
  it('asks the knowledge of the call once, with its token, and is answered by one tone or another', async () => {
    const asked: unknown[] = [];
    const api = createServer(async (request, response) => {
      const body = JSON.parse(await text(request)) as { query: string };
      asked.push({ path: request.url, token: request.headers['x-demarc-token'], query: body.query });
      const results = body.query === 'Open?' ? [{ content: 'From nine.' }] : [];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: { results }, errors: null }));
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const { port } = api.address() as AddressInfo;
    const knowledge = { url: `http://127.0.0.1:${port}`, questions: { '1': 'Open?', '2': 'Cost?' } };
    const asking = await DemoAgent.start({ ...settings, knowledge }, log);
    const target = { host: '127.0.0.1', port: asking.port };
    const toAsking = await SipPeer.open({ protocol: 'tcp', target });
    try {
      const call = PeerCall.to(toAsking, 'agent');
      await call.invite({ body: offer(), headers: { 'X-Demarc-Token': 'the token' } });
      const { message } = await call.response(200);
      await call.ack(message);
      await until(() => packets.some(voice), 5_000, 'the greeting');
      await expectSilence();
      const agentPort = audioOf(message.body).audio.port;
      for (const [digit, tone] of [
        [1, 'found'],
        [2, 'nothing'],
      ] as const) {
        press(agentPort, digit);
        const played = tonePackets[tone].PCMU.map((packet) => packet.toString('hex'));
        await until(
          () => packets.some((packet) => played.includes(packet.subarray(12).toString('hex'))),
          5_000,
          `the tone for ${tone}`,
        );
        await expectSilence();
      }
      expect(asked).toEqual(
        ['Open?', 'Cost?'].map((query) => ({ path: '/v1/knowledge/search', token: 'the token', query })),
      );
      await call.hangUp();
    } finally {
      await toAsking.close();
      await asking.stop();
      api.close();
    }
  });
});

describe('an ordinary call', () => {
  it('rings, answers, plays the tone, then echoes voice and DTMF packets', async () => {
    const call = PeerCall.to(peer, 'agent');
    await call.invite({ body: offer() });
    await call.response(180);
    const { message } = await call.response(200);
    await call.ack(message);
    const { audio, names, direction } = audioOf(message.body);
    expect(names).toEqual(['PCMU', 'telephone-event']);
    expect(direction).toBe('sendrecv');
    await until(() => packets.length >= 15, 10_000, 'tone');
    await stays(() => expect(packets.filter(voice)).toHaveLength(15), 120);
    const tone = packets.filter(voice);
    expect(tone[0]![1]! & 0x80).toBe(0x80);
    expect(
      tone.every((packet, i) => packet.readUInt16BE(2) === ((tone[0]!.readUInt16BE(2) + i) & 0xffff)),
    ).toBe(true);
    packets.length = 0;
    const sent = [send(audio.port, 7), send(audio.port, 8), send(audio.port, 10), send(audio.port, 11, 101)];
    await until(() => packets.length === 4, 10_000, 'echo');
    expect(packets.map((packet) => packet.subarray(12))).toEqual(sent.map((packet) => packet.subarray(12)));
    const first = packets[0]!.readUInt16BE(2);
    expect(first).toBe((tone[14]!.readUInt16BE(2) + 1) & 0xffff);
    expect(packets.map((packet) => (packet.readUInt16BE(2) - first) & 0xffff)).toEqual([0, 1, 3, 4]);
    expect(packets[3]![1]).toBe(101);
    const times = [tone[14]!, ...packets].map((packet) => packet.readUInt32BE(4));
    expect(times.map((time) => (time - times[0]!) >>> 0)).toEqual([0, 160, 320, 640, 800]);
    await call.hangUp();
  });

  it('works over UDP, with PCMA, and takes the first codec it knows', async () => {
    const udp = await SipPeer.open({ protocol: 'udp', target: { host: '127.0.0.1', port: agent.port } });
    const call = PeerCall.to(udp, 'agent');
    await call.invite({ body: offer('96 8 0', 'a=rtpmap:96 opus/48000/2\r\n') });
    const { message } = await call.response(200);
    await call.ack(message);
    expect(audioOf(message.body).names).toEqual(['PCMA']);
    await call.hangUp();
    await udp.close();
  });

  it('offers in the 200 when the INVITE has no description, and uses the answer in the ACK', async () => {
    const call = PeerCall.to(peer, 'agent');
    await call.invite({ body: '' });
    const { message } = await call.response(200);
    expect(audioOf(message.body).names).toEqual(['PCMU', 'PCMA', 'telephone-event']);
    await call.ack(message, { body: offer('8') });
    await until(() => packets.length > 3, 10_000, 'tone');
    expect(packets.at(-1)![1]! & 0x7f).toBe(8);
    await call.hangUp();
  });

  it('refuses other media of the offer with port 0', async () => {
    const { call, sdp } = await answered('agent', `${offer()}m=video 9 RTP/AVP 97\r\n`);
    expect(sdp).toContain('m=video 0 RTP/AVP 97');
    await call.hangUp();
  });

  it('answers OPTIONS inside and outside of a call, INFO and UPDATE', async () => {
    const outside = PeerCall.to(peer, 'agent');
    await outside.send('OPTIONS');
    expect((await outside.response(200, 'OPTIONS')).message.headers.get('Allow')).toContain('INVITE');
    const { call } = await answered('agent');
    for (const method of ['OPTIONS', 'INFO', 'UPDATE']) {
      await call.send(method);
      await call.response(200, method);
    }
    await call.hangUp();
  });
});

describe('hold', () => {
  it.each([
    ['sendonly', 'recvonly'],
    ['recvonly', 'sendonly'],
    ['inactive', 'inactive'],
  ])('%s is answered %s, and resume sendrecv, with a rising version', async (offered, expected) => {
    const { call, sdp } = await answered('tone');
    await call.invite({ body: offer('0', `a=${offered}\r\n`) });
    const held = (await call.response(200)).message;
    await call.ack(held);
    expect(audioOf(held.body).direction).toBe(expected);
    if (expected === 'sendonly') {
      packets.length = 0;
      await until(() => packets.length > 2, 10_000, 'audio towards the side that only listens');
    } else {
      await expectSilence();
    }
    await call.invite({ body: offer('0') });
    const resumed = (await call.response(200)).message;
    await call.ack(resumed);
    expect(audioOf(resumed.body).direction).toBe('sendrecv');
    packets.length = 0;
    await until(() => packets.length > 2, 10_000, 'audio');
    const versions = [sdp, held.body, resumed.body].map((body) => Number(/o=- \d+ (\d+)/.exec(body)![1]));
    expect(versions).toEqual([1, 2, 3]);
    await call.hangUp();
  });

  it('with 0.0.0.0 stops the audio', async () => {
    const { call } = await answered('tone');
    await call.invite({ body: offer('0').replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0') });
    const held = (await call.response(200)).message;
    await call.ack(held);
    expect(audioOf(held.body).direction).toBe('recvonly');
    await expectSilence();
    await call.hangUp();
  });

  it('a refused re-INVITE (no codec) leaves the call as it was', async () => {
    const { call } = await answered('tone');
    await call.invite({ body: offer('18') });
    await call.ack((await call.response(488)).message);
    packets.length = 0;
    await until(() => packets.length > 2, 10_000, 'audio');
    await call.hangUp();
  });

  it('hold-<s>: the agent holds and resumes', async () => {
    const { call } = await answered('hold-0.2');
    for (const direction of ['sendonly', 'sendrecv']) {
      const arrival = await peer.expectRequest('INVITE', { callId: call.callId });
      expect(audioOf(arrival.message.body).direction).toBe(direction);
      await call.respond(arrival, 200, { body: offer('0') });
      await peer.expectRequest('ACK', { callId: call.callId });
    }
    await call.hangUp();
  });
});

describe('behaviours', () => {
  it.each([
    ['busy', 486],
    ['reject-603', 603],
    ['reject-404', 404],
  ])('%s refuses with %i', async (user, status) => {
    const call = PeerCall.to(peer, user);
    await call.invite({ body: offer() });
    await call.ack((await call.response(status)).message);
  });

  it('488 when no G.711 is offered, or no plain RTP', async () => {
    for (const body of [offer('18'), offer().replace('RTP/AVP', 'RTP/SAVP')]) {
      const call = PeerCall.to(peer, 'agent');
      await call.invite({ body });
      const { message } = await call.response(488);
      expect(message.headers.get('Warning')).toBeDefined();
      await call.ack(message);
    }
  });

  it('a header chooses as well', async () => {
    const call = PeerCall.to(peer, 'agent');
    await call.invite({ body: offer(), headers: { 'X-Agent-Behaviour': 'busy' } });
    await call.ack((await call.response(486)).message);
  });

  it('ring rings until cancelled', async () => {
    const call = PeerCall.to(peer, 'ring');
    await call.invite({ body: offer() });
    await call.response(180);
    await peer.expectNothing(
      (message) => message.kind === 'response' && message.status >= 200,
      150,
      'a final response',
    );
    await call.cancel();
    await call.response(200, 'CANCEL');
    await call.ack((await call.response(487)).message);
  });

  it('noanswer sends no response until cancelled', async () => {
    const call = PeerCall.to(peer, 'noanswer');
    await call.invite({ body: offer() });
    await call.response(100);
    await peer.expectNothing(
      (message) => message.kind === 'response' && message.status > 100,
      200,
      'an answer',
    );
    await call.cancel();
    await call.ack((await call.response(487)).message);
  });

  it('early plays the tone before it answers', async () => {
    const call = PeerCall.to(peer, 'early');
    await call.invite({ body: offer() });
    const { message } = await call.response(183);
    expect(audioOf(message.body).names).toContain('PCMU');
    await until(() => packets.length > 5, 10_000, 'early tone');
    const { message: final } = await call.response(200);
    expect(final.body).toBe(message.body);
    await call.ack(final);
    await call.hangUp();
  });

  it('hangup-<s> ends with BYE', async () => {
    const { call } = await answered('hangup-0.2');
    await call.respond(await peer.expectRequest('BYE', { callId: call.callId }), 200);
  });

  it('slow-<s> rings that long', async () => {
    const call = PeerCall.to(peer, 'slow-0.5');
    const began = Date.now();
    await call.invite({ body: offer() });
    const { message } = await call.response(200);
    expect(Date.now() - began).toBeGreaterThan(480);
    await call.ack(message);
    await call.hangUp();
  });

  it('silent sends nothing', async () => {
    const { call, sdp } = await answered('silent');
    send(audioOf(sdp).audio.port, 1);
    await stays(() => expect(packets).toHaveLength(0), 200);
    await call.hangUp();
  });
});

it('ends its calls with BYE, and refuses ringing ones, when it is stopped', async () => {
  const secondAgent = await DemoAgent.start(settings, log);
  const caller = await SipPeer.open({
    protocol: 'tcp',
    target: { host: '127.0.0.1', port: secondAgent.port },
  });
  const [up, ringing] = [PeerCall.to(caller, 'agent'), PeerCall.to(caller, 'ring')];
  await up.invite({ body: offer() });
  await up.ack((await up.response(200)).message);
  await ringing.invite({ body: offer() });
  await ringing.response(180);
  const stopped = secondAgent.stop();
  await up.respond(await caller.expectRequest('BYE', { callId: up.callId }), 200);
  await ringing.ack((await ringing.response(503)).message);
  await stopped;
  await caller.close();
});
