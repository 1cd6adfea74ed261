import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { encode, samplesPerPacket } from '../../../src/rtp/g711.js';
import type { HeardTurn } from '../../../src/rtp/heard-audio.js';
import { writePacket } from '../../../src/rtp/packet.js';
import { openSocketPair } from '../../../src/rtp/socket-pair.js';
import { masterLength, SrtpContext } from '../../../src/rtp/srtp.js';
import { decodeTones, encodeTones } from '../../../src/rtp/tone-code.js';
import { CallerAudio } from '../../../src/test-caller/caller-audio.js';
import { CallerLine } from '../../../src/test-caller/line-conditions.js';
import { until } from '../../../src/testkit/waiting.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Sends a packet every 20 ms from its thread, as an agent on another machine does. */
const sender = `
  const { workerData } = require('node:worker_threads');
  const socket = require('node:dgram').createSocket('udp4');
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < workerData.packets.length && began + sent * 20 <= performance.now(); sent++)
      socket.send(workerData.packets[sent], workerData.port, '127.0.0.1');
    if (sent === workerData.packets.length) clearInterval(timer);
  }, 5);
`;

/** The agent's words in SRTP. */
function packetsOf(words: string, master: Buffer): Buffer[] {
  const context = new SrtpContext(master);
  const samples = encodeTones(words);
  return Array.from({ length: samples.length / samplesPerPacket }, (_, sequence) => {
    const timestamp = sequence * samplesPerPacket;
    const payload = encode('PCMU', samples.subarray(timestamp, timestamp + samplesPerPacket));
    return context.protect(
      writePacket({ payloadType: 0, isMarked: sequence === 0, sequence, timestamp, source: 1, payload }),
    );
  });
}

function stall(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

async function answeredCall(port = 9, line?: CallerLine): Promise<CallerAudio> {
  const events = { began: () => {}, turn: () => {}, said: () => {} };
  const audio = new CallerAudio(await openSocketPair('127.0.0.1'), 300, events, line);
  closing.push(() => audio.close());
  audio.agree({
    codec: 'PCMU',
    payloadType: 0,
    address: '127.0.0.1',
    port,
    rtcpPort: 9,
    master: Buffer.alloc(masterLength, 7),
    keyTag: '1',
    eventPayloadType: 101,
    maySend: true,
  });
  audio.answered();
  return audio;
}

it('reports the longest stall that cut a pause into one of its lines', async () => {
  const audio = await answeredCall();
  audio.say(1, encodeTones('STOP'), null);
  await until(() => audio.isSpeaking, 10_000, 'the caller speaks');
  stall(250);
  await until(() => audio.lines.length > 0, 10_000, 'the line is over');
  expect(audio.packets.stalled_ms).toBeGreaterThanOrEqual(200);
});

it('reports no stall between its lines, where it cuts no word', async () => {
  const audio = await answeredCall();
  stall(250);
  await until(() => audio.packets.sent > 12, 10_000, 'the frames of that time are sent');
  expect(audio.packets.stalled_ms).toBe(0);
});

it('loses packets on the way to the agent, which sees a gap in their sequence', async () => {
  const agent = await openSocketPair('127.0.0.1');
  closing.push(() => {
    agent.rtp.close();
    agent.rtcp.close();
  });
  const sequences: number[] = [];
  agent.rtp.on('message', (packet) => sequences.push(packet.readUInt16BE(2)));
  const conditions = { gainDecibels: 0, noise: null, lossShare: 0.5, jitterMilliseconds: 0, seed: 3 };
  await answeredCall(agent.rtp.address().port, new CallerLine(conditions));
  await until(() => sequences.length >= 20, 20_000, 'packets arrive');
  const span = ((sequences[19]! - sequences[0]!) & 0xffff) + 1;
  // The same seed loses the same packets.
  const same = new CallerLine(conditions);
  const kept = Array.from({ length: 200 }, (_, at) => (same.delay() === undefined ? [] : [at])).flat();
  expect(span).toBe(kept[19]! - kept[0]! + 1);
});

it('presses keys in telephone events, each with the time of its start', async () => {
  const agent = await openSocketPair('127.0.0.1');
  closing.push(() => {
    agent.rtp.close();
    agent.rtcp.close();
  });
  const headers: { readonly type: number; readonly timestamp: number }[] = [];
  agent.rtp.on('message', (packet) =>
    headers.push({ type: packet[1]! & 0x7f, timestamp: packet.readUInt32BE(4) }),
  );
  const audio = await answeredCall(agent.rtp.address().port);
  expect(audio.press(7, '1#')).toBe(true);
  await until(() => audio.lines.length > 0, 20_000, 'the keys are pressed');
  await until(() => headers.at(-1)?.type === 0, 20_000, 'audio follows');
  const events = headers.filter(({ type }) => type === 101);
  expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(2);
  expect(events.length).toBeGreaterThanOrEqual(12);
  expect(audio.lines).toMatchObject([{ line: 7, isCut: false }]);
});

it.each([300, 1_000])('hears what arrives while its process is stalled for %i ms', async (milliseconds) => {
  const { audio, turns, beganAt, packets } = await spokenTo('HELLO THERE');
  await until(() => beganAt() !== undefined, 10_000, 'the agent speaks');
  stall(milliseconds);
  await until(() => turns.length > 0, 10_000, 'the agent has spoken');
  expect(turns.map(({ samples }) => decodeTones(samples))).toEqual(['HELLO THERE']);
  expect(audio.packets).toMatchObject({ received: packets.length, lost: 0, late: 0 });
  expect(audio.speech).toHaveLength(1);
  expect(audio.speech[0]!.to - audio.speech[0]!.from).toBeGreaterThan(1_200);
});

it('interrupts on time after a stall of its process', async () => {
  const { audio, beganAt } = await spokenTo('HELLO THERE');
  audio.say(1, encodeTones('STOP'), 200);
  await until(() => beganAt() !== undefined, 10_000, 'the agent speaks');
  stall(300);
  await until(() => audio.lines.length > 0, 10_000, 'the caller has spoken');
  expect(audio.lines[0]!.from - beganAt()!).toBeGreaterThanOrEqual(200);
  expect(audio.lines[0]!.from - beganAt()!).toBeLessThan(260);
});

/** A call whose agent begins to say the words. */
async function spokenTo(words: string) {
  const master = Buffer.alloc(masterLength, 7);
  const sockets = await openSocketPair('127.0.0.1');
  const turns: HeardTurn[] = [];
  let beganAt: number | undefined;
  const audio = new CallerAudio(sockets, 300, {
    began: (at) => {
      beganAt ??= at;
    },
    turn: (turn) => turns.push(turn),
    said: () => {},
  });
  closing.push(() => audio.close());
  const peer = await openSocketPair('127.0.0.1');
  closing.push(
    () => peer.rtp.close(),
    () => peer.rtcp.close(),
  );
  audio.agree({
    codec: 'PCMU',
    payloadType: 0,
    address: '127.0.0.1',
    port: peer.rtp.address().port,
    rtcpPort: peer.rtcp.address().port,
    master,
    keyTag: '1',
    eventPayloadType: 101,
    maySend: true,
  });
  audio.answered();
  const packets = packetsOf(words, master);
  const worker = new Worker(sender, { eval: true, workerData: { packets, port: audio.port } });
  closing.push(() => worker.terminate());
  return { audio, turns, beganAt: () => beganAt, packets };
}
