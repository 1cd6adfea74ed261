import { EventEmitter, once } from 'node:events';
import * as net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Received,
  readingOptions,
  TappedSocket,
} from '../../../../src/media-stream/bot/tapped-socket.js';

let server: net.Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** A connection to a server that does that with it, and the socket inside. */
async function tapped(serve: (socket: net.Socket) => void) {
  server = net.createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  let inner!: net.Socket;
  const socket = new TappedSocket((received) => {
    inner = net.connect({ port, host: '127.0.0.1', onread: readingOptions(received) });
    return inner;
  });
  return { socket, inner };
}

it('is read to its end when the connection has closed before', async () => {
  const { socket, inner } = await tapped((peer) => peer.end('the last octets'));
  await once(inner, 'close');
  const received: string[] = [];
  socket.on('data', (octets: Buffer) => received.push(octets.toString()));
  await once(socket, 'close');
  expect(received).toEqual(['the last octets']);
});

it('closes with the error of a connection that is reset', async () => {
  const { socket } = await tapped((peer) => peer.resetAndDestroy());
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
  expect(socket.destroyed).toBe(true);
});

/** A connection whose octets the test delivers. */
class InnerDouble extends EventEmitter {
  readonly steps: string[] = [];
  readonly writableLength = 17;
  readableEnded = false;

  note =
    (step: string) =>
    (...values: unknown[]): this => {
      this.steps.push([step, ...values.filter((value) => typeof value !== 'function')].join(' '));
      for (const value of values) if (typeof value === 'function') value();
      return this;
    };
  pause = this.note('pause');
  resume = this.note('resume');
  write = this.note('write');
  end = this.note('end');
  destroy = this.note('destroy');
  setTimeout = this.note('setTimeout');
  setNoDelay = this.note('setNoDelay');
}

function double() {
  const inner = new InnerDouble();
  let received!: Received;
  const socket = new TappedSocket((given) => {
    received = given;
    return inner;
  });
  /** The memory is used again afterwards. */
  const deliver = (octets: Buffer | string): void => {
    const given = Buffer.from(octets);
    received(given);
    given.fill(0);
  };
  return { inner, socket, deliver };
}

describe('a tapped socket', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('rests for as long as the first request says, and then reads again', () => {
    const { inner, socket } = double();
    socket.rest(100);
    vi.advanceTimersByTime(60);
    socket.rest(100);
    socket.read(0);
    expect(inner.steps).toEqual(['pause']);
    vi.advanceTimersByTime(40);
    expect(inner.steps).toEqual(['pause', 'resume']);
    socket.rest(50);
    vi.advanceTimersByTime(50);
    expect(inner.steps).toEqual(['pause', 'resume', 'pause', 'resume']);
  });

  it('stops reading while the library has not read what it has', () => {
    const { inner, socket, deliver } = double();
    deliver(Buffer.alloc(socket.readableHighWaterMark - 1));
    expect(inner.steps).toEqual([]);
    deliver('x');
    expect(inner.steps).toEqual(['pause']);
    expect(socket.read()).toHaveLength(socket.readableHighWaterMark);
    expect(inner.steps).toContain('resume');
  });

  it.each([
    ['takes whole messages', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', ['hi'], ''],
    ['leaves all to the library', 'HTTP/1.1 101 Switching Protocols\r\n\r\n\u0081', [], '\u0001\u0002hi'],
  ])('%s after that answer to the handshake', async (_what, answer, taken, left) => {
    const { socket, deliver } = double();
    const read: string[] = [];
    socket.on('data', (octets: Buffer) => read.push(octets.toString('latin1')));
    deliver(Buffer.from(answer, 'latin1'));
    await new Promise(setImmediate);
    expect(read.splice(0).join('')).toBe(answer);
    const messages: string[] = [];
    socket.tap((data, isBinary) => messages.push(isBinary ? 'binary' : data.toString()));
    deliver(Buffer.from(left === '' ? '\u0081\u0002hi' : left, 'latin1'));
    await new Promise(setImmediate);
    expect([messages, read.join('')]).toEqual([taken, left]);
  });

  it('does as a socket for the library', () => {
    const { inner, socket } = double();
    const timeouts = vi.fn();
    socket.on('timeout', timeouts);
    socket.setTimeout(500);
    socket.setNoDelay(true);
    socket.writeFrame(Buffer.from('frame'));
    socket.write('text');
    inner.emit('timeout');
    expect(inner.steps).toEqual(['setTimeout 500', 'setNoDelay true', 'write frame', 'write text']);
    expect(timeouts).toHaveBeenCalledOnce();
    expect(socket.waiting).toBe(17);
  });

  it('ends and destroys the connection beneath', async () => {
    const ended = double();
    ended.socket.end();
    await once(ended.socket, 'finish');
    expect(ended.inner.steps).toContain('end');
    const destroyed = double();
    destroyed.socket.destroy();
    await once(destroyed.socket, 'close');
    expect(destroyed.inner.steps).toEqual(['destroy']);
  });
});
