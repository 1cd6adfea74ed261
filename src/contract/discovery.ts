import { z } from 'zod';
import { unreachableReasonSchema } from './health.js';
import { transportSchema } from './number.js';

/** Finding out how a customer's PBX can be reached: control asks, one edge looks, both share one document. */

const discoveryFailures = ['dns', 'forbidden_address', 'no_edge', 'interrupted'] as const;

export const discoverySchema = z.strictObject({
  discovery_id: z.string(),
  organization: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  /** Why it failed; null otherwise. */
  failure: z.enum(discoveryFailures).nullable(),
  detail: z.string().nullable(),
  host: z.string(),
  /** Only this port, only this transport; null: all that are usual. */
  port: z.int().min(1).max(65_535).nullable(),
  transport: transportSchema.nullable(),
  /** PEM: whose certificates count over TLS; absent: those that the edge trusts. */
  tls_ca: z.string().optional(),
  progress: z.strictObject({ done: z.int(), total: z.int() }),
  resolved_addresses: z.array(z.string()),
  srv_records: z.array(
    z.strictObject({
      service: z.string(),
      target: z.string(),
      port: z.int(),
      priority: z.int(),
      weight: z.int(),
    }),
  ),
  attempts: z.array(
    z.strictObject({
      address: z.string(),
      port: z.int(),
      transport: transportSchema,
      response_time_ms: z.number().nullable(),
      response_code: z.int().nullable(),
      user_agent: z.string().nullable(),
      /** Null when it answered. */
      reason: unreachableReasonSchema.nullable(),
      detail: z.string().nullable(),
    }),
  ),
  recommended: z
    .strictObject({
      /** Null: leave it open, SRV records decide for each call. */
      port: z.int().nullable(),
      transport: transportSchema,
      user_agent: z.string().nullable(),
      detected_system: z.string().nullable(),
      codecs: z.array(z.string()),
      methods: z.array(z.string()),
      /** True: it is reachable, but accepts only clients whose certificate it trusts. */
      mutual_tls: z.boolean(),
    })
    .nullable(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
});
export type Discovery = z.infer<typeof discoverySchema>;

/** JSON of a `Discovery`. */
export const discoveryKey = (id: string): string => `demarc:discovery:${id}`;

/** Holds the id of the organization's running discovery. */
export const discoveryOfKey = (organization: string): string => `demarc:discovery-of:${organization}`;

/** Held by the edge that does it. */
export const discoveryLeaseKey = (id: string): string => `demarc:lease:discovery:${id}`;

/** Pub/sub: the message is the id of a discovery that some edge shall do. */
export const discoveryChannel = 'demarc:discover';

export const discoveryKeptMilliseconds = 600_000;
/** However many servers do not answer, it is over by then. */
export const discoveryBoundMilliseconds = 45_000;
