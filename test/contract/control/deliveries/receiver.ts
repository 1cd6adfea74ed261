import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { undoAfterTest } from '../../../support/after-test.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly at: number;
}

type Fixed = number | 'hang' | { readonly redirect: string };
/** A function gets how many requests for the same path came before. */
export type Behaviour = Fixed | ((earlier: number) => Fixed);

/** A customer's HTTP server: gives the configured answers and records its requests. */
export class Receiver {
  private current: Behaviour = 200;
  readonly received: Received[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const { behaviour } = this;
        const now = typeof behaviour === 'function' ? behaviour(this.of(path).length) : behaviour;
        this.received.push({
          path,
          headers: request.headers,
          text: Buffer.concat(chunks).toString('utf8'),
          at: Date.now(),
        });
        if (now === 'hang') return;
        if (typeof now === 'number') response.writeHead(now).end('{}');
        else response.writeHead(307, { location: now.redirect }).end();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  /** What it does to the next requests. What a test sets ends with the test. */
  get behaviour(): Behaviour {
    return this.current;
  }

  set behaviour(behaviour: Behaviour) {
    const { current } = this;
    undoAfterTest(() => {
      this.current = current;
    });
    this.current = behaviour;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  of(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
