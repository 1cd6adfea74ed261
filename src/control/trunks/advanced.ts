import type { Selectable } from 'kysely';
import { z } from 'zod';
import { limitsSchema } from '../../contract/number.js';
import { isDialString, transferPolicySchema } from '../../contract/transfer.js';
import { DemarcError } from '../../errors.js';
import { checkWebhookUrl, webhookUrlSchema } from '../deliveries/webhook/webhook-url.js';
import type { ControlDeps } from '../http/api-server.js';
import { e164 } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { parseDestination } from '../numbers/destination.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import {
  changeNumber,
  type NumberVersion,
  refuseSharedTrunk,
  requirePhoneNumber,
} from '../numbers/number-access.js';
import { checkReachable } from '../numbers/private-endpoints.js';
import type {
  Direction,
  DirectionSettingsTable,
  StoredAlerts,
  StoredCodecs,
  StoredFailover,
  StoredLimits,
  StoredTransfer,
} from '../numbers/tables.js';
import type { Warning } from '../numbers/warnings.js';
import type { StoredSections } from './shared/tables.js';

/** Failover, codecs, alerts, limits and transfers of a direction. */

const hostSchema = z
  .string()
  .min(1)
  .max(253)
  .superRefine((text, context) => {
    const parsed = parseDestination(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason });
    else if (!/^([a-z0-9.-]+|\[?[0-9a-f:.]+\]?)$/i.test(text) || parsed.destination.port !== undefined) {
      context.addIssue({
        code: 'custom',
        message: 'Must be a host name or an address, without port or scheme',
      });
    }
  })
  // The edges put brackets around IPv6 themselves.
  .overwrite((text) => {
    const parsed = parseDestination(text);
    return parsed.ok ? parsed.destination.host : text;
  });

export const failoverConfigSchema = z
  .strictObject({
    enabled: z.boolean().default(true),
    endpoints: z
      .array(
        z.strictObject({
          host: hostSchema,
          port: z.int().min(1).max(65_535).optional(),
          transport: z.enum(['udp', 'tcp', 'tls']).optional(),
          priority: z.int().min(1).max(100),
        }),
      )
      .max(2)
      .meta({ description: 'Backup servers; the preferred server is the direction’s sip_endpoint' }),
    triggers: z
      .array(z.enum(['unreachable', 'auth_failure', 'timeout']))
      .min(1)
      .max(3)
      .default(['unreachable', 'timeout']),
    failback: z.enum(['auto', 'manual']).default('auto'),
  })
  .superRefine(({ enabled, endpoints }, context) => {
    if (enabled && endpoints.length === 0) {
      context.addIssue({
        code: 'custom',
        path: ['endpoints'],
        message: 'Requires at least one enabled backup',
      });
    }
    if (new Set(endpoints.map(({ priority }) => priority)).size < endpoints.length) {
      context.addIssue({
        code: 'custom',
        path: ['endpoints', 1, 'priority'],
        message: 'Priorities must be unique',
      });
    }
  })
  .meta({ id: 'FailoverSettings' });

/** Names of the API and of the number document. */
const codecNames = { PCMU: 'PCMU', PCMA: 'PCMA', 'G.729': 'G729', Opus: 'opus', 'G.722': 'G722' } as const;
type ApiCodec = keyof typeof codecNames;
const apiCodecs = Object.keys(codecNames) as [ApiCodec, ...ApiCodec[]];

const codecConfigSchema = z
  .strictObject({
    codecs: z
      .array(z.enum(apiCodecs))
      .min(1)
      .max(apiCodecs.length)
      .refine((codecs) => new Set(codecs).size === codecs.length, 'Each codec can be listed once')
      .meta({ description: 'Enabled codecs, in order of preference' }),
    transcode: z.boolean().default(false),
  })
  .meta({ id: 'CodecSettings' });

export const alertConfigSchema = z
  .strictObject({
    enabled: z.boolean().default(true),
    thresholds: z
      .strictObject({
        unreachable_minutes: z.int().min(1).max(1_440).optional(),
        failure_rate_percent: z.number().min(0).max(100).optional(),
        failure_rate_window_minutes: z.int().min(1).max(1_440).optional(),
        response_time_ms: z.int().min(1).max(60_000).optional(),
      })
      .default({}),
    channels: z
      .strictObject({
        email: z.boolean().optional(),
        sms: z.boolean().optional(),
        webhook: webhookUrlSchema.optional(),
      })
      .default({}),
  })
  .meta({ id: 'AlertSettings' });

/** The sections of one direction; null clears one. */
export const sectionFields = {
  failover_config: failoverConfigSchema.nullable().optional(),
  codec_config: codecConfigSchema.nullable().optional(),
  alert_config: alertConfigSchema.nullable().optional(),
  limits: limitsSchema.nullable().optional().meta({ description: 'Demarc extension' }),
  transfer_config: transferPolicySchema.nullable().optional().meta({ description: 'Demarc extension' }),
};
const sectionsSchema = z.strictObject(sectionFields);
export type Sections = z.infer<typeof sectionsSchema>;

