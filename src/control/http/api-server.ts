import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { ControlSettings } from '../../config/control-settings.js';
import type { CallGrant } from '../../contract/call-token.js';
import type { SecretBox } from '../../contract/secret.js';
import type { Database } from '../database/database.js';
import type { Passwords } from '../secrets/passwords.js';
import type { Role } from './roles.js';
import type { Scope } from './scopes.js';

/** A fastify whose route schemas are zod's. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What the parts of control are made with. */
export interface ControlDeps {
  readonly settings: ControlSettings;
  readonly log: Logger;
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
  readonly passwords: Passwords;
  /** Releases of the rtpengines that running edges know, one each. Absent: no edge reports. Rejects while Redis is down. */
  readonly mediaReleases?: () => Promise<readonly string[]>;
}

/** Registers the endpoints of one area, with paths below `/v1`; only authenticated callers with the SIP entitlement reach them. */
export type RouteGroup = (server: ApiServer, deps: ControlDeps) => void;

/** Whose key, session or call token a request carries. */
export interface Caller {
  /** Id of the key. Of a member's session: the member's id; of a call token: `call:` and the call's id. */
  readonly keyId: string;
  /** Name of the key or person, for colleagues who want to know who did something. */
  readonly name: string;
  readonly organizationId: string;
  /** Present while an operator acts for another organization, which `organizationId` then names: the operator's own. */
  readonly homeOrganizationId?: string;
  readonly region: string | null;
  readonly sipEnabled: boolean;
  /** Sees the fleet and the totals of all organizations. */
  readonly isOperator: boolean;
  /** Scopes of the key; null: everything that the organization may do. */
  readonly scopes: readonly Scope[] | null;
  /** Null: never. */
  readonly keyExpiresAt: Date | null;
  /** Present when the request came with the session of a person who signed in with a password. */
  readonly member?: { readonly personId: string; readonly email: string; readonly role: Role };
  /** Present when the request came with the token of a call: only its data may be read or changed. */
  readonly call?: CallGrant;
  /** Present when the request came with a session's cookie instead of the key itself. */
  readonly session?: { readonly token: string; readonly expiresAt: Date; readonly idleExpiresAt: Date };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any route of a `RouteGroup` runs. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** True: the agent of a call reaches the route with the call's token (`caller.call`); the route keeps to what it grants. */
    acceptsCallToken?: boolean;
    /** True: counts as a search, which reads many rows; so does every request with `q`. */
    isSearch?: boolean;
  }
}
