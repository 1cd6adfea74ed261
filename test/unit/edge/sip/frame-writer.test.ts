import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FrameWriter } from '../../../../src/edge/sip/frame-writer.js';
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

/** As for the embedded engine. */
function embedded(patience?: number): FrameWriter {
  const writer = new FrameWriter(socket, () => {}, patience);
  writer.joinsAcks = true;
  return writer;
}

it('sends the ACK to the agent and the answer to the caller in one write, in this order', async () => {
  const writer = embedded(60_000);
  writer.write(ack);
  // rtpengine's reply comes in a later turn.
  await nextTurn();
  await nextTurn();
  expect(received).toEqual([]);
  writer.write(answer);
  await until(() => received.length > 0, 5_000, 'the frames');
  expect(received).toEqual([ack + answer]);
});

it('sends an ACK that nothing follows', async () => {
  const writer = embedded();
  writer.write(ack);
  await until(() => received.length > 0, 5_000, 'the ACK');
  expect(received).toEqual([ack]);
});

it('sends a waiting ACK when the connection is ended', async () => {
  const writer = embedded(60_000);
  writer.write(ack);
  socket.end();
  await once(peer, 'end');
  expect(received.join('')).toBe(ack);
});

it('sends a drachtio-server an ACK at the end of the turn', async () => {
  const writer = new FrameWriter(socket, () => {}, 60_000);
  writer.write(ack);
  await nextTurn();
  expect(socket.writableCorked).toBe(0);
});
