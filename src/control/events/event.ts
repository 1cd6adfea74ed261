import { createHash } from 'node:crypto';
import { z } from 'zod';
import { eventTypes } from './event-types.js';

/** The body of a webhook to an endpoint. */
export const eventSchema = z
  .object({
    event_id: z.string().meta({
      description: 'The same for every endpoint and attempt: use it to detect duplicates',
      examples: ['evt_5d1f0c2b9a8e7d6c5b4a3f2e'],
    }),
    event: z.enum(eventTypes).meta({ description: 'What happened' }),
    occurred_at: z.iso.datetime().meta({ description: 'When it happened' }),
    sequence: z.int().meta({
      description: 'Order among events of the same call, alert, server or registration; gaps have no meaning',
    }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The subject of the event; its shape depends on the type' }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof eventSchema>;

/** An event of one organization, before it is matched to endpoints. */
export interface OccurredEvent extends WebhookEvent {
  readonly organizationId: string;
  /** Id of the call, alert, server or registration. */
  readonly subject: string;
}

/** Deterministic: the same facts always give the same id. */
export const eventId = (...facts: readonly (string | number)[]): string =>
  `evt_${createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 24)}`;
