import type { Endpoint, TargetHealth, UnreachableReason } from '../../contract/health.js';
import { formatHostPort } from '../../sip/uri.js';
import { type EngineLink, failureText, isMadeUp, type ReceivedResponse } from '../call/engine-link.js';
import { type EndpointTarget, targetName } from './endpoint-targets.js';

export interface OptionsProbeParts {
  readonly engine: Pick<EngineLink, 'request'>;
  readonly timeoutMilliseconds: number;
  readonly maximumRetryAfterMilliseconds: number;
}

/** By the `failure` that our engine gives in `Reason`; undefined: it was our own fault, which says nothing of the server. */
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

/**
 * Asks one address of an endpoint by OPTIONS. Any final response but 503 shows that a SIP server is there (RFC 3261
 * §11). Undefined: nothing could be found out. Never rejects.
 */
export function probeTarget(
  { engine, timeoutMilliseconds, maximumRetryAfterMilliseconds }: OptionsProbeParts,
  endpoint: Endpoint,
  target: EndpointTarget,
): Promise<TargetHealth | undefined> {
  const address = targetName(target);
  const { host, port, transport } = endpoint;
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const parameter = `transport=${transport}`;
  const maddr = target.address.includes(':') ? `[${target.address}]` : target.address;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const unreachable = (reason: UnreachableReason, detail: string | null): void =>
      resolve({ ...nothing, address, reason, detail });
    const timer = setTimeout(
      () => unreachable('timeout', `No answer within ${timeoutMilliseconds} ms`),
      timeoutMilliseconds,
    );
    engine.request(
      `sip:${formatHostPort(name, port)};${parameter}`,
      {
        method: 'OPTIONS',
        headers: {
          From: '<sip:probe@localhost>',
          Contact: `<sip:probe@localhost;${parameter}>`,
          Accept: 'application/sdp',
        },
        // The address to try, and the name whose certificate is expected there.
        proxy: `sip:${formatHostPort(name, target.port)};${parameter};maddr=${maddr}`,
      },
      (error, response) => {
        const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
        clearTimeout(timer);
        if (response === undefined) {
          const text = failureText(error);
          if (text === noTransport) unreachable('no_transport', `The edge has no ${transport} listener`);
          else if (text.startsWith('can not send request to myself')) {
            unreachable('network', 'The endpoint is this edge itself');
          } else resolve(undefined);
        } else if (isMadeUp(response)) {
          const { reason, detail } = failureOf(response);
          if (reason === undefined) resolve(undefined);
          else unreachable(reason, detail);
        } else {
          const answered = {
            address,
            sip_status: response.status,
            response_time_milliseconds: milliseconds,
          };
          if (response.status !== 503) {
            resolve({ ...answered, status: 'healthy', reason: null, detail: null, retry_at: null });
            return;
          }
          const retryAt = retryAtOf(response, maximumRetryAfterMilliseconds);
          const until = retryAt === null ? '' : `, and not to be asked before ${retryAt}`;
          resolve({
            ...answered,
            status: 'unreachable',
            reason: 'service_unavailable',
            detail: `The server says that it is unavailable (503)${until}`,
            retry_at: retryAt,
          });
        }
      },
    );
  });
}

const nothing = {
  status: 'unreachable',
  sip_status: null,
  response_time_milliseconds: null,
  retry_at: null,
} as const;

/** Why the engine made a response up. A drachtio-server does not say, so the status must do. */
function failureOf(response: ReceivedResponse): {
  reason: UnreachableReason | undefined;
  detail: string | null;
} {
  const told = /^Transport;failure=([a-z-]+);text="([^"]*)"/.exec(response.get('Reason') ?? '');
  if (told !== null && told[1]! in reasons) return { reason: reasons[told[1]!], detail: told[2]! };
  if (response.status === 408) return { reason: 'timeout', detail: null };
  return { reason: response.reason === 'DNS Error' ? 'dns' : 'network', detail: null };
}

/** RFC 3261 §20.33: seconds, perhaps with a comment and parameters. */
function retryAtOf(response: ReceivedResponse, maximumMilliseconds: number): string | null {
  const seconds = Number.parseInt(response.get('Retry-After') ?? '', 10);
  if (!Number.isFinite(seconds) || seconds <= 0) return null;
  return new Date(Date.now() + Math.min(seconds * 1_000, maximumMilliseconds)).toISOString();
}
