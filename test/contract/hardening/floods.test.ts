import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/base/seeded-random.js';
import type { SipResponse } from '../../../src/sip/message.js';
import { serialize } from '../../../src/sip/serialize.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { PeerCall } from '../../support/peer-call.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { trunkDescription } from '../media/descriptions.js';
import { AutomaticAgent } from './automatic-agent.js';
import { calledNumber, Stage } from './stage.js';

/** Long enough for a machine that needs seconds for a flood: 64·T1 is what a request has. */
const t1 = 100;

let stage: Stage;
let trunk: SipPeer;
/** Its edge wants to set up a call in 10 ms. */
let hurried: Stage;
beforeAll(async () => {
  stage = await Stage.start({
    // Fifty calls.
    rtpPorts: 200,
    engine: { t1 },
    edge: { DEMARC_ORGANIZATION_CALLS_PER_SECOND: '10000', DEMARC_SOURCE_CALLS_PER_SECOND: '10000' },
  });
  trunk = await stage.peer('tcp');
  hurried = await Stage.start({
    engine: { t1 },
    edge: {
      DEMARC_SETUP_DELAY_MS: '10',
      // Calls that wait for their setup count.
      DEMARC_ORGANIZATION_MAX_CALLS: '5000',
      DEMARC_ORGANIZATION_CALLS_PER_SECOND: '10000',
      DEMARC_SOURCE_CALLS_PER_SECOND: '10000',
    },
  });
});
afterAll(async () => {
  await stage?.stop();
  await hurried?.stop();
});

/** Sends many INVITEs at once; resolves with the final response of each, refusals acknowledged. */
async function flood(from: SipPeer, count: number, number: string, milliseconds: number) {
  const calls = Array.from({ length: count }, () => PeerCall.to(from, number));
  const invites = calls.map((call) => {
    call.invitation = call.build('INVITE', { body: trunkDescription() });
    return call.invitation;
  });
  const byCallId = new Map(calls.map((call) => [call.callId, call]));
  const finals = new Map<string, SipResponse>();
  const route = await from.route();
  if (from.protocol === 'udp') {
    for (const [index, invite] of invites.entries()) {
      await from.send(invite);
      if (index % 50 === 49) await pause(2);
    }
  } else route.send(invites.map(serialize).join(''));
  await until(
    async () => {
      for (const { message } of from.everything.splice(0)) {
        if (message.kind !== 'response' || message.status < 200) continue;
        const callId = message.headers.get('Call-ID')!;
        if (!message.headers.get('CSeq')!.endsWith('INVITE') || finals.has(callId)) continue;
        const call = byCallId.get(callId);
        // A repeated answer of an earlier flood.
        if (call === undefined) continue;
        finals.set(callId, message);
        call.learn(message);
        await call.ack(message);
      }
      return finals.size === count;
    },
    milliseconds,
    () => `a final response for each of ${count}; there were ${finals.size}`,
  );
  return { calls, finals };
}

