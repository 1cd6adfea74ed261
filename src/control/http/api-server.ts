import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import type { ControlSettings } from '../../config/control-settings.js';
import type { SecretBox } from '../../contract/secret.js';
import type { Database } from '../database/database.js';
import type { ControlMetrics } from '../metrics.js';
import type { Scope } from '../organizations/scopes.js';

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
  /** Where all control processes count for their rate limits; absent: this one counts alone. */
  readonly rateLimits?: Redis;
  /** Counts requests; absent: nobody asks for the numbers. */
  readonly metrics?: ControlMetrics;
  /** Folder of the built dashboard; absent: where the build puts it. */
  readonly dashboard?: string;
}

/** Registers the endpoints of one area, with paths below `/v1`; only authenticated callers with the SIP entitlement reach them. */
export type RouteGroup = (server: ApiServer, deps: ControlDeps) => void;

/** Whose key a request carries. */
export interface Caller {
  readonly keyId: string;
  readonly organizationId: string;
  readonly region: string | null;
  readonly sipEnabled: boolean;
  /** Sees the fleet and the totals of all organizations. */
  readonly isOperator: boolean;
  /** What the key may do; null: everything that the organization may. */
  readonly scopes: readonly Scope[] | null;
  /** Null: never. */
  readonly keyExpiresAt: Date | null;
  /** Present when the request came with a session's cookie instead of the key itself. */
  readonly session?: { readonly token: string; readonly expiresAt: Date; readonly idleExpiresAt: Date };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any route of a `RouteGroup` runs. */
    caller: Caller;
  }
}
