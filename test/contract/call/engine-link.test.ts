import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { EngineLink } from '../../../src/edge/sip/engine-link.js';
import { until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';

const log = pino({ level: 'silent' });
/** The library waits a second at most before it tries again. */
const longerThanRetry = 1_500;

/** An engine that only counts who connects. */
async function counter(port: number): Promise<{ sockets: Socket[]; close(): Promise<void> }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

it('names its owner before it takes calls: an engine that was restarted waits for it then', async () => {
  const address = { host: '127.0.0.1', port: await freePort(), secret: 'secret' };
  const engine = await counter(address.port);
  const link = new EngineLink(log, undefined, 'edge-1');
  link.handle('invite', () => {});
  link.connect(address);
  await until(() => engine.sockets.length === 1, 5_000, 'connected');
  const [socket] = engine.sockets;
  let text = '';
  socket!.on('data', (chunk: Buffer) => {
    const [, id] = /#([\w-]+)\|authenticate\|/.exec(chunk.toString()) ?? [];
    text += chunk.toString();
    const greeting = `${id}|response|${id}|OK|udp/127.0.0.1:5060`;
    if (id !== undefined) socket!.write(`${greeting.length}#${greeting}`);
  });
  await until(() => text.includes('route|invite') && text.includes('route|owner:'), 5_000, 'both routes');
  const [first] = /route\|(invite|owner:edge-1)/.exec(text)!;
  expect(first, text).toBe('route|owner:edge-1');
  link.close();
  await engine.close();
});

it('does not connect to a later listener after it was closed while the engine was down', async () => {
  const address = { host: '127.0.0.1', port: await freePort(), secret: 'secret' };
  const link = new EngineLink(log);
  link.connect(address);
  await sleep(100);
  link.close();
  const later = await counter(address.port);
  await sleep(longerThanRetry);
  expect(later.sockets).toHaveLength(0);
  await later.close();
});

it('once closed while it waits to connect again, it stays closed', async () => {
  const address = { host: '127.0.0.1', port: await freePort(), secret: 'secret' };
  const first = await counter(address.port);
  const link = new EngineLink(log);
  link.connect(address);
  await until(() => first.sockets.length === 1, 5_000, 'connected');
  first.sockets[0]!.destroy();
  await sleep(50);
  link.close();
  await sleep(longerThanRetry);
  expect(first.sockets).toHaveLength(1);
  await first.close();
});
