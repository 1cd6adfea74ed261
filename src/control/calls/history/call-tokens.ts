import type { Kysely } from 'kysely';
import type { ControlSettings } from '../../../config/control-settings.js';
import { readCallToken } from '../../../contract/call-token.js';
import type { SecretBox } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/database.js';
import type { Caller } from '../../http/api-server.js';

interface CallTokenDeps {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
  readonly settings: Pick<ControlSettings, 'callTokenGraceSeconds'>;
}

/** No token is valid for longer: the longest call, and what precedes and follows it. Older calls need not be looked through. */
const longestTokenMilliseconds = 2 * 86_400_000;

const refused = (detail: string): DemarcError => new DemarcError('CALL_TOKEN_INVALID', detail);

/**
 * The agent of a call, or why its token is refused (`CALL_TOKEN_INVALID`). A call whose record is not stored counts as active: it
 * is stored milliseconds after the end, later while PostgreSQL or Redis is down, and the token's own expiry bounds the rest.
 */
export async function recognizeCallToken(
  { database, secrets, settings }: CallTokenDeps,
  token: string,
): Promise<Caller | DemarcError> {
  const now = Date.now();
  const grant = readCallToken(secrets, token, now);
  if (grant === 'expired') return refused('the token has expired');
  if (grant === 'invalid') return refused('send X-Demarc-Token of the INVITE unchanged');
  const found = await database
    .selectFrom('organizations')
    .leftJoin('calls', (join) =>
      join
        .onRef('calls.organization_id', '=', 'organizations.id')
        .on('calls.call_id', '=', grant.callId)
        .on('calls.started_at', '>', new Date(now - longestTokenMilliseconds)),
    )
    .select(['region', 'sip_enabled', 'ended_at'])
    .where('organizations.id', '=', grant.organization)
    .executeTakeFirst();
  if (found === undefined) return refused('the organization does not exist');
  const { ended_at: endedAt } = found;
  if (endedAt !== null && now - endedAt.getTime() > settings.callTokenGraceSeconds * 1_000) {
    return refused(`the call ended at ${endedAt.toISOString()}`);
  }
  return {
    keyId: `call:${grant.callId}`,
    name: `call ${grant.callId}`,
    organizationId: grant.organization,
    region: found.region,
    sipEnabled: found.sip_enabled,
    isOperator: false,
    scopes: null,
    keyExpiresAt: new Date(grant.expiresAt * 1_000),
    call: grant,
  };
}
