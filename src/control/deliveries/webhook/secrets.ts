import type { Kysely } from 'kysely';
import { type SecretBox, SecretError, type SecretPlace } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { Resealed } from '../../secrets/secret-rotation.js';
import { newSigningSecret, rotationHours, type SigningSecrets } from './signature.js';

export interface SecretDeps {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
}

/** A secret and the one before it, sealed, as its table stores them. */
interface SealedSecrets {
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: Date | null;
}

const placeOf = (organization: string): SecretPlace => ({ kind: 'webhooks', organization, id: organization });

export const endpointPlace = (organization: string, id: string): SecretPlace => ({
  kind: 'webhook endpoint',
  organization,
  id,
});

export const rotationEnd = (now: Date): Date => new Date(now.getTime() + rotationHours * 3_600_000);

/**
 * A new signing secret of the organization; an earlier one stays valid for 24 hours.
 * Throws `DemarcError` `SECRET_KEY_MISSING` where nothing can be sealed.
 */
export async function rotateSigningSecret(
  { database, secrets }: SecretDeps,
  organizationId: string,
): Promise<{ readonly secret: string; readonly createdAt: Date }> {
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const secret = newSigningSecret();
  const createdAt = new Date();
  const sealed = secrets.seal(secret, placeOf(organizationId));
  await database
    .insertInto('webhook_secrets')
    .values({ organization_id: organizationId, secret: sealed, created_at: createdAt })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet(({ ref }) => ({
        secret: sealed,
        created_at: createdAt,
        previous_secret: ref('webhook_secrets.secret'),
        previous_until: rotationEnd(createdAt),
      })),
    )
    .execute();
  return { secret, createdAt };
}

/** Creation time; undefined: no secret. */
export async function signingSecretSince(
  database: Kysely<Database>,
  organizationId: string,
): Promise<Date | undefined> {
  const row = await database
    .selectFrom('webhook_secrets')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.created_at;
}

/** Undefined: the organization has no secret. Throws `SecretError` when it cannot be opened. */
export async function signingSecrets(
  { database, secrets }: SecretDeps,
  organizationId: string,
): Promise<SigningSecrets | undefined> {
  const row = await database
    .selectFrom('webhook_secrets')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row && openSecrets(secrets, row, placeOf(organizationId));
}

/** Throws `SecretError` when the current one cannot be opened. */
export function openSecrets(
  secrets: SecretBox,
  row: SealedSecrets,
  place: SecretPlace,
  now = Date.now(),
): SigningSecrets {
  const { secret, previous_secret: previous, previous_until: until } = row;
  const current = secrets.open(secret, place);
  if (previous === null || until === null || until.getTime() <= now) return [current];
  return [current, secrets.open(previous, place)];
}

/** Re-seals secrets that an earlier key sealed, or that are not bound to their row. Secrets that no key opens stay unchanged. */
export async function resealSigningSecrets({ database, secrets }: SecretDeps): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  const organizations = await database.selectFrom('webhook_secrets').selectAll().execute();
  for (const { organization_id, secret, previous_secret } of organizations) {
    const values = resealedSecrets(secrets, { secret, previous_secret }, placeOf(organization_id));
    if (values === 'unreadable') unreadable += 1;
    if (values === undefined || values === 'unreadable') continue;
    const { numUpdatedRows } = await database
      .updateTable('webhook_secrets')
      .set(values)
      .where('organization_id', '=', organization_id)
      // A secret replaced meanwhile is already sealed with the current key.
      .where('secret', '=', secret)
      .executeTakeFirst();
    resealed += Number(numUpdatedRows);
  }
  const endpoints = await database
    .selectFrom('webhook_endpoints')
    .select(['id', 'organization_id', 'secret', 'previous_secret'])
    .execute();
  for (const { id, organization_id, secret, previous_secret } of endpoints) {
    const place = endpointPlace(organization_id, id);
    const values = resealedSecrets(secrets, { secret, previous_secret }, place);
    if (values === 'unreadable') unreadable += 1;
    if (values === undefined || values === 'unreadable') continue;
    const { numUpdatedRows } = await database
      .updateTable('webhook_endpoints')
      .set(values)
      .where('id', '=', id)
      .where('secret', '=', secret)
      .executeTakeFirst();
    resealed += Number(numUpdatedRows);
  }
  return { resealed, unreadable };
}

/** Undefined: the current key sealed both, for this place. */
export function resealedSecrets(
  secrets: SecretBox,
  sealed: Pick<SealedSecrets, 'secret' | 'previous_secret'>,
  place: SecretPlace,
): Pick<SealedSecrets, 'secret' | 'previous_secret'> | 'unreadable' | undefined {
  const { secret, previous_secret: previous } = sealed;
  const isOutdated = [secret, previous].some(
    (sealed) => sealed !== null && secrets.isOutdated(sealed, place),
  );
  if (!isOutdated) return undefined;
  const reseal = (sealed: string): string =>
    secrets.isOutdated(sealed, place) ? secrets.reseal(sealed, place) : sealed;
  try {
    return { secret: reseal(secret), previous_secret: previous === null ? null : reseal(previous) };
  } catch (error) {
    if (error instanceof SecretError) return 'unreadable';
    throw error;
  }
}
