import { once } from 'node:events';
import * as net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { TappedSocket } from '../../../../src/media-stream/bot/tapped-socket.js';

let server: net.Server;
afterEach(() => server.close());

/** A connection to a server that does that with it, and the socket inside. */
async function tapped(serve: (socket: net.Socket) => void) {
  server = net.createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  let inner!: net.Socket;
  const socket = new TappedSocket((onread) => {
    inner = net.connect({ port, host: '127.0.0.1', onread });
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
