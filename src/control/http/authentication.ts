import type { FastifyReply, FastifyRequest } from 'fastify';
import { DemarcError } from '../../errors.js';
import { findKey, isKeyShaped } from '../organizations/keys.js';
import type { ApiServer, ControlParts } from './api-server.js';

/** The key of `Authorization: Bearer KEY` or `Authorization: KEY`. */
function keyOf(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  return /^bearer\s+(\S+)$/i.exec(text)?.[1] ?? text;
}

type Limit = ReturnType<ApiServer['createRateLimit']>;

/**
 * Hook: who calls, within which rate, with which entitlement.
 * Throws `DemarcError` `UNAUTHORIZED`, `TOO_MANY_REQUESTS` (with Retry-After) or `SIP_NOT_ENABLED`.
 */
export function authenticate(server: ApiServer, { settings, database }: ControlParts) {
  const perKey = server.createRateLimit({
    max: settings.requestsPerSecond,
    timeWindow: 1_000,
    keyGenerator: (request) => request.caller.keyId,
  });
  const perAddress = server.createRateLimit({
    max: settings.wrongKeysPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => request.ip,
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = keyOf(request.headers.authorization);
    const caller = key === undefined || !isKeyShaped(key) ? undefined : await findKey(database, key);
    if (caller === undefined) {
      await enforce(perAddress, request, reply);
      reply.header('www-authenticate', 'Bearer');
      throw new DemarcError('UNAUTHORIZED');
    }
    request.caller = caller;
    await enforce(perKey, request, reply);
    if (!caller.sipEnabled) throw new DemarcError('SIP_NOT_ENABLED');
  };
}

async function enforce(limit: Limit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const state = await limit(request);
  if (state.isAllowed || !state.isExceeded) return;
  reply.header('retry-after', String(Math.max(1, state.ttlInSeconds)));
  throw new DemarcError('TOO_MANY_REQUESTS');
}
