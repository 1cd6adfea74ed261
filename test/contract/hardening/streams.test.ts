import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serialize } from '../../../src/sip/serialize.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until, within } from '../../../src/testkit/waiting.js';
import { PeerCall } from '../../support/peer-call.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { trunkDescription } from '../media/descriptions.js';
import { calledNumber, Stage } from './stage.js';

let stage: Stage;
let trunk: SipPeer;
beforeAll(async () => {
  stage = await Stage.start({ isTls: true });
  trunk = await stage.peer('tls');
});
afterAll(() => stage?.stop());

/** Opens connections from one address; resolves when each is connected or was closed. */
async function open(count: number, localAddress: string, protocol: 'tcp' | 'tls'): Promise<Socket[]> {
  const { host, port } = stage.engine.listeners[protocol]!;
  const sockets = Array.from({ length: count }, () => connect({ host, port, localAddress }));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on('error', () => resolve());
          socket.once('connect', () => resolve());
        }),
    ),
  );
  return sockets;
}

const isClosed = (socket: Socket): boolean => socket.destroyed || socket.readyState !== 'open';
const closedOf = (sockets: readonly Socket[]): number => sockets.filter(isClosed).length;

async function openConnections(): Promise<number> {
  return (await stage.engine.counts())!.openConnections!;
}

describe('connection floods', () => {
  it('handshakes that never end: 128 of one source, while others connect and call', async () => {
    const sockets = await open(400, '127.0.0.50', 'tls');
    await until(
      () => closedOf(sockets) >= 272,
      5_000,
      () => `refused above 128: ${closedOf(sockets)}`,
    );
    await stays(() => expect(closedOf(sockets)).toBe(400 - 128), 100);
    expect((await stage.callAndHangUp(trunk)).outcome).toBe('completed');
    const neighbor = await stage.peer('tls', { host: '127.0.0.51' });
    expect((await stage.callAndHangUp(neighbor)).outcome).toBe('completed');
    for (const socket of sockets) socket.destroy();
    // Their places are free again at once.
    await until(async () => (await open(1, '127.0.0.50', 'tls')).every((s) => !isClosed(s)), 3_000, 'place');
  });

  it('1,000 connections of one source, then no more; others connect and call', async () => {
    const before = await openConnections();
    const memory = await stage.memory();
    const sockets: Socket[] = [];
    for (let round = 0; round < 11; round++) sockets.push(...(await open(100, '127.0.0.52', 'tcp')));
    await until(
      () => closedOf(sockets) >= 100,
      5_000,
      () => `refused above 1,000: ${closedOf(sockets)}`,
    );
    expect(await openConnections()).toBeLessThanOrEqual(before + 1_000);
    expect((await stage.memory()).engine - memory.engine).toBeLessThan(120);
    const neighbor = await stage.peer('tcp', { host: '127.0.0.53' });
    expect((await stage.callAndHangUp(neighbor)).outcome).toBe('completed');
    for (const socket of sockets) socket.destroy();
    await until(async () => (await openConnections()) <= before + 2, 5_000, 'all are closed');
  });
});

describe('a process without file descriptors', () => {
  const limitDescriptors = (limit: string): void => {
    execFileSync('prlimit', ['--pid', String(stage.engine.pid), `--nofile=${limit}:`]);
  };

  it('keeps the calls it has, takes more over open connections, and accepts again when there are some', async () => {
    const legs = await stage.establish(trunk);
    const used = (await readdir(`/proc/${stage.engine.pid}/fd`)).length;
    const [, usual] = /files\s+(\d+)/.exec(await readFile(`/proc/${stage.engine.pid}/limits`, 'utf8'))!;
    limitDescriptors(String(used + 10));
    const sockets = await open(40, '127.0.0.54', 'tcp');
    await until(() => closedOf(sockets) > 0, 5_000, 'one is closed');
    expect((await stage.callAndHangUp(trunk)).outcome).toBe('completed');
    await stage.hangUp(legs);
    expect(await stage.record(legs.trunk.callId)).toMatchObject({ end_reason: 'caller_hung_up' });
    for (const socket of sockets) socket.destroy();
    limitDescriptors(usual!);
    const later = await stage.peer('tcp');
    expect((await stage.callAndHangUp(later)).outcome).toBe('completed');
  });
});

