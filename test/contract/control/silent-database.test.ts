import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/control/database/database.js';
import type { ApiServer, ControlDeps } from '../../../src/control/http/api-server.js';
import { ControlMetrics } from '../../../src/control/metrics.js';
import { registerHealth } from '../../../src/control/server/health.js';
import { Stopwatch } from '../../support/stopwatch.js';

it('reports within seconds that a hanging database does not answer', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const url = `postgres://demarc@127.0.0.1:${port}/demarc`;
  const database = openDatabase({ url, maximumConnections: 2, timeoutMilliseconds: 8_000 }, () => {});
  const server = fastify();
  registerHealth(
    server as unknown as ApiServer,
    { database, settings: { edgeHealth: [] } } as unknown as ControlDeps,
    [],
    new ControlMetrics(),
  );
  const watch = Stopwatch.start();
  const answer = await server.inject('/readyz');
  expect(watch.milliseconds).toBeLessThan(watch.bound(7_500));
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    parts: [{ name: 'database', ready: false, detail: 'does not answer' }],
  });
  for (const socket of sockets) socket.destroy();
  silent.close();
  await Promise.all([server.close(), database.destroy()]);
});
