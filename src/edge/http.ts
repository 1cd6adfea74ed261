import { fastify } from 'fastify';
import type { Logger } from '../base/log.js';
import { closeUnusedConnections } from '../base/unused-connections.js';
import type { HostPort } from '../config/environment.js';
import { mergeExpositions, readExposition } from '../metrics/merge.js';
import { mayReadMetrics, metricsRefusal } from '../metrics/metrics-token.js';
import type { EdgeMetrics } from './metrics.js';

/** The engine answers in a millisecond; one that hangs must not cost the edge's own numbers. */
const engineMilliseconds = 1_000;

/** One component that the edge needs to take calls. */
export interface ReadinessPart {
  readonly name: string;
  /** Cheap and synchronous: called for every probe. */
  state(): { readonly ready: boolean; readonly detail: string };
}

export interface EdgeHttpParts {
  /** Port 0: any free port. */
  readonly listen: HostPort;
  readonly parts: readonly ReadinessPart[];
  readonly isDraining: () => boolean;
  readonly metrics: EdgeMetrics;
  /** The SIP engine's metrics, appended to ours; undefined: it has none, or is not ready. */
  readonly engineMetricsUrl?: () => string | undefined;
  /** The bearer token for `/metrics`, also sent to the engine; undefined: none. */
  readonly metricsToken?: string | undefined;
  readonly log: Logger;
}

export interface EdgeHttp {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Health for supervisors: `/livez` is 200 while the event loop runs; `/readyz` is 200 when the edge accepts new calls, else
 * 503, and lists each component; `/metrics` is Prometheus text, ours and the engine's. With a token set, the list and the
 * metrics need it.
 */
export async function startEdgeHttp(parts: EdgeHttpParts): Promise<EdgeHttp> {
  const server = fastify({
    loggerInstance: parts.log.child({ part: 'http' }, { level: 'warn' }),
    bodyLimit: 1024,
  });
  closeUnusedConnections(server);
  server.get('/livez', async () => ({ status: 'ok' }));
  server.get('/readyz', async ({ headers }, reply) => {
    const states = parts.parts.map((part) => ({ name: part.name, ...part.state() }));
    const draining = parts.isDraining();
    const ready = !draining && states.every((state) => state.ready);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ready' : draining ? 'draining' : 'not ready',
        ...(mayReadMetrics(parts.metricsToken, headers.authorization) ? { parts: states } : {}),
      });
  });
  server.get('/metrics', async ({ headers }, reply) => {
    const { metricsToken: token } = parts;
    if (!mayReadMetrics(token, headers.authorization)) {
      return reply.code(401).header('www-authenticate', 'Bearer').send(metricsRefusal);
    }
    const { registry } = parts.metrics;
    const [own, engines] = await Promise.all([
      registry.metrics(),
      readExposition(parts.engineMetricsUrl?.(), engineMilliseconds, token),
    ]);
    return reply.type(registry.contentType).send(mergeExpositions([own, engines]));
  });
  const url = await server.listen({ host: parts.listen.host, port: parts.listen.port });
  return { url, close: () => server.close() };
}
