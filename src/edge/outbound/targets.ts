import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { DigestCredential, NumberDocument, OutboundConfiguration } from '../../contract/number.js';
import { formatHostPort } from '../../sip/uri.js';

type Trigger = 'unreachable' | 'timeout' | 'auth_failure';

/** One server that a call may be sent to. */
export interface TrunkTarget {
  readonly host: string;
  readonly port: number | undefined;
  readonly transport: OutboundConfiguration['transport'];
}

/** Where a call from a number goes, and how. */
export interface OutboundRoute {
  /** Primary, secondary, tertiary. */
  readonly targets: readonly TrunkTarget[];
  readonly triggers: ReadonlySet<Trigger>;
  readonly isSecure: boolean;
  /** The password is sealed. */
  readonly credential: DigestCredential | undefined;
  readonly mappings: readonly HeaderMapping[];
}

/** Undefined: the number has no outbound configuration. */
export function routeOf({ outbound, outbound_policy: policy }: NumberDocument): OutboundRoute | undefined {
  const [first] = outbound;
  if (first === undefined) return undefined;
  const { host, port, transport, credential, headers } = first;
  const failover = policy?.failover;
  return {
    targets: [
      { host, port, transport },
      ...(failover?.endpoints ?? []).map((endpoint) => ({ port: undefined, ...endpoint })),
    ],
    triggers: new Set(failover?.triggers ?? []),
    isSecure: first.secure_media ?? true,
    credential,
    mappings: headers,
  };
}

/** The Request-URI for a called number at a server. */
export function requestUri({ host, port, transport }: TrunkTarget, digits: string): string {
  const parameter = transport === 'udp' ? '' : `;transport=${transport}`;
  return `sip:+${digits}@${formatHostPort(host.replace(/^\[|\]$/g, ''), port)}${parameter}`;
}

/** How an attempt failed. */
export interface AttemptFailure {
  readonly status: number;
  readonly reason: string;
  /** True: the engine or we made the status up because no final response came. */
  readonly isOurs: boolean;
  /** True: the callee's phone has rung. */
  readonly hasRung: boolean;
}

/**
 * What a failure is called among the triggers; undefined: somebody, or a policy, has answered, and another server would only
 * ring the same person again (404, 486, 600, 603, 607, 608 and everything else that is no fault of the server).
 */
export function triggerOf({ status, isOurs, hasRung }: AttemptFailure): Trigger | undefined {
  if (hasRung) return undefined;
  if (isOurs) return status === 408 ? 'timeout' : 'unreachable';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 500 || status === 502 || status === 503) return 'unreachable';
  if (status === 401 || status === 403 || status === 407) return 'auth_failure';
  return undefined;
}
