import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type SecretBox, SecretError } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';

/** Sealed in the database; the customer sees it once. */
const secretOctets = 32;

export interface SecretParts {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
}

/**
 * A new signing secret of the organization, in place of the one before.
 * Throws `DemarcError` `SECRET_KEY_MISSING` where nothing can be sealed.
 */
export async function rotateSigningSecret(
  { database, secrets }: SecretParts,
  organizationId: string,
): Promise<{ readonly secret: string; readonly createdAt: Date }> {
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const secret = `whsec_${randomBytes(secretOctets).toString('base64url')}`;
  const values = { secret: secrets.seal(secret), created_at: new Date() };
  await database
    .insertInto('webhook_secrets')
    .values({ organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
  return { secret, createdAt: values.created_at };
}

/** Since when there is one; undefined: there is none. */
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

/** Undefined: the organization has none. Throws `SecretError` when it cannot be opened. */
export async function signingSecret(
  { database, secrets }: SecretParts,
  organizationId: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('webhook_secrets')
    .select('secret')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row && secrets.open(row.secret);
}

/** HMAC-SHA256 of the body as it is sent, in hexadecimal. */
export const signatureOf = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** Seals the secrets that an earlier key sealed with the current one; returns how many. What no key opens stays. */
export async function resealSigningSecrets({ database, secrets }: SecretParts): Promise<number> {
  let resealed = 0;
  const rows = await database.selectFrom('webhook_secrets').select(['organization_id', 'secret']).execute();
  for (const { organization_id, secret } of rows) {
    if (!secrets.isOutdated(secret)) continue;
    try {
      const { numUpdatedRows } = await database
        .updateTable('webhook_secrets')
        .set({ secret: secrets.seal(secrets.open(secret)) })
        .where('organization_id', '=', organization_id)
        // One that was replaced meanwhile is sealed with the current key.
        .where('secret', '=', secret)
        .executeTakeFirst();
      resealed += Number(numUpdatedRows);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
  }
  return resealed;
}
