import { createServer, type Server } from 'node:http';
import type { HostPort } from '../config/environment.js';
import { type Engine, engineVersion } from './engine.js';

/** `/counts`: live objects as JSON. `/metrics`: Prometheus text with drachtio-server's names (wire protocol §10.5). */
export class MetricsServer {
  private readonly server: Server;
  private readonly started = Math.floor(Date.now() / 1000);

  constructor(
    private readonly engine: Engine,
    private readonly address: HostPort,
  ) {
    this.server = createServer((request, response) => {
      const path = request.url?.split('?')[0];
      if (path === '/counts') {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(this.engine.snapshot()));
      } else if (path === '/metrics') {
        response.setHeader('Content-Type', 'text/plain; version=0.0.4');
        response.end(this.text());
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

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.address.port, this.address.host, () => {
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

  private text(): string {
    const { userAgent, transactions, applicationConnections, openConnections } = this.engine.snapshot();
    const { statistics } = this.engine.transactions;
    const lines: string[] = [];
    const metric = (name: string, type: 'gauge' | 'counter', samples: readonly [string, number][]): void => {
      lines.push(`# TYPE ${name} ${type}`);
      for (const [labels, value] of samples) lines.push(`${name}${labels} ${value}`);
    };
    metric('drachtio_build_info', 'gauge', [[`{version="${engineVersion}"}`, 1]]);
    metric('drachtio_time_started', 'gauge', [['', this.started]]);
    metric(
      'drachtio_sip_requests_in_total',
      'counter',
      [...this.engine.core.received].map(([method, count]) => [`{method="${method}"}`, count]),
    );
    metric('drachtio_stable_dialogs', 'gauge', [
      ['{type="inbound"}', userAgent.confirmedInbound],
      ['{type="outbound"}', userAgent.confirmedOutbound],
    ]);
    metric('drachtio_registered_endpoints', 'gauge', [['', userAgent.registeredFlows]]);
    metric('drachtio_app_connections', 'gauge', [['', applicationConnections]]);
    metric('drachtio_sofia_client_txn_hash_size', 'gauge', [['', transactions.client]]);
    metric('drachtio_sofia_server_txn_hash_size', 'gauge', [['', transactions.server]]);
    metric('drachtio_sofia_server_retransmissions_total', 'counter', [
      ['', statistics.retransmissionsReceived],
    ]);
    metric('drachtio_sofia_client_retransmissions_total', 'counter', [['', statistics.retransmissionsSent]]);
    metric('demarc_engine_connections', 'gauge', [['', openConnections]]);
    for (const [name, value] of Object.entries(this.engine.transport.counters)) {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      metric(`demarc_engine_transport_${snake}_total`, 'counter', [['', value]]);
    }
    return `${lines.join('\n')}\n`;
  }
}
