import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ControlSettings } from '../../config/control-settings.js';
import { type DeliveryView, deliverySchema } from '../deliveries/delivery-view.js';
import { e164 } from '../http/phone-number.js';
import { publicUrl } from '../http/public-url.js';
import { directionName } from '../numbers/fields.js';
import { type AlertKind, type AlertsTable, alertKinds, alertStates } from './tables.js';

export type AlertRow = Selectable<AlertsTable>;

const moment = z.iso.datetime();

export const alertSchema = z
  .object({
    alert_id: z.string(),
    phone_number: z.string(),
    direction: directionName,
    kind: z.enum(alertKinds),
    state: z.enum(alertStates).meta({
      description:
        '`active`, `recovered`, or `closed`: its threshold was removed while it was active; no notice is sent',
    }),
    title: z.string(),
    summary: z.string().meta({ description: 'What happened, with measured values' }),
    cause: z.string().meta({ description: 'The likely cause' }),
    advice: z.string().meta({ description: 'What to do' }),
    since: moment.meta({ description: 'When it began' }),
    fired_at: moment,
    recovered_at: moment.nullable(),
    measured: z.number().nullable(),
    threshold: z.number(),
    unit: z.enum(['minutes', 'percent', 'milliseconds']),
    dashboard_url: z.string(),
    acknowledged_at: moment.nullable().meta({ description: 'When it was acknowledged; null: not' }),
    acknowledged_by: z
      .string()
      .nullable()
      .meta({ description: 'Name of the member or key that acknowledged it; null: not acknowledged' }),
    note: z.string().nullable().meta({ description: 'Note for colleagues' }),
    muted_until: moment
      .nullable()
      .meta({ description: 'No notices of this number, direction and kind until then; null: not muted' }),
    muted_at: moment.nullable().meta({ description: 'When it was muted; null: not muted' }),
    muted_by: z
      .string()
      .nullable()
      .meta({ description: 'Name of the member or key that muted it; null: not muted' }),
    maintenance: z
      .object({
        window_id: z.string().meta({ description: 'window_id of the window' }),
        name: z.string().meta({ description: 'Name of the window when the alert fired' }),
        withheld: z
          .boolean()
          .meta({ description: 'True: not sent yet; it is sent if it persists after the window' }),
      })
      .nullable()
      .meta({ description: 'The maintenance window that was open when it fired; null: none' }),
    notices: z.array(deliverySchema),
  })
  .meta({ id: 'Alert' });

export type AlertView = z.infer<typeof alertSchema>;

const units: Readonly<Record<AlertKind, AlertView['unit']>> = {
  unreachable: 'minutes',
  failure_rate: 'percent',
  response_time: 'milliseconds',
};

/** URL of the trunk's page; uses the listen address when no public URL is configured. */
export const dashboardUrl = (settings: ControlSettings, number: string): string =>
  `${publicUrl(settings)}/trunks/${number}`;

export const alertView = (
  settings: ControlSettings,
  row: AlertRow,
  notices: readonly DeliveryView[],
): AlertView => ({
  alert_id: row.id,
  phone_number: e164(row.number),
  direction: row.direction,
  kind: row.kind,
  state: row.state,
  title: row.title,
  summary: row.summary,
  cause: row.cause,
  advice: row.advice,
  since: row.since.toISOString(),
  fired_at: row.fired_at.toISOString(),
  recovered_at: row.recovered_at?.toISOString() ?? null,
  measured: row.measured,
  threshold: row.threshold,
  unit: units[row.kind],
  dashboard_url: dashboardUrl(settings, row.number),
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  acknowledged_by: row.acknowledged_by,
  note: row.note,
  muted_until: row.muted_until?.toISOString() ?? null,
  muted_at: row.muted_at?.toISOString() ?? null,
  muted_by: row.muted_by,
  maintenance:
    row.maintenance_window_id === null
      ? null
      : {
          window_id: row.maintenance_window_id,
          name: row.maintenance_window ?? '',
          withheld: row.is_withheld,
        },
  notices: [...notices],
});
