import { type Kysely, sql, type Transaction } from 'kysely';
import type { StreamEntry } from '../../../base/stream.js';
import { type CallMoment, type Moment, momentSchema, momentStream } from '../../../contract/moments.js';
import { readJson } from '../../../contract/read-json.js';
import type { RegistrationState } from '../../../contract/registration.js';
import type { Database } from '../../database/tables.js';
import { queueEvents } from '../../deliveries/queue-events.js';
import { eventId, type OccurredEvent } from '../../events/event.js';
import { storeOnce } from '../../streams/stream-position.js';
import { queueCallEvents } from './call-events.js';

/**
 * Queues webhooks for the edges' events in stream order, each once. Most organizations have no webhooks: where none of these events is
 * wanted, only the position moves.
 * @param after the position that the entries were read after
 */
export async function storeMoments(
  database: Kysely<Database>,
  entries: readonly StreamEntry[],
  after: string,
): Promise<{ readonly position: string; readonly refused: number; readonly queued: number }> {
  const read = momentsOf(entries);
  const to = entries.at(-1)?.id;
  if (to !== undefined && (await skipUnwanted(database, { from: after, to }, read.map(organizationOf)))) {
    return { position: to, refused: entries.length - read.length, queued: 0 };
  }
  let refused = 0;
  let queued = 0;
  const position = await storeOnce(database, momentStream, { entries, after }, async (transaction, news) => {
    const moments = momentsOf(news);
    refused = news.length - moments.length;
    queued = await queueMoments(transaction, moments);
  });
  return { position, refused, queued };
}

/**
 * Moves the position over entries that concern only these organizations, if none of them has a webhook endpoint, so that nothing is to
 * be stored. False: one has, or another process has moved the position meanwhile.
 */
async function skipUnwanted(
  database: Kysely<Database>,
  { from, to }: { readonly from: string; readonly to: string },
  organizations: readonly string[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update stream_positions set entry_id = ${to} where stream = ${momentStream} and entry_id = ${from} and not exists (
      select from webhook_endpoints where enabled and organization_id = any(${[...new Set(organizations)]}::text[])
    )`.execute(database);
  return numAffectedRows === 1n;
}

const momentsOf = (entries: readonly StreamEntry[]): Moment[] =>
  entries.flatMap(({ json }) => readJson(momentSchema, json) ?? []);

const organizationOf = (moment: Moment): string =>
  moment.kind === 'call' ? moment.call.organization : moment.registration.organization;

async function queueMoments(transaction: Transaction<Database>, moments: readonly Moment[]): Promise<number> {
  const calls = moments.filter((moment): moment is CallMoment => moment.kind === 'call');
  const registrations = moments.flatMap((moment) =>
    moment.kind === 'registration' ? eventsOf(moment.registration) : [],
  );
  return (await queueCallEvents(transaction, calls)) + (await queueEvents(transaction, registrations));
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
