import { z } from 'zod';
import { explainUnreachable } from '../../contract/explanations.js';
import {
  type EndpointHealth,
  type UnreachableReason,
  unreachableReasonSchema,
} from '../../contract/health.js';
import { healthSchema, type Statistics, statusOf, statusOfTrunk } from './number-health.js';

const milliseconds = z.number().nullable();
const percentage = z.number().nullable();
const windows = <Value extends z.ZodType>(value: Value) =>
  z.object({ '24h': value, '7d': value, '30d': value });

const explained = {
  reason: unreachableReasonSchema.nullable(),
  detail: z.string().nullable(),
  cause: z.string().nullable().meta({ description: 'The likely cause' }),
  advice: z.string().nullable().meta({ description: 'Recommended action' }),
};

export const outcome = {
  status: healthSchema,
  ...explained,
  response_time_ms: milliseconds,
  checked_at: z.iso.datetime().nullable(),
  uptime_percent: windows(percentage),
  average_response_time_ms: windows(milliseconds),
};

export const endpointSchema = z.object({
  endpoint: z.string(),
  checked_since: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Since when the server is checked, to the hour; null: not checked' }),
  ...outcome,
  sip_code: z.int().nullable(),
  evidence: z.enum(['probe', 'call']).nullable(),
  targets: z.array(
    z.object({
      address: z.string(),
      status: z.enum(['healthy', 'unreachable']),
      ...explained,
      sip_code: z.int().nullable(),
      response_time_ms: milliseconds,
      retry_at: z.iso.datetime().nullable(),
    }),
  ),
});
type EndpointView = z.infer<typeof endpointSchema>;

const noWindows = { '24h': null, '7d': null, '30d': null };

/** A server with its latest check, and what its checks were before. */
export function endpointView(
  endpoint: string,
  { check, since }: { readonly check: EndpointHealth | undefined; readonly since: string | undefined },
  statistics: Statistics,
  now: number,
): EndpointView {
  return {
    endpoint,
    checked_since: since ?? null,
    status: statusOf(check, now),
    ...explain(check?.reason, check?.detail),
    response_time_ms: check?.response_time_milliseconds ?? null,
    checked_at: check?.checked_at ?? null,
    uptime_percent: overWindows(statistics, 'uptime'),
    average_response_time_ms: overWindows(statistics, 'averageMilliseconds'),
    sip_code: check?.sip_status ?? null,
    evidence: check?.evidence ?? null,
    targets: (check?.targets ?? []).map(({ address, status, reason, detail, retry_at, ...measured }) => ({
      address,
      status,
      ...explain(reason, detail),
      sip_code: measured.sip_status,
      response_time_ms: measured.response_time_milliseconds,
      retry_at,
    })),
  };
}

/** The whole trunk: the first server with its status decides, and the first one of all has the statistics. */
export function trunkStatus(endpoints: readonly EndpointView[]) {
  const status = statusOfTrunk(endpoints.map((endpoint) => endpoint.status));
  const decisive = endpoints.find((endpoint) => endpoint.status === status);
  const [first] = endpoints;
  return {
    status,
    ...explain(decisive?.reason, decisive?.detail),
    response_time_ms: decisive?.response_time_ms ?? null,
    checked_at: decisive?.checked_at ?? null,
    uptime_percent: first?.uptime_percent ?? noWindows,
    average_response_time_ms: first?.average_response_time_ms ?? noWindows,
  };
}

function explain(reason: UnreachableReason | null = null, detail: string | null = null) {
  const { cause, advice } = reason === null ? { cause: null, advice: null } : explainUnreachable(reason);
  return { reason, detail, cause, advice };
}

const overWindows = (statistics: Statistics, field: 'uptime' | 'averageMilliseconds') => ({
  '24h': statistics['24h'][field],
  '7d': statistics['7d'][field],
  '30d': statistics['30d'][field],
});
