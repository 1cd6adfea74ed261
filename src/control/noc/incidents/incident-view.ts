import type { Kysely } from 'kysely';
import { z } from 'zod';
import { endReasonSchema } from '../../../contract/call-record.js';
import { readNotifiedBetween } from '../../alerts/index.js';
import type { Database } from '../../database/tables.js';
import { deliverySchema } from '../../deliveries/delivery-view.js';
import type { Caller } from '../../http/api-server.js';
import { hasScope } from '../../http/scopes.js';
import type { NamedIncident } from './incident-storage.js';
import { reasonKinds } from './tables.js';

const moment = z.iso.datetime();

const reasonSchema = z.object({
  kind: z.enum(reasonKinds),
  text: z.string().meta({ description: 'The reason in words' }),
  cause: z.string().nullable(),
  advice: z.string().nullable(),
  phone_number: z.string().nullable(),
  end_reason: endReasonSchema.nullable().meta({ description: 'Of `calls`: how most of them ended' }),
  sip_status: z.int().nullable(),
  first_seen_at: moment.meta({ description: 'When the verdict was first red for it' }),
  last_seen_at: moment.meta({ description: 'When it last was' }),
});

export const incidentSchema = z
  .object({
    incident_id: z.string(),
    organization: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Null: of the service, for all organizations' }),
    state: z.enum(['open', 'recovered']),
    title: z.string().meta({ description: 'The first reason in words' }),
    opened_at: moment.meta({ description: 'When the verdict turned red' }),
    recovered_at: moment.nullable().meta({
      description: 'Since when the verdict was no longer red, for at least a minute; null: not yet',
    }),
    first_call: z.object({ call_id: z.string(), started_at: moment }).nullable().meta({
      description: 'The first call that failed for the first reason; null: none did, or it is not known',
    }),
    reasons: z.array(reasonSchema).meta({ description: 'Why the verdict was red, the first one first' }),
    acknowledged_at: moment.nullable().meta({ description: 'When it was acknowledged; null: not' }),
    acknowledged_by: z
      .string()
      .nullable()
      .meta({ description: 'Name of the member or key that acknowledged it; null: not acknowledged' }),
    note: z.string().nullable().meta({ description: 'Note for colleagues' }),
  })
  .meta({ id: 'Incident' });
export type IncidentView = z.infer<typeof incidentSchema>;

export const incidentStorySchema = incidentSchema
  .extend({
    changes: z
      .array(
        z.object({
          at: moment,
          by: z.string().meta({ description: 'Name of the member or key' }),
          summary: z.string(),
          subject: z.string().meta({ description: 'What was changed: ids and names; may be empty' }),
          fields: z.string().meta({ description: 'Names of the fields, without their values' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The audit log of the day before the first failed call, newest first, at most 20; empty for incidents of the service; null without the scope members:read',
      }),
    alerts: z
      .array(
        z.object({
          alert_id: z.string(),
          title: z.string(),
          fired_at: moment,
          notices: z.array(deliverySchema),
        }),
      )
      .nullable()
      .meta({
        description:
          'Alerts that fired during the incident, with who was notified; at most 20; null without the scope alerts:read',
      }),
  })
  .meta({ id: 'IncidentStory' });
export type IncidentStory = z.infer<typeof incidentStorySchema>;

/** @param isOperator sees every reason of the service; others see its components */
export function incidentView(row: NamedIncident, isOperator: boolean): IncidentView {
  const isShared = row.organization_id === null && !isOperator;
  const reasons = isShared ? row.reasons.filter(({ kind }) => kind === 'component') : row.reasons;
  return {
    incident_id: row.id,
    organization:
      row.organization_id === null ? null : { id: row.organization_id, name: row.organization_name ?? '' },
    state: row.recovered_at === null ? 'open' : 'recovered',
    title: isShared ? (reasons[0]?.text ?? '') : row.title,
    opened_at: row.opened_at.toISOString(),
    recovered_at: row.recovered_at?.toISOString() ?? null,
    first_call:
      row.first_call_id === null || row.first_failure_at === null
        ? null
        : { call_id: row.first_call_id, started_at: row.first_failure_at.toISOString() },
    reasons: reasons.map(({ key: _, ...reason }) => reason),
    acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
    acknowledged_by: row.acknowledged_by,
    note: row.note,
  };
}

const mostAlerts = 20;
/** Alerts need longer than the verdict to recover, and may fire before it turns red. */
const aroundMilliseconds = 600_000;

export async function storyOf(
  database: Kysely<Database>,
  row: NamedIncident,
  { isOperator, scopes }: Pick<Caller, 'isOperator' | 'scopes'>,
): Promise<IncidentStory> {
  const mayReadAlerts = hasScope(scopes, 'alerts:read');
  const reported =
    row.organization_id === null || !mayReadAlerts
      ? []
      : await readNotifiedBetween(database, row.organization_id, {
          from: new Date((row.first_failure_at ?? row.opened_at).getTime() - aroundMilliseconds),
          until: row.recovered_at ?? new Date(),
          limit: mostAlerts,
        });
  return {
    ...incidentView(row, isOperator),
    changes: hasScope(scopes, 'members:read') ? [...row.changes] : null,
    alerts: mayReadAlerts
      ? reported.map(({ alert, notices }) => ({
          alert_id: alert.id,
          title: alert.title,
          fired_at: alert.fired_at.toISOString(),
          notices: [...notices],
        }))
      : null,
  };
}
