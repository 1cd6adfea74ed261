import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { batchWrites } from '../../../../src/edge/sip/frame-batching.js';
import { until } from '../../../../src/testkit/waiting.js';

const ack = '44#1|sip||dialog\r\nACK sip:agent SIP/2.0\r\n\r\n';
const answer = '36#2|sip|transaction|\r\nSIP/2.0 200 OK';

let server: Server;
let socket: Socket;
let peer: Socket;
let received: string[];

beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  socket = connect({ host: '127.0.0.1', port, noDelay: true });
  [peer] = (await once(server, 'connection')) as [Socket];
  if (socket.connecting) await once(socket, 'connect');
  received = [];
  peer.on('data', (chunk: Buffer) => received.push(chunk.toString()));
});
afterEach(() => {
  socket.destroy();
  peer.destroy();
  server.close();
});

it('the ACK to the agent and the answer to the caller leave in one write, in this order', async () => {
  batchWrites(socket, true, 60_000);
  socket.write(ack);
  // rtpengine's reply comes in a later turn.
  await nextTurn();
  await nextTurn();
  expect(received).toEqual([]);
  socket.write(answer);
  await until(() => received.length > 0, 5_000, 'the frames');
  expect(received).toEqual([ack + answer]);
});

it('an ACK that nothing follows is sent', async () => {
  batchWrites(socket, true);
  socket.write(ack);
  await until(() => received.length > 0, 5_000, 'the ACK');
  expect(received).toEqual([ack]);
});

it('a waiting ACK leaves when the connection is ended', async () => {
  batchWrites(socket, true, 60_000);
  socket.write(ack);
  socket.end();
  await once(peer, 'end');
  expect(received.join('')).toBe(ack);
});

it('a drachtio-server gets an ACK at the end of the turn', async () => {
  batchWrites(socket, false);
  socket.write(ack);
  await nextTurn();
  expect(socket.writableCorked).toBe(0);
});
