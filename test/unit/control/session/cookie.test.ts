import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { originOf, requireOwnPage } from '../../../../src/control/session/cookie.js';

const request = (headers: object, method = 'POST'): FastifyRequest =>
  ({ headers, method, host: 'demarc.example' }) as unknown as FastifyRequest;

describe('the origin of a request', () => {
  it.each<[object, string]>([
    [{}, 'unknown'],
    [{ 'sec-fetch-site': 'same-origin' }, 'same'],
    [{ 'sec-fetch-site': 'same-site' }, 'foreign'],
    [{ 'sec-fetch-site': 'none' }, 'foreign'],
    // What no page can forge decides.
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://demarc.example' }, 'foreign'],
    [{ origin: 'https://demarc.example' }, 'same'],
    // A proxy terminates TLS.
    [{ origin: 'http://demarc.example' }, 'same'],
    [{ origin: 'https://demarc.example:443' }, 'same'],
    [{ origin: 'https://demarc.example:8443' }, 'foreign'],
    [{ origin: 'https://evil.example' }, 'foreign'],
    [{ origin: 'null' }, 'foreign'],
  ])('with %j is %s', (headers, expected) => {
    expect(originOf(request(headers))).toBe(expected);
  });

  it.each([
    ['GET', true],
    ['HEAD', true],
    ['POST', false],
    ['DELETE', false],
  ])('does not matter to reading: %s', (method, isAllowed) => {
    const foreign = (): void => requireOwnPage(request({ origin: 'https://evil.example' }, method));
    if (isAllowed) expect(foreign).not.toThrow();
    else expect(foreign).toThrow(expect.objectContaining({ code: 'FOREIGN_ORIGIN' }));
    // Without a browser's header a change is refused, too.
    if (!isAllowed) expect(() => requireOwnPage(request({}, method))).toThrow();
    expect(() => requireOwnPage(request({ 'sec-fetch-site': 'same-origin' }, method))).not.toThrow();
  });
});
