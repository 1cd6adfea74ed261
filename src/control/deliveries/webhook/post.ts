import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup } from '../../../base/guarded-lookup.js';
import { EgressPolicy } from '../../../naming/egress.js';
import { withDeadline } from '../deadline.js';
import { responseBody, responseHead, shownOctets } from './exchange.js';

/** The URL resolves to an address that customer URLs must not reach. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('The URL resolves to a private address, which this service does not allow for webhooks');
    this.name = 'ForbiddenAddress';
  }
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMilliseconds: number;
  readonly egress: EgressPolicy;
  readonly signal: AbortSignal;
}

/** Maximum octets read of a response: the log shows the first 2 KB. */
const maximumAnswerOctets = 64 * 1024;

export interface Answer {
  readonly status: number;
  readonly head: string;
  /** The first 2 KB. */
  readonly body: string;
  /** Whether it came from a public address. */
  readonly isPublic: boolean;
}

/** Addresses that every webhook may reach: responses from elsewhere would show customers the operator's network. */
const publicNetwork = new EgressPolicy({ allowPrivate: false });

/**
 * Posts once and returns the answer. Redirects are answers like others: they are not followed.
 * Rejects with `ForbiddenAddress`, or with what the connection failed with; with `AbortError` when aborted or timed out.
 */
export async function post(wanted: Post): Promise<Answer> {
  const { hostname, port, protocol } = new URL(wanted.url);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const mayReach = (address: string): boolean =>
    wanted.egress.allows({ address, port: number, protocol: 'tcp' });
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !mayReach(address)) throw new ForbiddenAddress();
  return withDeadline(wanted.signal, wanted.timeoutMilliseconds, (signal) =>
    exchange(wanted, mayReach, signal),
  );
}

function exchange(
  { url, headers, body }: Post,
  mayReach: (address: string) => boolean,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const request = (new URL(url).protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // A new connection per request: a kept one might point to an address that the name no longer resolves to.
      agent: false,
      lookup: guardedLookup(mayReach, () => new ForbiddenAddress()),
      signal,
    });
    let answer: Answer | undefined;
    request.on('error', (error) => {
      // The status is known even if the body breaks off or arrives slowly.
      if (answer === undefined) reject(error);
      else resolve(answer);
    });
    request.on('response', (response) => {
      const address = response.socket.remoteAddress;
      const isPublic = address !== undefined && publicNetwork.allows({ address });
      const chunks: Buffer[] = [];
      answer = { status: response.statusCode ?? 0, head: responseHead(response), body: '', isPublic };
      void drained(response, chunks).then(() => {
        request.destroy();
        resolve({ ...answer!, body: responseBody(Buffer.concat(chunks)) });
      });
    });
    // 101: without a listener the request would end with neither an answer nor an error.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, head: responseHead(response), body: '', isPublic: false });
    });
    request.end(body);
  });
}

/** Reads to the end, or as much as is read of any; the first of it goes into `chunks`. */
function drained(response: IncomingMessage, chunks: Buffer[]): Promise<void> {
  let octets = 0;
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      if (octets < shownOctets) chunks.push(chunk);
      octets += chunk.length;
      if (octets > maximumAnswerOctets) resolve();
    });
    response.on('close', resolve);
    response.on('error', () => resolve());
  });
}