export const advancedSchema = z
  .strictObject({
    phone_number: phoneNumberSchema,
    direction: z.enum(['inbound', 'outbound']),
    ...sectionFields,
  })
  .superRefine(({ direction, failover_config }, context) => {
    if (direction === 'outbound' || (failover_config ?? null) === null) return;
    const message = 'failover_config applies to outbound only: direction must be outbound';
    context.addIssue({ code: 'custom', path: ['failover_config'], message });
  });

/** A direction's advanced configuration as the API shows it. */
export interface AdvancedView {
  readonly failover_config: StoredFailover | null;
  readonly codec_config: { readonly codecs: ApiCodec[]; readonly transcode: boolean } | null;
  readonly alert_config: StoredAlerts | null;
  readonly limits: StoredLimits | null;
  readonly transfer_config: StoredTransfer | null;
}

const codecView = ({ order, transcode }: StoredCodecs): AdvancedView['codec_config'] => ({
  codecs: order.map((stored) => apiCodecs.find((name) => codecNames[name] === stored)!),
  transcode,
});

export const advancedView = (
  row: Selectable<DirectionSettingsTable> | StoredSections | undefined,
): AdvancedView => ({
  failover_config: row?.failover ?? null,
  codec_config: row?.codecs ? codecView(row.codecs) : null,
  alert_config: row?.alerts ?? null,
  limits: row?.limits ?? null,
  transfer_config: row?.transfer ?? null,
});

/**
 * The named sections as they are stored. Throws `InvalidRequest` for what leads where it must not.
 * @param path of the sections within the request, with a dot at its end; empty: the request itself
 */
export function storedSections(
  settings: ControlDeps['settings'],
  { failover_config, codec_config, alert_config, limits, transfer_config }: Sections,
  path = '',
): StoredSections {
  for (const [place, { host }] of (failover_config?.endpoints ?? []).entries()) {
    checkReachable(settings, host, `${path}failover_config.endpoints.${place}.host`);
  }
  for (const [place, target] of (transfer_config?.allowed_targets ?? []).entries()) {
    if (target.startsWith('+') || isDialString(target)) continue;
    checkReachable(settings, target, `${path}transfer_config.allowed_targets.${place}`);
  }
  checkWebhookUrl(settings.notices, alert_config?.channels.webhook, `${path}alert_config.channels.webhook`);
  const codecs: StoredCodecs | null | undefined = codec_config && {
    order: codec_config.codecs.map((name) => codecNames[name]),
    transcode: codec_config.transcode,
  };
  const sections = {
    failover: failover_config,
    codecs,
    alerts: alert_config,
    limits,
    transfer: transfer_config,
  };
  return Object.fromEntries(Object.entries(sections).filter(([, section]) => section !== undefined));
}

/** An alert without a threshold is stored, because its channels may be set first, but it never fires. */
export function alertWarnings(number: string, alerts: StoredAlerts | null): Warning[] {
  if (alerts === null || !alerts.enabled) return [];
  const { unreachable_minutes, failure_rate_percent, response_time_ms } = alerts.thresholds;
  if ([unreachable_minutes, failure_rate_percent, response_time_ms].some((limit) => limit !== undefined))
    return [];
  const message =
    'The alert never fires: set unreachable_minutes, failure_rate_percent or response_time_ms in alert_config.thresholds.';
  return [{ phone_number: e164(number), warning: 'ALERT_NEVER_FIRES', message }];
}

/**
 * Replaces the named sections of a direction's advanced configuration; null takes a section away.
 * Throws `InvalidRequest` when none is named, `DemarcError` `NOT_FOUND` when the direction is not attached.
 */
export async function changeAdvanced(
  { database, settings }: ControlDeps,
  organizationId: string,
  request: z.infer<typeof advancedSchema>,
  version?: NumberVersion,
): Promise<{ number: string; direction: Direction; advanced: AdvancedView; warnings: Warning[] }> {
  const { phone_number, direction, ...named } = request;
  const number = requirePhoneNumber(phone_number);
  const sections = storedSections(settings, named);
  const columns = Object.fromEntries(
    Object.entries(sections).map(([name, section]) => [
      name,
      section === null ? null : JSON.stringify(section),
    ]),
  );
  if (Object.keys(columns).length === 0) {
    throw InvalidRequest.at(
      'body',
      'One of failover_config, codec_config, alert_config, limits, transfer_config is required',
    );
  }
  return changeNumber(
    database,
    organizationId,
    number,
    async (transaction, configurations) => {
      await refuseSharedTrunk(transaction, number);
      if (!configurations.some((row) => row.direction === direction)) {
        throw new DemarcError('NOT_FOUND', `the number has no ${direction} configuration`);
      }
      const row = await transaction
        .insertInto('direction_settings')
        .values({ number, direction, ...columns })
        .onConflict((conflict) =>
          conflict.columns(['number', 'direction']).doUpdateSet({ ...columns, updated_at: new Date() }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      const warnings = alertWarnings(number, row.alerts);
      return { changed: true, result: { number, direction, advanced: advancedView(row), warnings } };
    },
    version,
  );
}
