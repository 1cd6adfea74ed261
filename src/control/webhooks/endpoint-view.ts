import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import {
  type EndpointRow,
  type EndpointState,
  readEndpointStates,
} from '../deliveries/webhook/endpoint-storage.js';
import { disabledReasons } from '../deliveries/webhook/tables.js';
import { eventFilterSchema } from '../events/event-types.js';

const moment = z.iso.datetime();

export const endpointSchema = z
  .object({
    webhook_id: z.string().meta({ examples: ['whe_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    url: z
      .string()
      .meta({ description: 'URL that receives the events', examples: ['https://example.com/hooks'] }),
    description: z.string().meta({ description: 'Free text' }),
    events: z.array(eventFilterSchema).meta({
      description: 'Events to send: types, areas (call.*), or * for all',
      examples: [['call.*', 'alert.fired']],
    }),
    enabled: z.boolean().meta({ description: 'False: disabled; events that occur meanwhile are not kept' }),
    disabled_reason: z.enum(disabledReasons).nullable().meta({
      description: 'request: disabled through the API; failing: no delivery succeeded for days',
    }),
    disabled_at: moment.nullable().meta({ description: 'When it was disabled' }),
    failing_since: moment
      .nullable()
      .meta({ description: 'First failed attempt since the last successful delivery' }),
    silent_since: moment.nullable().meta({
      description:
        'Time since which attempts have had no response within the time limit; null: the endpoint responds',
    }),
    paused_until: moment.nullable().meta({
      description:
        'Set while the endpoint is paused because it does not respond: time of the next attempt; other deliveries wait. null: not paused',
    }),
    pending_deliveries: z.int().meta({ description: 'Deliveries that wait for the endpoint' }),
    dropped_deliveries: z.int().meta({
      description: 'Deliveries that failed because too many were waiting (DEMARC_DELIVERY_PENDING)',
    }),
    previous_secret_until: moment
      .nullable()
      .meta({ description: 'Until then deliveries are also signed with the previous secret' }),
    created_at: moment.meta({ description: 'Creation time' }),
    updated_at: moment.meta({ description: 'Last change' }),
  })
  .meta({ id: 'WebhookEndpoint' });

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const endpointView = (
  row: EndpointRow,
  state: EndpointState,
  now = Date.now(),
): z.infer<typeof endpointSchema> => ({
  webhook_id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  disabled_at: iso(row.disabled_at),
  failing_since: iso(row.failing_since),
  silent_since: iso(state.silentSince),
  paused_until: iso(state.pausedUntil),
  pending_deliveries: state.pending,
  dropped_deliveries: Number(row.dropped_deliveries),
  previous_secret_until:
    row.previous_until !== null && row.previous_until.getTime() > now ? iso(row.previous_until) : null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Views of an organization's endpoints, in the order given. */
export async function endpointViews(
  database: Kysely<Database>,
  rows: readonly EndpointRow[],
): Promise<z.infer<typeof endpointSchema>[]> {
  const states = await readEndpointStates(database, rows);
  return rows.map((row, index) => endpointView(row, states[index]!));
}

export const showEndpoint = async (database: Kysely<Database>, row: EndpointRow) =>
  (await endpointViews(database, [row]))[0]!;
