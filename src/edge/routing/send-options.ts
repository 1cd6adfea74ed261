import { explainUnreachable } from '../../contract/explanations.js';
import type { Endpoint, UnreachableReason } from '../../contract/health.js';
import { formatHostPort } from '../../sip/uri.js';
import type { EngineLink } from '../sip/engine-link.js';
import { failureText, isMadeUp, type ReceivedResponse, transportFailureOf } from '../sip/messages.js';
import { type EndpointTarget, hostOf, nextHop } from './endpoint-targets.js';

export interface SendOptionsParts {
  readonly engine: Pick<EngineLink, 'request'>;
  readonly timeoutMilliseconds: number;
}

/** The outcome of an OPTIONS request. */
export type OptionsOutcome =
  | { readonly kind: 'answered'; readonly response: ReceivedResponse; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly reason: UnreachableReason; readonly detail: string | null }
  /** A local fault, which says nothing about the server. */
  | { readonly kind: 'unknown' };

/** By the `failure` in our engine's `Reason`. */
const reasons: Readonly<Record<string, UnreachableReason | undefined>> = {
  certificate: 'certificate',
  'client-certificate': 'mutual_tls_required',
  tls: 'tls',
  refused: 'refused',
  timeout: 'timeout',
  dns: 'dns',
  unreachable: 'network',
  closed: 'network',
  unsupported: 'no_transport',
  overloaded: undefined,
};

/** Both servers answer so to a request for a transport without a listener. */
const noTransport = 'requested protocol/transport not available';
const toMyself = 'can not send request to myself';

/** Sends OPTIONS to one address of an endpoint (RFC 3261 §11). Never rejects. */
export function sendOptions(
  { engine, timeoutMilliseconds }: SendOptionsParts,
  endpoint: Endpoint,
  target: EndpointTarget,
): Promise<OptionsOutcome> {
  const { port, transport } = endpoint;
  const parameter = `transport=${transport}`;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const failed = (reason: UnreachableReason, detail: string | null): void =>
      resolve({ kind: 'failed', reason, detail });
    const late = (): void => failed('timeout', `No answer within ${timeoutMilliseconds} ms`);
    // Reads a response that arrived while this process was blocked first.
    const timer = setTimeout(() => setImmediate(late), timeoutMilliseconds);
    engine.request(
      `sip:${formatHostPort(hostOf(endpoint), port)};${parameter}`,
      {
        method: 'OPTIONS',
        headers: {
          From: '<sip:probe@localhost>',
          Contact: `<sip:probe@localhost;${parameter}>`,
          Accept: 'application/sdp',
        },
        proxy: nextHop(endpoint, target),
        tlsCa: endpoint.tls_ca,
      },
      (error, response) => {
        const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
        clearTimeout(timer);
        if (response === undefined) {
          const text = failureText(error);
          if (text === noTransport) failed('no_transport', `The edge has no ${transport} listener`);
          else if (text.startsWith(toMyself)) failed('network', 'The endpoint is this edge itself');
          else resolve({ kind: 'unknown' });
        } else
          resolve(isMadeUp(response) ? failureOf(response) : { kind: 'answered', response, milliseconds });
      },
    );
  });
}

/** Why the engine generated a response. A drachtio-server reports no cause, so the status decides. */
export function failureOf(response: ReceivedResponse): Exclude<OptionsOutcome, { kind: 'answered' }> {
  const failure = transportFailureOf(response);
  if (failure !== undefined && failure.code in reasons) {
    const reason = reasons[failure.code];
    return reason === undefined ? { kind: 'unknown' } : { kind: 'failed', reason, detail: failure.text };
  }
  if (response.status === 408) return { kind: 'failed', reason: 'timeout', detail: null };
  return { kind: 'failed', reason: response.reason === 'DNS Error' ? 'dns' : 'network', detail: null };
}

/** The same for a person. */
export function unreachableText(response: ReceivedResponse): string {
  const failure = failureOf(response);
  if (failure.kind === 'unknown') return 'The edge could not send';
  return failure.detail ?? explainUnreachable(failure.reason).cause.replace(/\.$/, '');
}
