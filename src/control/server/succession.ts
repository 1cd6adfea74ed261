import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyListenOptions } from 'fastify';
import type { ApiServer } from '../http/api-server.js';

/** Clients that keep their connection open send their next request within this time, or find it closed. */
const lingerMilliseconds = 3_000;

/** What makes a server listen at a socket that the process before it has opened; fastify's types do not know it. */
export const inheritedListener = (descriptor: number): FastifyListenOptions =>
  // With a name, fastify would look for further addresses of it.
  ({ fd: descriptor, host: '127.0.0.1' }) as FastifyListenOptions;

/**
 * Another process accepts the connections from now on. Serves those that are open, and closes each with its next response, so that
 * no request meets a closed connection.
 */
export async function leaveConnections(server: ApiServer): Promise<void> {
  const listener = server.server;
  listener.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  // That of HTTP would close the idle ones at once, also one on which a request is on its way.
  Server.prototype.close.call(listener);
  await sleep(lingerMilliseconds);
}