const statuses = (finals: ReadonlyMap<string, SipResponse>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of finals.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** The engine's table of requests on their way or waiting for retransmissions. */
async function transactions(): Promise<number> {
  const counts = Object.entries((await stage.engine.counts())!);
  return counts
    .filter(([name]) => name.startsWith('transactions.'))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** While an automatic agent answers. */
async function expectCallToSucceed(): Promise<void> {
  const { calls, finals } = await flood(trunk, 1, calledNumber, 5_000);
  expect(statuses(finals)).toEqual({ 200: 1 });
  await calls[0]!.hangUp();
}

async function endAnswered(
  calls: readonly PeerCall[],
  finals: ReadonlyMap<string, SipResponse>,
): Promise<void> {
  for (const call of calls) if (finals.get(call.callId)!.status === 200) await call.send('BYE');
  await stage.expectNothingLeft();
}

describe('datagrams that are no calls', () => {
  it('4,000 from 20 addresses leave no state, no full log, and calls continue', async () => {
    const random = seededRandom(3);
    const noise = Buffer.from(Array.from({ length: 2_048 }, () => Math.floor(random() * 256)));
    const { host, port } = stage.engine.listeners.udp!;
    const garbage = [
      (index: number) => noise.subarray(index % 1_024, (index % 1_024) + 32 + (index % 900)),
      (index: number) =>
        `SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP ${host}:${port};branch=z9hG4bKstray${index}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:c@d>;tag=2\r\nCall-ID: stray-${index}\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n`,
      (index: number) => `INVITE sip:${index}@${host} SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1\r\nFrom`,
      (index: number) =>
        `ACK sip:1@${host} SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKack${index}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:c@d>;tag=2\r\nCall-ID: ack-${index}\r\nCSeq: 1 ACK\r\nContent-Length: 0\r\n\r\n`,
      (index: number) => `GET /${index} HTTP/1.1\r\nHost: sip.example.com\r\nAccept: */*\r\n\r\n`,
    ];
    const sockets: Socket[] = [];
    for (let last = 1; last <= 20; last++) {
      const socket = createSocket('udp4');
      await new Promise<void>((resolve) => socket.bind(0, `127.0.0.${100 + last}`, resolve));
      sockets.push(socket);
    }
    await stage.expectNothingLeft();
    const before = await stage.memory();
    const logged = stage.engine.output().length + stage.edge.output.length;
    const from = performance.now();
    for (let index = 0; index < 4_000; index++) {
      const bytes = garbage[index % garbage.length]!(index);
      sockets[index % sockets.length]!.send(bytes, port, host);
      if (index % 200 === 199) await pause(5);
      if (index === 2_000) {
        const agent = new AutomaticAgent(stage.agent, t1);
        await expectCallToSucceed();
        agent.stop();
      }
    }
    const most = { engine: 0, edge: 0 };
    const isForgotten = async (): Promise<boolean> => {
      const { engine, edge } = await stage.memory();
      most.engine = Math.max(most.engine, engine);
      most.edge = Math.max(most.edge, edge);
      return (await transactions()) === 0;
    };
    // What is read in a datagram without To tag and answered is remembered for 64·T1; none of this was.
    await until(isForgotten, 64 * t1 + 2_000, 'no transaction is left');
    await stage.expectNothingLeft();
    expect(most.engine - before.engine).toBeLessThan(120);
    expect(most.edge - before.edge).toBeLessThan(120);
    // Eleven lines a second, which last longer on a busy machine; a line for each of them would be 400,000 octets.
    const seconds = Math.ceil((performance.now() - from) / 1_000);
    expect(stage.engine.output().length + stage.edge.output.length - logged).toBeLessThan(
      20_000 + 3_000 * seconds,
    );
    await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.close(() => done()))));
  });

  it('INVITEs without right to call get their answer and cost no port, no agent, and few records', async () => {
    const stranger = await stage.peer('udp', { host: '127.0.0.99' });
    await stage.configure({ inbound: [{ id: 'trunk', allowed_sources: ['127.0.0.1'] }] });
    const offers = 'demarc_rtpengine_command_duration_seconds_count{command="offer",result="ok"}';
    const before = await stage.metric(offers);
    stage.agent.everything.splice(0);
    const logged = stage.edge.output.length;
    await stage.otherRecords();
    const from = performance.now();
    const toKnownNumber = await flood(stranger, 300, calledNumber, 20_000);
    expect(statuses(toKnownNumber.finals)).toEqual({ 403: 300 });
    const unknown = await flood(stranger, 200, '4930999999', 20_000);
    expect(statuses(unknown.finals)).toEqual({ 404: 200 });
    expect(await stage.metric(offers)).toBe(before);
    await stage.expectNothingLeft();
    expect(stage.agent.everything).toEqual([]);
    // One source has a fifth of the budget: ten seconds of it at once, and what grows meanwhile.
    const seconds = (performance.now() - from) / 1_000;
    expect((await stage.otherRecords()).length).toBeLessThanOrEqual(200 + Math.ceil(seconds) * 20);
    expect(stage.edge.output.length - logged).toBeLessThan(190_000);
    await stage.configure({});
  });
});

