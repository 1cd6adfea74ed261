import * as z from 'zod/mini';
import { ask, query } from './client.js';

const text = z.nullable(z.string());
const figure = z.nullable(z.number());

const numberEntrySchema = z.object({
  phone_number: z.string(),
  directions: z.array(z.string()),
  sip_endpoint: text,
  health_status: z.string(),
});
export type NumberEntry = z.infer<typeof numberEntrySchema>;

const numberPageSchema = z.object({ numbers: z.array(numberEntrySchema), next: text });

export const readNumbers = (
  page: { readonly limit: number; readonly after?: string | undefined },
  signal?: AbortSignal,
): Promise<z.infer<typeof numberPageSchema>> =>
  ask(numberPageSchema, `/v1/sip/numbers${query(page)}`, { ...(signal && { signal }) });

const failoverConfigSchema = z.object({
  enabled: z.boolean(),
  endpoints: z.array(
    z.object({
      host: z.string(),
      port: z.optional(z.number()),
      transport: z.optional(z.string()),
      priority: z.number(),
    }),
  ),
  triggers: z.array(z.string()),
  failback: z.string(),
});

export const alertConfigSchema = z.looseObject({
  enabled: z.boolean(),
  thresholds: z.object({
    unreachable_minutes: z.optional(z.number()),
    failure_rate_percent: z.optional(z.number()),
    failure_rate_window_minutes: z.optional(z.number()),
    response_time_ms: z.optional(z.number()),
  }),
  channels: z.looseObject({
    email: z.optional(z.unknown()),
    sms: z.optional(z.unknown()),
    webhook: z.optional(z.unknown()),
  }),
});
export type AlertConfig = z.infer<typeof alertConfigSchema>;

const configurationSchema = z.object({
  id: z.string(),
  direction: z.string(),
  sip_endpoint: text,
  created_at: z.string(),
  updated_at: z.string(),
  headers: z.nullable(z.object({ headers: z.array(z.record(z.string(), z.unknown())) })),
  options: z.object({
    auth_mode: z.optional(z.string()),
    port: z.optional(z.number()),
    transport: z.optional(z.string()),
    secure_media: z.optional(z.boolean()),
    sip_username: z.optional(z.string()),
    sip_password: z.optional(z.string()),
  }),
  register_auth: z.nullable(z.object({ username: z.string() })),
  allowed_ips: z.nullable(z.array(z.string())),
  failover_config: z.nullable(failoverConfigSchema),
  codec_config: z.nullable(z.object({ codecs: z.array(z.string()), transcode: z.boolean() })),
  alert_config: z.nullable(alertConfigSchema),
  limits: z.nullable(
    z.object({
      concurrent_calls: z.optional(z.number()),
      calls_per_second: z.optional(z.number()),
      max_duration_seconds: z.optional(z.number()),
    }),
  ),
});
export type Configuration = z.infer<typeof configurationSchema>;

const trunkSchema = z.object({ configurations: z.array(configurationSchema) });

export const readTrunk = (phoneNumber: string, signal?: AbortSignal): Promise<z.infer<typeof trunkSchema>> =>
  ask(trunkSchema, `/v1/sip${query({ phone_number: phoneNumber })}`, { ...(signal && { signal }) });

const windows = z.object({ '24h': figure, '7d': figure, '30d': figure });
const verdict = {
  status: z.string(),
  reason: text,
  detail: text,
  cause: z.nullish(z.string()),
  advice: z.nullish(z.string()),
  response_time_ms: figure,
};

const statusSchema = z.object({
  ...verdict,
  checked_at: text,
  uptime_percent: windows,
  average_response_time_ms: windows,
  probe: z.nullable(z.string()),
  endpoints: z.array(
    z.object({
      endpoint: z.string(),
      ...verdict,
      checked_at: text,
      uptime_percent: windows,
      average_response_time_ms: windows,
      sip_code: figure,
      evidence: text,
      targets: z.array(z.object({ address: z.string(), ...verdict, sip_code: figure, retry_at: text })),
    }),
  ),
  registrations: z.optional(
    z.array(
      z.object({
        state: z.string(),
        registrar: text,
        username: z.string(),
        since: text,
        expires_at: text,
        next_attempt_at: text,
        sip_code: figure,
        last_error: text,
      }),
    ),
  ),
  failover: z.nullish(
    z.object({
      active: z.string(),
      failed_over: z.boolean(),
      since: text,
      reason: text,
      detail: text,
      failback: z.string(),
      out: z.array(
        z.object({
          endpoint: z.string(),
          since: z.string(),
          reason: z.string(),
          detail: z.string(),
          healthy_probes: z.number(),
        }),
      ),
    }),
  ),
});
export type TrunkStatus = z.infer<typeof statusSchema>;
export type EndpointStatus = TrunkStatus['endpoints'][number];

/** `probe`: asks the servers at once and waits for their answers. */
export const readTrunkStatus = (
  phoneNumber: string,
  { probe = false, signal }: { probe?: boolean; signal?: AbortSignal } = {},
): Promise<TrunkStatus> =>
  ask(
    statusSchema,
    `/v1/sip/status${query({ phone_number: phoneNumber, probe: probe ? 'now' : undefined })}`,
    { ...(signal && { signal }) },
  );

/** Puts every server of the number back into use. */
export const failBack = (phoneNumber: string): Promise<unknown> =>
  ask(z.unknown(), '/v1/sip/failback', { method: 'POST', body: { phone_number: phoneNumber } });
