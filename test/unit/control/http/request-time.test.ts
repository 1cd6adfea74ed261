import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../../src/control/http/api-server.js';
import { limitRequestTime } from '../../../../src/control/server/request-time.js';

const server = fastify();
beforeAll(async () => {
  limitRequestTime(server as unknown as ApiServer, 500);
  const config = { slowestOctetsPerSecond: 1_000 };
  server.post('/plain', async () => 'whole');
  server.post('/upload', { config }, async () => 'whole');
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

/** Sends ten pieces of a body, one each 100 ms, and returns what came back until the connection was closed. */
async function send(path: string, octets: number): Promise<string> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: test', 'Connection: close', 'Content-Type: text/plain'];
  socket.write([...head, `Content-Length: ${10 * octets}`, '', ''].join('\r\n'));
  let left = 10;
  const timer = setInterval(() => {
    if (left-- > 0) socket.write('x'.repeat(octets));
  }, 100);
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

describe('the time of a request', () => {
  it('is longer on a route of uploads, while the body arrives at its rate', async () => {
    // Ten times the rate, a tenth of it, and a route without a rate.
    const [steady, dripping, plain] = await Promise.all([
      send('/upload', 10_000),
      send('/upload', 10),
      send('/plain', 10_000),
    ]);
    expect(steady).toContain('200 OK');
    expect(dripping).not.toContain('200 OK');
    expect(plain).not.toContain('200 OK');
  });
});
