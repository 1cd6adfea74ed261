import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { newCounters } from '../../../../src/engine/transport/counters.js';
import type { TransportError } from '../../../../src/engine/transport/flow.js';
import type { KeepAliveSettings } from '../../../../src/engine/transport/settings.js';
import { transportSettings } from '../../../../src/engine/transport/settings.js';
import { StreamConnection } from '../../../../src/engine/transport/stream-connection.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { request } from './layer.js';

class SocketDouble extends EventEmitter {
  remoteAddress = '::ffff:198.51.100.2';
  remotePort = 40_000;
  localAddress = '192.0.2.1';
  localPort = 5060;
  writableLength = 0;
  readonly written: string[] = [];
  hasEnded = false;
  isDestroyed = false;

  write(bytes: string): void {
    this.written.push(bytes);
  }

  end(): void {
    this.hasEnded = true;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

const defaults = transportSettings({ listeners: [] });
const limits = {
  ...defaults.limits,
  writeBacklogBytes: 100,
  messageMilliseconds: 5_000,
  firstMessageMilliseconds: 10_000,
  idleMilliseconds: 60_000,
  pingsPerSecond: 3,
};

describe('a stream connection', () => {
  let clock: ManualClock;
  let socket: SocketDouble;
  let messages: string[];
  let framingFailures: string[];
  let closed: (string | undefined)[];
  let failures: TransportError[];
  const failed = (error: TransportError): void => void failures.push(error);
  const counters = newCounters();
  beforeEach(() => {
    clock = new ManualClock();
    socket = new SocketDouble();
    [messages, framingFailures, closed, failures] = [[], [], [], []];
    Object.assign(counters, newCounters());
  });

  const open = (
    direction: 'incoming' | 'outgoing' = 'incoming',
    keepAlive: Partial<KeepAliveSettings> = {},
  ) =>
    new StreamConnection({
      id: 'c1',
      protocol: 'tcp',
      listener: {
        protocol: 'tcp',
        address: '192.0.2.1',
        port: 5060,
        advertisedHost: '192.0.2.1',
        advertisedPort: 5060,
      },
      socket: socket as unknown as Socket,
      direction,
      limits,
      keepAlive: {
        ...defaults.keepAlive,
        intervalMilliseconds: 30_000,
        pongMilliseconds: 10_000,
        closeWithoutPong: 'if-answered',
        ...keepAlive,
      } as KeepAliveSettings,
      counters,
      clock,
      handler: {
        message: (_connection, message) => void messages.push(message.headers.get('Call-ID') ?? ''),
        framingFailed: (_connection, error) => void framingFailures.push(error.message),
        closed: (_connection, reason) => void closed.push(reason),
      },
    });
  const receive = (text: string): boolean => socket.emit('data', Buffer.from(text, 'latin1'));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('names its peer by the plain IPv4 address', () => {
    expect(open()).toMatchObject({ remoteAddress: '198.51.100.2', remotePort: 40_000, isOpen: true });
  });

  test('writes what one turn of the event loop queues in one piece', async () => {
    const connection = open();
    connection.write('one ');
    connection.write('two');
    expect(socket.written).toEqual([]);
    await turn();
    connection.write('three');
    await turn();
    expect(socket.written).toEqual(['one two', 'three']);
    expect(counters.bytesSent).toBe(12);
  });

  test('writes what is queued before it closes, and nothing after that', async () => {
    const connection = open();
    connection.write('last');
    connection.close('done');
    connection.close('again');
    expect([socket.written, socket.hasEnded, connection.isOpen]).toEqual([['last'], true, false]);
    connection.write('late', failed);
    await turn();
    expect(socket.written).toEqual(['last']);
    expect(failures[0]?.message).toContain('198.51.100.2 port 40000 is closed: done');
    socket.emit('close');
    socket.emit('close');
    expect(closed).toEqual(['done']);
  });

  test('reports what is lost when it is destroyed, with the first reason', () => {
    const connection = open();
    connection.write('lost', failed);
    socket.emit('error', new Error('reset by peer'));
    connection.destroy('other reason');
    expect([socket.isDestroyed, socket.written, failures]).toEqual([true, [], []]);
    socket.emit('close');
    expect(failures.map(({ failure, message }) => [failure, message])).toEqual([
      ['closed', expect.stringContaining('reset by peer')],
    ]);
    expect(closed).toEqual(['reset by peer']);
  });

  test('is destroyed when the peer reads less than it is sent', () => {
    const connection = open();
    socket.writableLength = 60;
    connection.write('x'.repeat(40));
    expect([counters.closedBacklog, socket.isDestroyed]).toEqual([0, false]);
    connection.write('x');
    expect([counters.closedBacklog, socket.isDestroyed]).toEqual([1, true]);
  });

  test('is closed by the peer without a reason', () => {
    const connection = open();
    socket.emit('end');
    expect(connection.isOpen).toBe(false);
    socket.emit('close');
    expect(closed).toEqual([undefined]);
  });

  test('is destroyed when nothing comes after its opening, which concerns incoming ones alone', () => {
    const connection = open();
    connection.check(10_000);
    expect(socket.isDestroyed).toBe(false);
    connection.check(10_001);
    expect([socket.isDestroyed, counters.closedNoMessage]).toEqual([true, 1]);
    socket = new SocketDouble();
    open('outgoing').check(10_001);
    expect(socket.isDestroyed).toBe(false);
    socket = new SocketDouble();
    const used = open();
    receive(request());
    used.check(10_001);
    expect([messages, socket.isDestroyed]).toEqual([['call-1'], false]);
  });

  test('is destroyed when a message does not become complete, counted from its first octet', async () => {
    const connection = open();
    receive(request().slice(0, 20));
    await clock.advance(4_000);
    receive(request().slice(20, 40));
    connection.check(5_000);
    expect(socket.isDestroyed).toBe(false);
    connection.check(5_001);
    expect([socket.isDestroyed, counters.closedSlowMessage]).toEqual([true, 1]);
    socket = new SocketDouble();
    const whole = open();
    receive(request().slice(0, 20));
    receive(request().slice(20));
    whole.check(clock.now() + 5_001);
    expect(socket.isDestroyed).toBe(false);
    receive(request() + request().slice(0, 20));
    whole.check(clock.now() + 5_001);
    expect(socket.isDestroyed).toBe(true);
  });

  test('is closed when it has been idle in both directions', async () => {
    const connection = open();
    receive(request());
    await clock.advance(30_000);
    connection.write('x');
    await turn();
    connection.check(90_000);
    expect(socket.hasEnded).toBe(false);
    connection.check(90_001);
    expect([socket.hasEnded, counters.closedIdle]).toEqual([true, 1]);
    socket.emit('close');
    expect(closed).toEqual(['idle']);
  });

  test('is destroyed when the peer does not close its side within two seconds', async () => {
    await clock.advance(1_000);
    const connection = open();
    connection.close();
    connection.check(3_000);
    expect(socket.isDestroyed).toBe(false);
    connection.check(3_001);
    expect(socket.isDestroyed).toBe(true);
  });

  test('reads nothing after what cannot be framed, but answers earlier requests for two seconds', () => {
    const connection = open();
    receive(`${request({ callId: 'good' })}garbage\r\n\r\n`);
    expect([messages, framingFailures.length, counters.framingErrors]).toEqual([['good'], 1, 1]);
    expect([connection.isOpen, connection.takesRequests]).toEqual([true, false]);
    receive(request({ callId: 'ignored' }));
    expect(messages).toEqual(['good']);
    connection.check(2_000);
    expect(socket.hasEnded).toBe(false);
    connection.check(2_001);
    expect(socket.hasEnded).toBe(true);
  });

  test('closes at once when nothing came before what cannot be framed', () => {
    open();
    receive('garbage\r\n\r\n');
    expect([framingFailures.length, socket.hasEnded]).toEqual([1, true]);
  });

  test('answers pings up to their limit a second, and handles nothing behind those that are too many', async () => {
    const connection = open();
    receive('\r\n\r\n'.repeat(3));
    await turn();
    expect(socket.written).toEqual(['\r\n\r\n\r\n']);
    await clock.advance(1_000);
    receive('\r\n\r\n'.repeat(3));
    expect(socket.isDestroyed).toBe(false);
    receive(`\r\n\r\n${request()}garbage\r\n\r\n`);
    expect([counters.closedPingFlood, socket.isDestroyed, connection.isOpen]).toEqual([1, true, false]);
    expect([messages, framingFailures]).toEqual([[], []]);
  });

  describe('that the engine has opened', () => {
    const ping = '\r\n\r\n';
    const pong = '\r\n';

    test('pings after silence, and again while the peer answers', async () => {
      const connection = open('outgoing');
      connection.check(29_999);
      expect(socket.written).toEqual([]);
      connection.check(30_000);
      expect(socket.written).toEqual([ping]);
      connection.check(30_001);
      expect(socket.written).toEqual([ping]);
      await clock.advance(31_000);
      receive(pong);
      connection.check(60_999);
      expect(socket.written).toEqual([ping]);
      connection.check(61_000);
      expect(socket.written).toEqual([ping, ping]);
    });

    test('is destroyed when a peer that has answered before does not answer', () => {
      const connection = open('outgoing');
      connection.check(30_000);
      receive(pong);
      connection.check(30_000);
      connection.check(40_000);
      expect(socket.isDestroyed).toBe(false);
      connection.check(40_001);
      expect([socket.isDestroyed, counters.closedNoPong]).toEqual([true, 1]);
    });

    test('stays when a peer has never answered, and is pinged on, unless configured otherwise', () => {
      const connection = open('outgoing');
      for (const now of [30_000, 40_001, 59_999]) connection.check(now);
      expect([socket.isDestroyed, socket.written]).toEqual([false, [ping]]);
      connection.check(60_000);
      expect(socket.written).toEqual([ping, ping]);
      socket = new SocketDouble();
      const strict = open('outgoing', { closeWithoutPong: 'always' });
      strict.check(30_000);
      strict.check(40_001);
      expect(socket.isDestroyed).toBe(true);
    });

    test('is never pinged where that is switched off', () => {
      open('outgoing', { intervalMilliseconds: 0 }).check(50_000);
      expect(socket.written).toEqual([]);
    });
  });

  describe('whose peer may be gone', () => {
    const silent = async (): Promise<StreamConnection> => {
      const connection = open();
      expect(connection.isSilentFor(0, 1_000)).toBe(false);
      connection.write('x');
      await turn();
      return connection;
    };

    test('is silent from its first unanswered octet on', async () => {
      const connection = await silent();
      await clock.advance(500);
      connection.write('y');
      await turn();
      expect([connection.isSilentFor(1_000, 1_000), connection.isSilentFor(1_000, 1_001)]).toEqual([
        false,
        true,
      ]);
      receive('\r\n');
      expect(connection.isSilentFor(0, 5_000)).toBe(false);
    });

    test('is destroyed only after several retransmissions of what the kernel still holds', async () => {
      const connection = await silent();
      connection.judge({ retransmissions: 2 } as never);
      expect([socket.isDestroyed, connection.isSilentFor(0, 1)]).toEqual([false, true]);
      connection.judge(undefined);
      expect(connection.isSilentFor(0, 1)).toBe(false);
      connection.judge({ retransmissions: 9 } as never);
      expect(socket.isDestroyed).toBe(false);
      connection.write('z');
      await turn();
      connection.judge({ retransmissions: 3 } as never);
      expect([socket.isDestroyed, counters.closedUnacknowledged]).toEqual([true, 1]);
    });
  });
});
