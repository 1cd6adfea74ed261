import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import type { EventFilter } from '../../events/event-types.js';
import { newId } from '../../organizations/identifiers.js';
import { forgetSilence } from '../silent-receivers.js';
import { endpointPlace, rotationEnd, type SecretDeps } from './secrets.js';
import { newSigningSecret } from './signature.js';
import type { WebhookEndpointsTable } from './tables.js';

export type EndpointRow = Selectable<WebhookEndpointsTable>;

export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventFilter[];
  readonly enabled: boolean;
}

/** Every event is stored once for each of them. */
export const maximumEndpoints = 20;

/** The secret is returned only here. Throws `DemarcError` `SECRET_KEY_MISSING` or `TOO_MANY_WEBHOOK_ENDPOINTS`. */
export async function createEndpoint(
  { database, secrets }: SecretDeps,
  organizationId: string,
  values: EndpointValues,
): Promise<{ readonly row: EndpointRow; readonly secret: string }> {
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const secret = newSigningSecret();
  const id = newId('whe');
  const row = await database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'webhook endpoints', organizationId);
    const { count } = await transaction
      .selectFrom('webhook_endpoints')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumEndpoints) throw new DemarcError('TOO_MANY_WEBHOOK_ENDPOINTS');
    return transaction
      .insertInto('webhook_endpoints')
      .values({
        id,
        organization_id: organizationId,
        url: values.url,
        description: values.description,
        events: JSON.stringify(values.events),
        ...enabling(values.enabled),
        secret: secrets.seal(secret, endpointPlace(organizationId, id)),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { row, secret };
}

/** Enabling resets the failure count. */
const enabling = (enabled: boolean) => ({
  enabled,
  disabled_reason: enabled ? null : ('request' as const),
  disabled_at: enabled ? null : new Date(),
  failing_since: null,
});

export const findEndpoint = (
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<EndpointRow | undefined> =>
  database
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** Newest first, unpaged because there are few. */
export const readEndpoints = (database: Kysely<Database>, organizationId: string): Promise<EndpointRow[]> =>
  database
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export interface EndpointState {
  readonly silentSince: Date | null;
  readonly pausedUntil: Date | null;
  readonly pending: number;
}

/** In the order of the endpoints. */
export async function readEndpointStates(
  database: Kysely<Database>,
  endpoints: readonly Pick<EndpointRow, 'id' | 'organization_id'>[],
): Promise<EndpointState[]> {
  const organizations = endpoints.map(({ organization_id }) => organization_id);
  const ids = endpoints.map(({ id }) => id);
  const { rows } = await sql<EndpointState>`
    select silent_since as "silentSince", paused_until as "pausedUntil", (
      select count(*)::integer from deliveries where status = 'pending'
        and organization_id = endpoints.organization_id
        and delivery_receiver(endpoint_id, channel, target) = endpoints.receiver
    ) as pending
    from unnest(${organizations}::text[], ${ids}::text[]) with ordinality endpoints (organization_id, receiver, position)
    left join silent_receivers using (organization_id, receiver)
    order by position`.execute(database);
  return rows;
}

/** Omitted fields keep their value; what waited for the endpoint is tried at once. Undefined: no such endpoint. */
export async function updateEndpoint(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  {
    enabled,
    events,
    url,
    description,
  }: { readonly [Field in keyof EndpointValues]?: EndpointValues[Field] | undefined },
): Promise<EndpointRow | undefined> {
  await forgetSilence(database, organizationId, id);
  return database
    .updateTable('webhook_endpoints')
    .set({
      updated_at: new Date(),
      ...(url === undefined ? {} : { url }),
      ...(description === undefined ? {} : { description }),
      ...(events === undefined ? {} : { events: JSON.stringify(events) }),
      ...(enabled === undefined ? {} : enabling(enabled)),
    })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returningAll()
    .executeTakeFirst();
}

/** False: no such endpoint. Its pending deliveries are not sent. */
export async function deleteEndpoint(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<boolean> {
  await forgetSilence(database, organizationId, id);
  const { numDeletedRows } = await database
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Rotates the secret; the previous one stays valid for 24 hours. Undefined: no such endpoint. */
export async function rotateEndpointSecret(
  { database, secrets }: SecretDeps,
  organizationId: string,
  id: string,
): Promise<{ readonly secret: string; readonly previousUntil: Date } | undefined> {
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const secret = newSigningSecret();
  const now = new Date();
  const previousUntil = rotationEnd(now);
  const row = await database
    .updateTable('webhook_endpoints')
    .set(({ ref }) => ({
      secret: secrets.seal(secret, endpointPlace(organizationId, id)),
      previous_secret: ref('secret'),
      previous_until: previousUntil,
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returning('id')
    .executeTakeFirst();
  return row && { secret, previousUntil };
}

/**
 * Notes how an attempt for the endpoint went. An endpoint for which nothing got through for as long as `disableAfterHours` is
 * disabled; returns true when this attempt did that.
 */
export async function noteAttempt(
  database: Kysely<Database> | Transaction<Database>,
  id: string,
  isDelivered: boolean,
  disableAfterHours: number,
): Promise<boolean> {
  if (isDelivered) {
    await database
      .updateTable('webhook_endpoints')
      .set({ failing_since: null })
      .where('id', '=', id)
      .where('failing_since', 'is not', null)
      .execute();
    return false;
  }
  await database
    .updateTable('webhook_endpoints')
    .set({ failing_since: new Date() })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where('failing_since', 'is', null)
    .execute();
  const { numUpdatedRows } = await database
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: 'failing', disabled_at: new Date() })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where('failing_since', '<=', new Date(Date.now() - disableAfterHours * 3_600_000))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
