import { createServer, type Server } from 'node:http';
import { descriptorOf } from '../base/inherited-sockets.js';
import type { HostPort } from '../config/environment.js';
import { mayReadMetrics, metricsRefusal } from '../metrics/metrics-token.js';
import type { Engine } from './engine.js';
import { EngineMetrics } from './engine-metrics.js';

/**
 * `/counts`: live objects as JSON. `/metrics`: Prometheus text with drachtio-server's names (wire protocol §10.5). Both
 * require the token if one is set. `/livez`: 200 while the process is responsive, for health checks, which have no token.
 */
export class MetricsServer {
  private readonly server: Server;
  private readonly metrics: EngineMetrics;

  constructor(
    private readonly engine: Engine,
    private readonly address: HostPort,
    token?: string,
  ) {
    this.metrics = new EngineMetrics(() => engine);
    this.server = createServer((request, response) => {
      const path = request.url?.split('?')[0];
      if (path === '/livez') {
        response.setHeader('Content-Type', 'application/json');
        response.end('{"status":"ok"}');
      } else if (!mayReadMetrics(token, request.headers.authorization)) {
        response.writeHead(401, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' });
        response.end(JSON.stringify(metricsRefusal));
      } else if (path === '/counts') {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(this.engine.snapshot()));
      } else if (path === '/metrics') {
        this.metrics.registry.metrics().then(
          (text) => response.setHeader('Content-Type', this.metrics.registry.contentType).end(text),
          () => response.writeHead(500).end(),
        );
      } else {
        response.statusCode = 404;
        response.end();
      }
    });
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** The listening socket, for a successor. */
  get descriptor(): number | undefined {
    return descriptorOf(this.server);
  }

  /** @param inherited descriptor of a bound socket to use */
  start(inherited?: number): Promise<void> {
    const { host, port } = this.address;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(inherited === undefined ? { host, port } : { fd: inherited }, () => {
        this.server.off('error', reject);
        this.server.unref();
        resolve();
      });
    });
  }

  stop(): Promise<void> {
    if (!this.server.listening) return Promise.resolve();
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
