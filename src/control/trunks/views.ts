import { z } from 'zod';
import { e164 } from '../http/phone-number.js';
import { webSocketAgentView, webSocketAgentViewSchema } from '../numbers/agent-streams.js';
import { directionName } from '../numbers/fields.js';
import type { Configuration } from '../numbers/tables.js';
import { warningsSchema } from '../numbers/warnings.js';

/** Configurations as responses show them, always without passwords. */

const redacted = '[redacted]';

const transport = z.enum(['udp', 'tcp', 'tls']);

const headersView = z.object({
  direction: directionName,
  headers: z.array(z.record(z.string(), z.unknown())),
});

export const configurationSchema = z
  .object({
    number: z.string(),
    id: z.string(),
    org_id: z.string(),
    direction: directionName,
    sip_endpoint: z.string().nullable(),
    agent: z.string().nullable().meta({
      description: 'Agent of calls to the number, or with outbound of calls that it places; null: not set.',
    }),
    registrar: z.string().nullable().meta({
      description: 'Where the service registers; null: at the first outbound server, or not at all.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    headers: headersView.nullable(),
    agent_streams: z
      .array(webSocketAgentViewSchema)
      .meta({ description: 'Settings of the agents that are WebSocket servers' }),
    options: z.object({
      auth_mode: z.enum(['ip', 'register']).optional(),
      port: z.int().optional(),
      transport: transport.optional(),
      secure_media: z.boolean().optional(),
      symmetric_rtp: z.boolean().optional(),
      sip_username: z.string().optional(),
      sip_password: z.literal(redacted).optional(),
      sip_realm: z.string().optional(),
      tls_ca: z.string().optional(),
      agents: z.object({ strategy: z.literal('ring_all'), endpoints: z.array(z.string()) }).optional(),
    }),
    register_auth: z.object({ username: z.string(), password: z.literal(redacted) }).nullable(),
    allowed_ips: z.array(z.string()).nullable(),
  })
  .meta({ id: 'Configuration' });

export type ConfigurationView = z.infer<typeof configurationSchema>;

export function configurationView(row: Configuration, organizationId: string): ConfigurationView {
  const { direction } = row;
  return {
    number: e164(row.number),
    id: row.id,
    org_id: organizationId,
    direction,
    sip_endpoint: row.auth_mode === 'register' ? row.registrar : row.sip_endpoint,
    agent: direction === 'inbound' ? row.sip_endpoint : row.agent,
    registrar: row.registrar,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    headers: row.headers.length === 0 ? null : { direction, headers: row.headers },
    agent_streams: row.agent_streams.map(webSocketAgentView),
    options: {
      ...(row.auth_mode === null ? {} : { auth_mode: row.auth_mode }),
      ...row.options,
      ...(row.sip_password === null ? {} : { sip_password: redacted }),
    },
    register_auth:
      row.register_username === null ? null : { username: row.register_username, password: redacted },
    allowed_ips: direction === 'inbound' ? row.allowed_ips : null,
  };
}

export const advancedViewSchema = z.object({
  failover_config: z
    .object({
      enabled: z.boolean(),
      endpoints: z.array(
        z.object({
          host: z.string(),
          port: z.int().optional(),
          transport: transport.optional(),
          priority: z.int(),
        }),
      ),
      triggers: z.array(z.enum(['unreachable', 'auth_failure', 'timeout'])),
      failback: z.enum(['auto', 'manual']),
    })
    .meta({ id: 'FailoverConfig' })
    .nullable(),
  codec_config: z
    .object({ codecs: z.array(z.string()), transcode: z.boolean() })
    .meta({ id: 'CodecConfig' })
    .nullable(),
  alert_config: z
    .object({
      enabled: z.boolean(),
      thresholds: z.object({
        unreachable_minutes: z.number().optional(),
        failure_rate_percent: z.number().optional(),
        failure_rate_window_minutes: z.number().optional(),
        response_time_ms: z.number().optional(),
      }),
      channels: z.object({
        email: z.boolean().optional(),
        sms: z.boolean().optional(),
        webhook: z.string().optional(),
      }),
    })
    .meta({ id: 'AlertConfig' })
    .nullable(),
  limits: z
    .object({
      concurrent_calls: z.number().optional(),
      calls_per_second: z.number().optional(),
      max_duration_seconds: z.number().optional(),
    })
    .meta({ id: 'TrunkLimits' })
    .nullable(),
  transfer_config: z
    .object({
      mode: z.enum(['refer', 'bridge']),
      fallback: z.boolean(),
      allowed_targets: z.array(z.string()).optional(),
    })
    .meta({ id: 'TransferConfig' })
    .nullable(),
});

export const attachedDirectionSchema = configurationSchema
  .extend(advancedViewSchema.shape)
  .meta({ id: 'AttachedDirection' });

/** The result of attaching numbers. */
export const attachedSchema = z.object({
  configured: z.array(z.string()),
  failed: z.array(z.object({ phone_number: z.string(), error: z.string(), message: z.string() })),
  warnings: warningsSchema,
  register_password_for_pbx: z
    .string()
    .nullable()
    .meta({ description: 'Shown once, when a registration was attached that was not before' }),
});
