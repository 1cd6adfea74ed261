import type { ApiServer } from '../http/api-server.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a long body: its time grows with what has arrived, as long as it arrives at this rate. */
    slowestOctetsPerSecond?: number;
  }
}

const graceMilliseconds = 30_000;
/** Bounds every request, whatever its route; `limitRequestTime` bounds them closer. */
export const longestRequestMilliseconds = 720_000;

/**
 * Closes the connection of a request whose body has not arrived in time: `grace`, or longer on a route that sets
 * `slowestOctetsPerSecond`. Node.js has one limit for all requests of a server.
 */
export function limitRequestTime(server: ApiServer, grace = graceMilliseconds): void {
  server.server.headersTimeout = Math.min(grace, graceMilliseconds);
  server.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    const { 'content-length': length, 'transfer-encoding': coding } = raw.headers;
    if (coding === undefined && (length === undefined || length === '0')) return;
    const { slowestOctetsPerSecond: rate } = routeOptions.config;
    const { socket } = raw;
    const begun = performance.now();
    const before = socket.bytesRead;
    const check = (): void => {
      // Injected requests never complete.
      if (raw.complete || reply.raw.writableEnded) return;
      const earned = rate === undefined ? 0 : ((socket.bytesRead - before) / rate) * 1_000;
      const left = begun + grace + earned - performance.now();
      if (left <= 0) {
        const error = Object.assign(new Error('The request took too long.'), {
          code: 'ERR_HTTP_REQUEST_TIMEOUT',
        });
        // Answered like the server's own limit, unless the answer has begun.
        if (reply.raw.headersSent) socket.destroy();
        else server.server.emit('clientError', error, socket);
      } else timer = setTimeout(check, Math.max(left, 10)).unref();
    };
    let timer = setTimeout(check, grace).unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
