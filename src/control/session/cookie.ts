import type { FastifyReply, FastifyRequest } from 'fastify';
import { DemarcError } from '../../errors.js';

export const cookieName = 'demarc_session';
/** Says that its browser has signed in before; gives no access. */
export const browserCookieName = 'demarc_browser';
const browserSeconds = 365 * 86_400;

/**
 * `Secure` wherever the browser speaks TLS, as the server itself or a trusted proxy's X-Forwarded-Proto shows; a private
 * network may be plain HTTP, where a Secure cookie would never come back.
 */
const attributes = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' }) as const;

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  expires: Date,
): void {
  reply.setCookie(cookieName, token, { ...attributes(request), expires });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookieName, attributes(request));
}

export function setBrowserCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(browserCookieName, token, {
    ...attributes(request),
    path: '/v1/sign-in',
    maxAge: browserSeconds,
  });
}

/**
 * Where the browser says that a request comes from: Sec-Fetch-Site, which no page can forge, or Origin, since browsers leave
 * the former out over plain HTTP. `unknown`: neither is there, so it is no browser's.
 */
export function originOf(request: FastifyRequest): 'same' | 'foreign' | 'unknown' {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'foreign';
  const { origin } = request.headers;
  if (origin === undefined) return 'unknown';
  return isOurs(origin, request.host) ? 'same' : 'foreign';
}

/** By host and port alone: a proxy that terminates TLS changes the scheme. */
function isOurs(origin: string, host: string): boolean {
  try {
    const { protocol, host: originHost } = new URL(origin);
    return originHost === new URL(`${protocol}//${host}`).host;
  } catch {
    // `null`, which sandboxed pages send.
    return false;
  }
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** With a cookie only the service's own pages change something. Throws `DemarcError` `FOREIGN_ORIGIN`. */
export function requireOwnPage(request: FastifyRequest): void {
  if (!isReading(request.method) && originOf(request) !== 'same') throw new DemarcError('FOREIGN_ORIGIN');
}
