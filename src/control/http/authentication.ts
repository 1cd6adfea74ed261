import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callTokenHeader } from '../../contract/call-token.js';
import { DemarcError } from '../../errors.js';
import { recognizeKey } from '../organizations/keys.js';
import { recognizeCallToken } from '../session/call-tokens.js';
import { clearSessionCookie, cookieName, requireOwnPage } from '../session/cookie.js';
import { findSession } from '../session/sessions.js';
import type { ApiServer, Caller, ControlDeps } from './api-server.js';
import { limitRequestsUnderWay } from './requests-under-way.js';

/** The key of `Authorization: Bearer KEY` or `Authorization: KEY`. */
function keyOf(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  return /^bearer\s+(\S+)$/i.exec(text)?.[1] ?? text;
}

type Limit = ReturnType<ApiServer['createRateLimit']>;

/**
 * Hook: identifies the caller by call token, API key or session cookie, and applies the rate limit. A token goes before a key that
 * came with it: it grants less. Throws `DemarcError` `UNAUTHORIZED`, `CALL_TOKEN_NOT_ACCEPTED`, `TOO_MANY_REQUESTS` (with Retry-After) or `FOREIGN_ORIGIN`.
 */
export function authenticate(server: ApiServer, deps: ControlDeps) {
  const { settings, database } = deps;
  const perKey = server.createRateLimit({
    max: settings.requestsPerSecond,
    timeWindow: 1_000,
    keyGenerator: (request) => `key ${request.caller.keyId}`,
  });
  const perAddress = server.createRateLimit({
    max: settings.wrongKeysPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `address ${normalizeIP(request.ip)}`,
  });
  const countUnderWay = limitRequestsUnderWay(settings.requestsPerSecond);
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | DemarcError> => {
    const callToken = request.headers[callTokenHeader.toLowerCase()];
    if (callToken !== undefined) return recognizeCallToken(deps, String(callToken));
    const key = keyOf(request.headers.authorization);
    if (key !== undefined) return recognizeKey(database, key);
    const token = request.cookies[cookieName];
    if (token === undefined) {
      return new DemarcError(
        'UNAUTHORIZED',
        'the Authorization header is missing; send Authorization: Bearer API_KEY',
      );
    }
    const caller = await findSession(database, token, settings.session);
    if (caller === undefined) {
      clearSessionCookie(request, reply);
      return new DemarcError('UNAUTHORIZED', 'the session has ended; log in again');
    }
    requireOwnPage(request);
    return caller;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await identify(request, reply);
    if (caller instanceof DemarcError) {
      await enforce(perAddress, request, reply);
      reply.header('www-authenticate', 'Bearer');
      throw caller;
    }
    request.caller = caller;
    await enforce(perKey, request, reply);
    if (caller.call !== undefined && request.routeOptions.config.acceptsCallToken !== true) {
      throw new DemarcError('CALL_TOKEN_NOT_ACCEPTED');
    }
    countUnderWay(request, reply);
  };
}

/** Hook, after `authenticate`. Throws `DemarcError` `SIP_NOT_ENABLED`. */
export async function requireEntitlement({ caller }: FastifyRequest): Promise<void> {
  if (!caller.sipEnabled) throw new DemarcError('SIP_NOT_ENABLED');
}

/** Counts the request and sets the `X-RateLimit-*` headers. Throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After. */
export async function enforce(limit: Limit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const state = await limit(request);
  if (state.isAllowed) return;
  const seconds = String(Math.max(1, state.ttlInSeconds));
  reply
    .header('x-ratelimit-limit', String(state.max))
    .header('x-ratelimit-remaining', String(Math.max(0, state.remaining)))
    .header('x-ratelimit-reset', seconds);
  if (!state.isExceeded) return;
  reply.header('retry-after', seconds);
  throw new DemarcError('TOO_MANY_REQUESTS', `the limit is ${state.max} per ${windowText(state.timeWindow)}`);
}

function windowText(milliseconds: number): string {
  if (milliseconds > 60_000) return `${milliseconds / 60_000} minutes`;
  return milliseconds === 60_000 ? 'a minute' : 'a second';
}
