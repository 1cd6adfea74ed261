import type { Kysely } from 'kysely';
import type { ControlSettings } from '../../config/control-settings.js';
import type { Database } from '../database/database.js';
import type { Caller } from '../http/api-server.js';
import { findKeyById } from '../organizations/keys.js';
import { findSession } from './sessions.js';

/**
 * The caller of a response that is still in progress, with the rights of this moment. Undefined: the key was revoked, the session has
 * ended, or the member was removed. Rejects while the database is down.
 */
export function callerNow(
  { database, settings }: { readonly database: Kysely<Database>; readonly settings: ControlSettings },
  { keyId, session }: Pick<Caller, 'keyId' | 'session'>,
): Promise<Caller | undefined> {
  return session === undefined
    ? findKeyById(database, keyId)
    : findSession(database, session.token, settings.session);
}
