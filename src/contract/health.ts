import { z } from 'zod';
import type { NumberDocument, transportSchema } from './number.js';

/** Probe results of the customers' servers, and how they reach control. */

/** One server as a number names it, before any name is resolved. */
export interface Endpoint {
  /** IPv6 without brackets. */
  readonly host: string;
  /** Absent: SRV records decide, or else the transport's own port. */
  readonly port?: number | undefined;
  readonly transport: z.infer<typeof transportSchema>;
  /** PEM: trusted certificates, replacing the edge's own. Not part of its name. */
  readonly tls_ca?: string | undefined;
}

/** `tls:pbx.example.com:5061`: the same server has the same name, whichever number names it. */
export function endpointName({ host, port, transport }: Endpoint): string {
  const lower = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const bracketed = lower.includes(':') ? `[${lower}]` : lower;
  return `${transport}:${bracketed}${port === undefined ? '' : `:${port}`}`;
}

/** A number's servers in the order in which calls use them: the first configuration's, its backups, the other configurations'. */
export function endpointsOf(document: NumberDocument): readonly Endpoint[] {
  const [first, ...rest] = document.outbound;
  if (first === undefined) return [];
  const backups = document.outbound_policy?.failover?.endpoints ?? [];
  const all = [first, ...backups.map((backup) => ({ ...backup, tls_ca: first.tls_ca })), ...rest];
  return all.map(({ host, port, transport, tls_ca }) => ({ host, port, transport, tls_ca }));
}

/** Why calls to a server would fail: a closed list. */
export const unreachableReasons = [
  'timeout',
  'refused',
  'dns',
  /** The server's certificate is not trusted, expired, or for another name. */
  'certificate',
  /** The server requires a client certificate that it trusts, and does not trust ours. */
  'mutual_tls_required',
  'tls',
  /** 503: the server reports it, perhaps with a time in Retry-After. */
  'service_unavailable',
  'network',
  /** The edge has no listener for that transport. */
  'no_transport',
] as const;
export const unreachableReasonSchema = z.enum(unreachableReasons);
export type UnreachableReason = z.infer<typeof unreachableReasonSchema>;

const outcome = {
  status: z.enum(['healthy', 'unreachable']),
  reason: unreachableReasonSchema.nullable(),
  /** Further details, such as the rule that refused the call. */
  detail: z.string().nullable(),
  /** Final response to OPTIONS; null when none came. */
  sip_status: z.int().nullable(),
  /** From OPTIONS to the final response. */
  response_time_milliseconds: z.number().nullable(),
};

/** One address of an endpoint. */
const targetHealthSchema = z.strictObject({
  /** `address:port`, IPv6 in brackets. */
  address: z.string(),
  ...outcome,
  /** ISO 8601: the server asked by Retry-After to be left alone until then. */
  retry_at: z.iso.datetime().nullable(),
});
export type TargetHealth = z.infer<typeof targetHealthSchema>;

/** One check of an endpoint: the best of its addresses decides. */
export const endpointHealthSchema = z.strictObject({
  version: z.literal(1),
  /** `endpointName`. */
  endpoint: z.string(),
  edge_id: z.string(),
  checked_at: z.iso.datetime(),
  ...outcome,
  /** `call`: OPTIONS was ignored, but a call was answered lately. */
  evidence: z.enum(['probe', 'call']),
  targets: z.array(targetHealthSchema),
});
export type EndpointHealth = z.infer<typeof endpointHealthSchema>;

/** JSON of the latest `EndpointHealth`; expires some intervals after the last check. */
export const healthKey = (endpoint: string): string => `demarc:health:${endpoint}`;

/** Exists for a while after a server answered an outbound call. */
export const callEvidenceKey = (endpoint: string): string => `demarc:health-call:${endpoint}`;

/** Held by the one edge that probes the endpoint. */
export const probeLeaseKey = (endpoint: string): string => `demarc:lease:probe:${endpoint}`;

/** Stream of checks (edge → control); field `health`, JSON of an `EndpointHealth`. */
export const healthStream = 'demarc:health-checks';

/** Pub/sub: the message is the name of an endpoint to probe at once, by the edge that holds its lease. */
export const probeChannel = 'demarc:probe';