describe('calls far above what may be carried', () => {
  it('of a number with a limit: 503 with Retry-After, admitted ones are whole, memory stays', async () => {
    const agent = new AutomaticAgent(stage.agent, t1);
    await stage.configure({ limits: { concurrent_calls: 40 } });
    const memory: { engine: number; edge: number }[] = [];
    for (let round = 0; round < 2; round++) {
      const from = performance.now();
      const { calls, finals } = await flood(trunk, 150, calledNumber, 30_000);
      const givenUp = Math.ceil((performance.now() - from) / (64 * t1));
      const { 200: answered = 0, 503: refused = 0, ...rest } = statuses(finals);
      expect(rest).toEqual({});
      // No caller acknowledges during the flood: if it takes long, the first calls end for that and free their slots.
      expect(answered).toBeGreaterThanOrEqual(40);
      expect(answered).toBeLessThanOrEqual(40 * (2 + givenUp));
      expect(answered + refused).toBe(150);
      for (const final of finals.values()) {
        if (final.status === 503) expect(final.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
      }
      const watch = Stopwatch.start();
      expect(await stage.health()).toBe(200);
      expect(watch.milliseconds).toBeLessThan(watch.bound(3_000));
      await endAnswered(calls, finals);
      memory.push(await stage.memory());
    }
    expect(memory[1]!.engine - memory[0]!.engine).toBeLessThan(80);
    expect(memory[1]!.edge - memory[0]!.edge).toBeLessThan(80);
    await stage.configure({});
    await expectCallToSucceed();
    agent.stop();
  });

  it('of rtpengine’s ports: 503 with Retry-After, a few log lines, and all ports are released', async () => {
    const agent = new AutomaticAgent(stage.agent, t1);
    await stage.otherRecords();
    const logged = stage.edge.output.length;
    const from = performance.now();
    const { calls, finals } = await flood(trunk, 300, calledNumber, 30_000);
    const { 200: answered = 0, 503: refused = 0, ...rest } = statuses(finals);
    expect(rest).toEqual({});
    expect(answered).toBeGreaterThan(40);
    expect(answered + refused).toBe(300);
    for (const final of finals.values()) {
      if (final.status === 503) expect(final.headers.get('Retry-After')).toBeDefined();
    }
    const lines = stage.edge.output.slice(logged).split('\n');
    const seconds = (performance.now() - from) / 1_000;
    // One in five seconds.
    expect(lines.filter((line) => line.includes('is refusing calls')).length).toBeLessThan(5 + seconds / 5);
    await endAnswered(calls, finals);
    const refusals = (await stage.otherRecords()).filter(({ end_reason }) => end_reason === 'media_failed');
    expect(refusals.length).toBeLessThanOrEqual(200 + Math.ceil(seconds) * 20);
    await expectCallToSucceed();
    agent.stop();
  });
});

describe('calls far above what the edge has time for', () => {
  it('get 503 with Retry-After and Reason, are counted, and leave nothing', async () => {
    const agent = new AutomaticAgent(hurried.agent, t1);
    const caller = await hurried.peer('tcp');
    const { calls, finals } = await flood(caller, 800, calledNumber, 60_000);
    const { 200: answered = 0, 503: refused = 0, ...rest } = statuses(finals);
    expect(rest).toEqual({});
    expect(answered).toBeGreaterThanOrEqual(3);
    expect(refused).toBeGreaterThan(300);
    const refusals = [...finals.values()].filter(({ status }) => status === 503);
    for (const { headers } of refusals) expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    for (const { headers } of refusals)
      expect(headers.get('Reason')).toEqual(expect.stringMatching(/^SIP;cause=503;text="/));
    // On a busy machine some are refused for other reasons: the edge is silent for two seconds, or rtpengine does not answer in time.
    const shed = refusals.filter(({ headers }) => headers.get('Reason')?.includes('"Busy, '));
    expect(shed.length).toBeGreaterThan(100);
    expect(await hurried.metric('demarc_calls_shed_total')).toBe(shed.length);
    expect(await hurried.metric('demarc_refusals_total{reason="refused_limit",status="503"}')).toBe(
      shed.length,
    );
    for (const call of calls) if (finals.get(call.callId)!.status === 200) await call.send('BYE');
    await hurried.expectNothingLeft();
    const afterwards = await flood(caller, 1, calledNumber, 5_000);
    expect(statuses(afterwards.finals)).toEqual({ 200: 1 });
    await afterwards.calls[0]!.hangUp();
    agent.stop();
  });
});
