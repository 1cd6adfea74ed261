import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type SecretBox, SecretError, streamPlace } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { publishNumbers } from '../numbers/publish-numbers.js';
import { newId } from '../organizations/identifiers.js';
import type { Resealed } from '../secrets/secret-rotation.js';

/** The current secret and the one before it: every handshake is signed with both. */
export const maximumStreamSecrets = 2;
const secretOctets = 32;

export interface StreamSecret {
  readonly id: string;
  readonly createdAt: Date;
}

interface Deps {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
}

/**
 * Creates the secret that handshakes are signed with from now on, and removes all but the one before it. Throws `DemarcError`
 * `SECRET_KEY_MISSING` without a secret key.
 * @returns the secret too: it is shown only here
 */
export async function createStreamSecret(
  { database, secrets }: Deps,
  organizationId: string,
): Promise<StreamSecret & { readonly secret: string }> {
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const secret = randomBytes(secretOctets).toString('base64url');
  const id = newId('ssc');
  const createdAt = await database.transaction().execute(async (transaction) => {
    // Serialized, so that two concurrent requests leave two secrets and not three.
    await transaction
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .forUpdate()
      .execute();
    const [latest, ...earlier] = await listStreamSecrets(transaction, organizationId);
    const removed = earlier.map(({ id: each }) => each);
    if (removed.length > 0)
      await transaction.deleteFrom('stream_secrets').where('id', 'in', removed).execute();
    // Later than the one before it, whichever process's clock is ahead.
    const now = new Date(Math.max(Date.now(), (latest?.createdAt.getTime() ?? 0) + 1));
    await transaction
      .insertInto('stream_secrets')
      .values({
        id,
        organization_id: organizationId,
        secret: secrets.seal(secret, streamPlace(organizationId)),
        created_at: now,
      })
      .execute();
    await publishNumbers(transaction, organizationId);
    return now;
  });
  return { id, createdAt, secret };
}

/** The current one first. */
export async function listStreamSecrets(
  database: Kysely<Database>,
  organizationId: string,
): Promise<StreamSecret[]> {
  const rows = await database
    .selectFrom('stream_secrets')
    .select(['id', 'created_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ id, created_at }) => ({ id, createdAt: created_at }));
}

/** Throws `DemarcError` `NOT_FOUND` if the organization has no such secret. */
export async function removeStreamSecret(
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('stream_secrets')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new DemarcError('NOT_FOUND', 'Signing secret not found');
    await publishNumbers(transaction, organizationId);
  });
}

/** Re-seals secrets sealed with an earlier key with the current key. Secrets that no key opens stay unchanged. */
export async function resealStreamSecrets({ database, secrets }: Deps): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  const rows = await database
    .selectFrom('stream_secrets')
    .select(['id', 'organization_id', 'secret'])
    .execute();
  for (const { id, organization_id, secret } of rows) {
    const place = streamPlace(organization_id);
    if (!secrets.isOutdated(secret, place)) continue;
    try {
      const sealed = secrets.reseal(secret, place);
      await database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('stream_secrets')
          .set({ secret: sealed })
          .where('id', '=', id)
          .execute();
        await publishNumbers(transaction, organization_id);
      });
      resealed += 1;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      unreadable += 1;
    }
  }
  return { resealed, unreadable };
}