describe('senders that never end a message', () => {
  it('slowloris over TLS: closed after ten seconds although octets arrive; other calls continue', async () => {
    const { host, port } = stage.engine.listeners.tls!;
    const sockets = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const socket: TLSSocket = tlsConnect({ host, port, rejectUnauthorized: false });
        await within(
          new Promise((resolve) => socket.once('secureConnect', resolve)),
          5_000,
          'handshake of a slow sender',
        );
        socket.on('error', () => {});
        // Unread data would keep the end of the connection from showing.
        socket.resume();
        socket.write('INVITE sip:1@example.com SIP/2.0\r\nVia: ');
        return socket;
      }),
    );
    const watch = Stopwatch.start();
    const drip = setInterval(() => {
      for (const socket of sockets) if (!isClosed(socket)) socket.write('x');
    }, 200);
    expect((await stage.callAndHangUp(trunk)).outcome).toBe('completed');
    await until(
      () => closedOf(sockets) === 60,
      14_000,
      () => `closed: ${closedOf(sockets)} of 60`,
    );
    clearInterval(drip);
    expect(watch.milliseconds).toBeGreaterThan(8_000);
    expect(watch.milliseconds).toBeLessThan(watch.bound(20_000));
  });

  it('a body of 2 GB announced: 413 and closed, no memory taken', async () => {
    const peer = await stage.peer('tcp');
    const route = await peer.route();
    const memory = await stage.memory();
    const call = PeerCall.to(peer, calledNumber);
    const text = serialize(call.build('INVITE', { body: trunkDescription() }));
    route.send(text.replace(/Content-Length: \d+/, 'Content-Length: 2147483647'));
    expect((await call.response(413)).message.status).toBe(413);
    await until(() => !route.isOpen(), 3_000, 'closed');
    expect((await stage.memory()).engine - memory.engine).toBeLessThan(100);
  });
});

describe('a stream with a second message hidden by lengths that disagree', () => {
  it.each([
    ['two Content-Lengths', 'Content-Length: 0\r\nContent-Length: LENGTH'],
    ['a list', 'Content-Length: 0, LENGTH'],
    ['a sign', 'Content-Length: +LENGTH'],
    ['a folded line', 'Content-Length:\r\n 0\r\nl: LENGTH'],
    ['a compact twin', 'l: LENGTH\r\nContent-Length: 0'],
  ])('%s: 400, closed, and the hidden one is never read', async (_name, lengths) => {
    const peer = await stage.peer('tcp');
    const route = await peer.route();
    const hidden = PeerCall.to(peer, 'hidden').build('OPTIONS');
    const inner = serialize(hidden);
    const outer = PeerCall.to(peer, calledNumber);
    const text = serialize(outer.build('OPTIONS')).replace(
      /Content-Length: \d+/,
      lengths.replace('LENGTH', String(inner.length)),
    );
    route.send(text + inner);
    await until(() => !route.isOpen(), 3_000, 'closed');
    const answers = peer.all((message) => message.kind === 'response');
    expect(answers.map(({ message }) => message.kind === 'response' && message.status)).toEqual([400]);
    expect(answers[0]!.message.headers.get('Call-ID')).toBe(outer.callId);
  });
});

describe('a connection lost during a call', () => {
  it.each(['tcp', 'tls'] as const)('over %s: BYE reaches the caller over a new one', async (protocol) => {
    const certificate = await stage.authority.issue('caller');
    const caller = await stage.peer(protocol, { certificate });
    const legs = await stage.establish(caller);
    caller.closeConnections();
    await legs.agent.send('BYE');
    const bye = await caller.expectRequest('BYE', { callId: legs.trunk.callId });
    await legs.trunk.respond(bye, 200);
    await legs.agent.response(200, 'BYE');
    expect(caller.accepted).toBe(1);
    expect((await stage.record(legs.trunk.callId)).end_reason).toBe('agent_hung_up');
    await stage.expectNothingLeft();
  });

  it('permanently: the agent’s BYE is still answered, and no state is left', async () => {
    const legs = await stage.establish(trunk);
    // It listens without a certificate, so a peer that verifies one cannot reconnect to it.
    trunk.closeConnections();
    const watch = Stopwatch.start();
    await legs.agent.send('BYE');
    await legs.agent.response(200, 'BYE');
    expect(watch.milliseconds).toBeLessThan(watch.bound(3_000));
    expect(await stage.record(legs.trunk.callId, 12_000)).toMatchObject({ end_reason: 'agent_hung_up' });
    await stage.expectNothingLeft();
  });
});
