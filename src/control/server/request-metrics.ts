import type { ApiServer } from '../http/api-server.js';
import type { ControlMetrics } from '../metrics.js';

/** Counts every request after its response was sent; call before routes are registered. */
export function countRequests(server: ApiServer, metrics: ControlMetrics): void {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream');
    metrics.answered(request.method, route, reply.raw.statusCode, reply.elapsedTime / 1_000, isStream);
  });
}
