import type { Kysely, Transaction } from 'kysely';
import type { StreamEntry } from '../../../base/stream.js';
import { type CallMoment, type Moment, momentSchema, momentStream } from '../../../contract/moments.js';
import { readJson } from '../../../contract/read-json.js';
import type { RegistrationState } from '../../../contract/registration.js';
import type { Database } from '../../database/tables.js';
import { eventId, type OccurredEvent } from '../../events/event.js';
import { queueEvents } from '../../events/queue-events.js';
import { storeOnce } from '../../streams/stream-position.js';
import { queueCallEvents } from './call-events.js';

/** Queues webhooks for the edges' events in stream order, each once. */
export async function storeMoments(
  database: Kysely<Database>,
  entries: readonly StreamEntry[],
): Promise<{ readonly position: string; readonly refused: number }> {
  let refused = 0;
  const position = await storeOnce(database, momentStream, entries, async (transaction, news) => {
    const moments = news.map(({ json }) => readJson(momentSchema, json)).filter((one) => one !== undefined);
    refused = news.length - moments.length;
    await queueMoments(transaction, moments);
  });
  return { position, refused };
}

async function queueMoments(transaction: Transaction<Database>, moments: readonly Moment[]): Promise<void> {
  const calls = moments.filter((moment): moment is CallMoment => moment.kind === 'call');
  await queueCallEvents(transaction, calls);
  const registrations = moments.flatMap((moment) =>
    moment.kind === 'registration' ? eventsOf(moment.registration) : [],
  );
  await queueEvents(transaction, registrations);
}

function eventsOf(registration: RegistrationState): OccurredEvent[] {
  const { state, since, attempted_at: attemptedAt, last_error: error } = registration;
  if (state !== 'registered' && state !== 'failed') return [];
  const event = `registration.${state}` as const;
  const occurredAt = attemptedAt ?? since;
  return [
    {
      organizationId: registration.organization,
      subject: registration.registration,
      event_id: eventId(event, registration.registration, occurredAt),
      event,
      occurred_at: occurredAt,
      sequence: Date.parse(occurredAt),
      data: {
        registrar: registration.registrar,
        username: registration.username,
        state,
        since,
        sip_code: registration.sip_code,
        error,
        expires_at: registration.expires_at,
        next_attempt_at: registration.next_attempt_at,
      },
    },
  ];
}
