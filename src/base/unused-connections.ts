import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What is used of a fastify server. */
interface ClosableServer {
  readonly server: EventEmitter;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
}

/**
 * Closes connections that never carried a request when the server closes. Node.js counts them as busy, so one connection that a
 * browser opened in advance would delay the shutdown until a timeout ends it.
 */
export function closeUnusedConnections(server: ClosableServer): void {
  const unused = new Map<string, Socket>();
  // The TLS socket is another object than the socket that it runs on.
  const peer = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;
  const add = (socket: Socket): void => {
    const key = peer(socket);
    unused.set(key, socket);
    socket.once('close', () => {
      if (unused.get(key) === socket) unused.delete(key);
    });
  };
  server.server.on('connection', add);
  server.server.on('secureConnection', add);
  server.server.on('request', ({ socket }: IncomingMessage) => unused.delete(peer(socket)));
  server.addHook('preClose', async () => {
    for (const socket of unused.values()) socket.destroy();
  });
}
