import { type FailoverTrigger, failbackOf, triggersOf } from '../../contract/failover.js';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import { endpointName } from '../../contract/health.js';
import type { NumberDocument, OutboundConfiguration, ServerCredential } from '../../contract/number.js';
import { formatHostPort } from '../../sip/uri.js';
import type { MediaParty } from '../media/terms.js';
import { hostOf } from './endpoint-targets.js';

/** One server that a call may be sent to. */
export interface TrunkTarget {
  readonly host: string;
  readonly port: number | undefined;
  readonly transport: OutboundConfiguration['transport'];
  /** PEM: trusted certificates, replacing the edge's own. */
  readonly tls_ca?: string | undefined;
}

/** A server, and how calls reach it: by the configuration that names it, or the one it backs up. */
export interface TrunkServer extends TrunkTarget {
  /** `endpointName`. */
  readonly name: string;
  readonly isSecure: boolean;
  /** Whether the agent, and the server with plain RTP, may send from another address than described; undefined: as the settings say. */
  readonly isSymmetric?: boolean | undefined;
  /** The password is sealed. */
  readonly credential: ServerCredential | undefined;
  readonly mappings: readonly HeaderMapping[];
}

/** The server as a party of a media session. */
export const mediaPartyAt = ({ isSecure, isSymmetric }: TrunkServer): MediaParty => ({
  profile: isSecure ? 'RTP/SAVP' : 'RTP/AVP',
  isSymmetric,
});

/** Whether one media session serves for both. */
export const hasSameMedia = (left: MediaParty, right: MediaParty): boolean =>
  left.profile === right.profile && (left.profile === 'RTP/SAVP' || left.isSymmetric === right.isSymmetric);

/** Where a call from a number goes, and how. */
export interface OutboundRoute {
  /** Primary, secondary, tertiary, then those of the further configurations; each once. */
  readonly servers: readonly TrunkServer[];
  readonly triggers: ReadonlySet<FailoverTrigger>;
  readonly failback: 'auto' | 'manual';
}

/** Undefined: the number has no outbound configuration. */
export function routeOf(document: NumberDocument): OutboundRoute | undefined {
  const [first] = document.outbound;
  if (first === undefined) return undefined;
  const own = document.outbound.map((configuration) => serverOf(configuration, configuration));
  const backups = (document.outbound_policy?.failover?.endpoints ?? []).map((endpoint) => {
    const backup = serverOf(endpoint, first);
    return own.find(({ name }) => name === backup.name) ?? backup;
  });
  const servers = new Map<string, TrunkServer>();
  for (const server of [own[0]!, ...backups, ...own]) {
    if (!servers.has(server.name)) servers.set(server.name, server);
  }
  return {
    servers: [...servers.values()],
    triggers: new Set(triggersOf(document)),
    failback: failbackOf(document),
  };
}

function serverOf(
  { host, port, transport }: { host: string; port?: number | undefined; transport: TrunkTarget['transport'] },
  { secure_media, symmetric_rtp, credential, headers, tls_ca }: OutboundConfiguration,
): TrunkServer {
  return {
    host,
    port,
    transport,
    name: endpointName({ host, port, transport }),
    isSecure: secure_media ?? true,
    isSymmetric: symmetric_rtp,
    credential,
    mappings: headers,
    tls_ca,
  };
}

/** The Request-URI for a called number at a server. With `transport=udp` too: without it a drachtio-server tries TCP first. */
export function requestUri(target: TrunkTarget, digits: string): string {
  return `sip:+${digits}@${formatHostPort(hostOf(target), target.port)};transport=${target.transport}`;
}

/** To of a called number: at the server's domain, and without a port (RFC 3261 §19.1.1, table 1). */
export const calleeAddress = (target: TrunkTarget, digits: string): string =>
  `<sip:+${digits}@${formatHostPort(hostOf(target))}>`;

/** How an attempt failed. */
export interface AttemptFailure {
  readonly status: number;
  readonly reason: string;
  /** True: the engine or this edge generated the status because no final response came. */
  readonly isOurs: boolean;
  /** Why none came, if the engine reports it. */
  readonly unreachable?: string | undefined;
  /** Further text for the record. */
  readonly problem?: string | undefined;
  /** True: the callee's phone has rung. */
  readonly hasRung: boolean;
  /** Contact of a 3xx. */
  readonly contact?: string | undefined;
}

/**
 * The trigger for a failure; undefined: a person or a policy has decided, and another server would only ring the same person
 * again (404, 486, 600, 603, 607, 608 and everything else that is not a fault of the server).
 */
export function triggerOf({ status, isOurs, hasRung }: AttemptFailure): FailoverTrigger | undefined {
  if (hasRung) return undefined;
  if (isOurs) return status === 408 ? 'timeout' : 'unreachable';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 500 || status === 502 || status === 503) return 'unreachable';
  if (status === 401 || status === 403 || status === 407) return 'auth_failure';
  return undefined;
}
