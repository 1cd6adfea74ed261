import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup } from '../../base/guarded-lookup.js';
import type { EgressPolicy } from '../../naming/egress.js';

/** The address of an endpoint is one that this service must not send to. */
export class ForbiddenEndpoint extends Error {
  constructor() {
    super('The endpoint is at an address that this service does not send to.');
    this.name = 'ForbiddenEndpoint';
  }
}

export class OversizedAnswer extends Error {
  constructor(limit: number) {
    super(`The answer is larger than ${limit} octets.`);
    this.name = 'OversizedAnswer';
  }
}

export interface JsonPost {
  readonly url: string;
  /** Default POST. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  /** Empty with GET. */
  readonly body: string;
  readonly maximumAnswerOctets: number;
  readonly signal: AbortSignal;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Idle connections are kept: a TLS handshake would take longer than the embedding of a question. */
const agentOptions = { keepAlive: true, maxFreeSockets: 8, timeout: 60_000 };

/** Sends JSON to the endpoints of one policy. Redirects are answers like others: they are not followed. */
export class JsonPoster {
  private readonly http = new HttpAgent(agentOptions);
  private readonly https = new HttpsAgent(agentOptions);

  constructor(private readonly egress: EgressPolicy) {}

  /** Rejects with `ForbiddenEndpoint`, `OversizedAnswer`, or with what the connection failed with. */
  async post(wanted: JsonPost): Promise<JsonAnswer> {
    try {
      return await this.exchange(wanted);
    } catch (error) {
      // The endpoint closed a kept connection at the moment of its next use: nothing was read of the request.
      if ((error as { isStale?: true }).isStale !== true || wanted.signal.aborted) throw error;
      return this.exchange(wanted);
    }
  }

  private exchange({
    url,
    method = 'POST',
    headers,
    body,
    maximumAnswerOctets,
    signal,
  }: JsonPost): Promise<JsonAnswer> {
    const { hostname, port, protocol } = new URL(url);
    const isTls = protocol === 'https:';
    const number = port === '' ? (isTls ? 443 : 80) : Number(port);
    const mayReach = (address: string): boolean =>
      this.egress.allows({ address, port: number, protocol: 'tcp' });
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && !mayReach(address)) return Promise.reject(new ForbiddenEndpoint());
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(url, {
        method,
        headers:
          method === 'GET' ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: isTls ? this.https : this.http,
        lookup: guardedLookup(mayReach, () => new ForbiddenEndpoint()),
        signal,
      });
      let hasAnswer = false;
      request.on('error', (error) => {
        const { code } = error as { code?: string };
        const isStale = !hasAnswer && request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
        reject(isStale ? Object.assign(error, { isStale: true }) : error);
      });
      request.on('response', (response) => {
        hasAnswer = true;
        const chunks: Buffer[] = [];
        let octets = 0;
        response.on('data', (chunk: Buffer) => {
          octets += chunk.length;
          if (octets > maximumAnswerOctets) request.destroy(new OversizedAnswer(maximumAnswerOctets));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      // 101: without a listener the request would end with neither an answer nor an error.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('The endpoint answered 101.'));
      });
      request.end(body);
    });
  }
}
