import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callTokenHeader } from '../../contract/call-token.js';
import { DemarcError } from '../../errors.js';
import { recognizeCallToken } from '../calls/index.js';
import type { ApiServer, Caller, ControlDeps } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { recognizeKey } from '../organizations/keys.js';
import { clearSessionCookie, cookieName, requireOwnPage } from '../session/cookie.js';
import { findSession } from '../session/sessions.js';
import { keyOf, passwordOf } from './authorization-header.js';
import { limitRequestsUnderWay } from './requests-under-way.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the API key comes as the password of Basic authentication, and in no other way. */
    takesBasicPassword?: boolean;
  }
}

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
  const perOrganization = server.createRateLimit({
    max: settings.requestsPerSecondOfOrganization,
    timeWindow: 1_000,
    // Agents in calls, whose tokens each call has, do not compete with the programs of their organization.
    keyGenerator: ({ caller }) =>
      `${caller.call === undefined ? 'organization' : 'calls'} ${caller.organizationId}`,
  });
  const searches = server.createRateLimit({
    max: settings.searchesPerSecond,
    timeWindow: 1_000,
    keyGenerator: ({ caller }) => `searches ${caller.organizationId}`,
  });
  const perAddress = server.createRateLimit({
    max: settings.wrongKeysPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `address ${normalizeIP(request.ip)}`,
  });
  const countUnderWay = limitRequestsUnderWay(settings.requestsPerSecond);
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | DemarcError> => {
    if (request.routeOptions.config.takesBasicPassword === true) {
      const password = passwordOf(request.headers.authorization);
      if (password !== undefined) return recognizeKey(database, password);
      return new DemarcError('UNAUTHORIZED', 'send Basic authentication with an API key as the password');
    }
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
      const isBasic = request.routeOptions.config.takesBasicPassword === true;
      reply.header('www-authenticate', isBasic ? 'Basic realm="Demarc"' : 'Bearer');
      throw caller;
    }
    request.caller = caller;
    await enforce(perKey, request, reply, { of: 'this key' });
    const ofOrganization = { of: 'this organization', isShown: false };
    await enforce(perOrganization, request, reply, ofOrganization);
    if (isSearch(request)) {
      await enforce(searches, request, reply, { ...ofOrganization, of: 'searches of this organization' });
    }
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

/** Lists that are searched or filtered by text, exports and statistics. */
const isSearch = ({ routeOptions, query }: FastifyRequest): boolean =>
  routeOptions.config.isSearch === true || (typeof query === 'object' && query !== null && 'q' in query);
