import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../src/testkit/waiting.js';
import { FaultyStream } from '../../support/faulty-stream.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe('a faulty stream', () => {
  it('delays what is sent, and keeps its order', async () => {
    const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    const { port } = server.address() as { port: number };
    const line = await FaultyStream.open({ host: '127.0.0.1', port }, { loss: 0.02, delay: [20, 40] });
    ends.push(() => void line.close());
    const socket = connect(line.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (part) => {
      heard += String(part);
    });
    const began = performance.now();
    const sent = Array.from({ length: 50 }, (_, index) => `${index} `);
    for (const part of sent) {
      socket.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => heard.length === sent.join('').length, 5_000, 'all is echoed');
    expect(heard).toBe(sent.join(''));
    expect(performance.now() - began).toBeGreaterThan(40);
    socket.destroy();
  });
});
