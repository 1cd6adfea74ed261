import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { DigestCredential } from '../../contract/number.js';
import { agentCredentialPlace, type SecretBox, SecretError } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { publishNumbers } from '../numbers/publish-numbers.js';
import { newId } from '../organizations/identifiers.js';
import type { Resealed } from '../secrets/secret-rotation.js';

/** The maximum that a number document holds. */
export const maximumCredentials = 20;
/** 192 bits: a captured digest response cannot be brute-forced. */
const passwordOctets = 24;

export interface AgentCredential {
  /** The digest user name. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

interface Deps {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
}

/**
 * Throws `DemarcError` `SECRET_KEY_MISSING` without a secret key, `AGENT_CREDENTIALS_FULL` at the limit.
 * @returns the password too: it is shown only here
 */
export async function createAgentCredential(
  { database, secrets }: Deps,
  organizationId: string,
  name: string,
): Promise<AgentCredential & { readonly password: string }> {
  if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  const password = randomBytes(passwordOctets).toString('base64url');
  const credential = { id: newId('agt'), name, createdAt: new Date() };
  await database.transaction().execute(async (transaction) => {
    // Serialized, so that two concurrent requests cannot both pass the limit check.
    await transaction
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .forUpdate()
      .execute();
    const existing = await listAgentCredentials(transaction, organizationId);
    if (existing.length >= maximumCredentials) throw new DemarcError('AGENT_CREDENTIALS_FULL');
    await transaction
      .insertInto('agent_credentials')
      .values({
        id: credential.id,
        organization_id: organizationId,
        name,
        password: secrets.seal(password, agentCredentialPlace(organizationId)),
        created_at: credential.createdAt,
      })
      .execute();
    await publishNumbers(transaction, organizationId);
  });
  return { ...credential, password };
}

/** In order of creation. */
export async function listAgentCredentials(
  database: Kysely<Database> | Transaction<Database>,
  organizationId: string,
): Promise<AgentCredential[]> {
  const rows = await database
    .selectFrom('agent_credentials')
    .select(['id', 'name', 'created_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: created_at }));
}

/** Throws `DemarcError` `NOT_FOUND` if the organization has no such credential. */
export async function revokeAgentCredential(
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('agent_credentials')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new DemarcError('NOT_FOUND', 'Credential not found');
    await publishNumbers(transaction, organizationId);
  });
}

/** Re-seals passwords sealed with an earlier key with the current key. Passwords that no key opens stay unchanged. */
export async function resealAgentCredentials({ database, secrets }: Deps): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  const rows = await database
    .selectFrom('agent_credentials')
    .select(['id', 'organization_id', 'password'])
    .execute();
  for (const { id, organization_id, password } of rows) {
    const place = agentCredentialPlace(organization_id);
    if (!secrets.isOutdated(password, place)) continue;
    try {
      const sealed = secrets.reseal(password, place);
      await database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('agent_credentials')
          .set({ password: sealed })
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

/** The digest credentials of these organizations, oldest first, with sealed passwords; an organization without any is absent. */
export async function readDigestCredentials(
  database: Kysely<Database> | Transaction<Database>,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, readonly DigestCredential[]>> {
  const credentials = new Map<string, DigestCredential[]>();
  if (organizations.length === 0) return credentials;
  const rows = await database
    .selectFrom('agent_credentials')
    .select(['id', 'organization_id', 'password'])
    .where('organization_id', 'in', organizations)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const { id: username, organization_id: organization, password } of rows) {
    credentials.set(organization, [...(credentials.get(organization) ?? []), { username, password }]);
  }
  return credentials;
}
