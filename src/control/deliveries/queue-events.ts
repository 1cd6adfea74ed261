import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import type { OccurredEvent } from '../events/event.js';
import { isWanted } from '../events/event-types.js';
import { newId } from '../organizations/identifiers.js';
import type { WebhookEndpointsTable } from './webhook/tables.js';

type Connection = Kysely<Database> | Transaction<Database>;

/** Those of the organizations that have an enabled endpoint. */
export async function wantedOrganizations(
  database: Connection,
  organizations: readonly string[],
): Promise<ReadonlySet<string>> {
  if (organizations.length === 0) return new Set();
  const rows = await database
    .selectFrom('webhook_endpoints')
    .select('organization_id')
    .distinct()
    .where('organization_id', '=', sql<string>`any(${[...new Set(organizations)]}::text[])`)
    .where('enabled', '=', true)
    .execute();
  return new Set(rows.map(({ organization_id }) => organization_id));
}

/** Rows per INSERT: each takes nine of PostgreSQL's 65,535 parameters. */
const rowsAtOnce = 1_000;

/** By their ids. */
export interface EndpointChoice {
  readonly onlyEndpoint?: string;
  readonly exceptEndpoint?: string;
}

/**
 * Puts events on their way to every enabled endpoint that wants them, each once for each endpoint however often it is
 * queued. They are sent after the commit.
 * @returns how many deliveries there are of these events, earlier ones included
 */
export async function queueEvents(
  database: Connection,
  events: readonly OccurredEvent[],
  choice: EndpointChoice = {},
): Promise<number> {
  if (events.length === 0) return 0;
  const organizations = [...new Set(events.map(({ organizationId }) => organizationId))];
  const endpoints = await database
    .selectFrom('webhook_endpoints')
    .select(['id', 'organization_id', 'url', 'events'])
    .where('organization_id', '=', sql<string>`any(${organizations}::text[])`)
    .where('enabled', '=', true)
    .execute();
  if (endpoints.length === 0) return 0;
  const rows = deliveriesOf(events, endpoints, choice);
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await database
      .insertInto('deliveries')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return rows.length;
}

/** An enabled endpoint, as its table has it. */
type Endpoint = Pick<Selectable<WebhookEndpointsTable>, 'id' | 'organization_id' | 'url' | 'events'>;

/** A row for each event and each endpoint that wants it. */
export const deliveriesOf = (
  events: readonly OccurredEvent[],
  endpoints: readonly Endpoint[],
  { onlyEndpoint, exceptEndpoint }: EndpointChoice,
) =>
  events
    .flatMap(({ organizationId, subject, ...body }) =>
      endpoints
        .filter(
          (endpoint) =>
            endpoint.organization_id === organizationId &&
            (onlyEndpoint === undefined || endpoint.id === onlyEndpoint) &&
            endpoint.id !== exceptEndpoint &&
            isWanted(endpoint.events, body.event),
        )
        .map((endpoint) => ({
          id: newId('dlv'),
          organization_id: organizationId,
          event: body.event,
          subject,
          channel: 'webhook' as const,
          target: endpoint.url,
          content: JSON.stringify({ body }),
          endpoint_id: endpoint.id,
          event_id: body.event_id,
        })),
    )
    // A fixed order, so that two processes that queue the same events cannot deadlock.
    .sort((left, right) =>
      `${left.event_id}${left.endpoint_id}` < `${right.event_id}${right.endpoint_id}` ? -1 : 1,
    );
