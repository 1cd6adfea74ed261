import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostPort } from '../config/environment.js';
import { mayReadMetrics, metricsRefusal } from '../metrics/metrics-token.js';
import type { MediaStreamMetrics } from './metrics.js';

export interface StreamHttpParts {
  readonly listen: HostPort;
  readonly metrics: MediaStreamMetrics;
  readonly metricsToken: string | undefined;
  /** Why it takes no calls; undefined: it does. */
  readonly problem: () => string | undefined;
}

/** `/livez`: the process runs. `/readyz`: 200 while it takes calls, else 503 with the reason. `/metrics`: Prometheus text. */
export class StreamHttp {
  private readonly server: Server;

  constructor(private readonly parts: StreamHttpParts) {
    this.server = createServer((request, response) => {
      const path = request.url?.split('?')[0];
      const json = (status: number, body: object): void => {
        response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
        response.end(JSON.stringify(body));
      };
      if (path === '/livez') json(200, { status: 'ok' });
      else if (path === '/readyz') {
        const problem = parts.problem();
        if (problem === undefined) json(200, { status: 'ready' });
        else json(503, { status: 'not ready', detail: problem });
      } else if (path !== '/metrics') json(404, { status: 'not found' });
      else if (!mayReadMetrics(parts.metricsToken, request.headers.authorization)) json(401, metricsRefusal);
      else {
        parts.metrics.registry.metrics().then(
          (text) => response.setHeader('Content-Type', parts.metrics.registry.contentType).end(text),
          () => response.writeHead(500).end(),
        );
      }
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.parts.listen.port, this.parts.listen.host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
