import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../base/log.js';
import type { HostPort } from '../config/environment.js';
import { mergeExpositions, readExposition } from '../metrics/merge.js';
import { mayReadMetrics, metricsRefusal } from '../metrics/metrics-token.js';
import type { EdgeMetrics } from './metrics.js';

/** The engine answers in a millisecond; one that hangs must not cost the edge's own numbers. */
const engineMilliseconds = 1_000;
/** Longer than the usual time between two scrapes: a connection must not end just when it is used again. */
const keepAliveMilliseconds = 72_000;

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

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Health for supervisors: `/livez` is 200 while the event loop runs; `/readyz` is 200 when the edge accepts new calls, else
 * 503, and lists each component; `/metrics` is Prometheus text, ours and the engine's. With a token set, the list and the
 * metrics need it. On `node:http`, because a web framework takes a tenth of the start of an edge.
 */
export async function startEdgeHttp(parts: EdgeHttpParts): Promise<EdgeHttp> {
  const log = parts.log.child({ part: 'http' }, { level: 'warn' });
  const server = createServer((request, response) => {
    answerTo(request, parts).then(
      ({ status, headers, body }) =>
        response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body),
      (error) => {
        log.warn({ error: String(error), path: request.url }, 'Internal error in an HTTP request.');
        response.writeHead(500).end();
      },
    );
  });
  server.keepAliveTimeout = keepAliveMilliseconds;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(parts.listen.port, parts.listen.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, family, port } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return { url: `http://${host}:${port}`, close: () => close(server) };
}

/** Also ends connections without a request, which would delay the end of the edge. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answerTo(request: IncomingMessage, parts: EdgeHttpParts): Promise<Answer> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = isRead ? request.url?.split('?')[0] : undefined;
  const mayRead = mayReadMetrics(parts.metricsToken, request.headers.authorization);
  if (path === '/livez') return json(200, { status: 'ok' });
  if (path === '/readyz') return readiness(parts, mayRead);
  if (path !== '/metrics') return json(404, { status: 'not found' });
  if (!mayRead) return json(401, metricsRefusal, { 'WWW-Authenticate': 'Bearer' });
  const { registry } = parts.metrics;
  const [own, engines] = await Promise.all([
    registry.metrics(),
    readExposition(parts.engineMetricsUrl?.(), engineMilliseconds, parts.metricsToken),
  ]);
  const headers = { 'Content-Type': registry.contentType };
  return { status: 200, headers, body: mergeExpositions([own, engines]) };
}

function readiness(parts: EdgeHttpParts, isListed: boolean): Answer {
  const states = parts.parts.map((part) => ({ name: part.name, ...part.state() }));
  const draining = parts.isDraining();
  const ready = !draining && states.every((state) => state.ready);
  const status = ready ? 'ready' : draining ? 'draining' : 'not ready';
  const body = isListed ? { status, parts: states } : { status };
  return json(ready ? 200 : 503, body, { 'Cache-Control': 'no-store' });
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
