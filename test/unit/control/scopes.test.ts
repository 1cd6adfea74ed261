import { describe, expect, it } from 'vitest';
import { allScopes, hasScope, scopeOf } from '../../../src/control/http/scopes.js';

describe('the scope of an operation', () => {
  it.each([
    ['GET', 'SIP trunks', undefined, 'trunks:read'],
    ['HEAD', 'SIP trunks', undefined, 'trunks:read'],
    ['POST', 'SIP trunks', undefined, 'trunks:write'],
    ['DELETE', 'Keys', undefined, 'keys:write'],
    ['PATCH', 'Alerts', undefined, 'alerts:write'],
    ['POST', 'SIP trunks', 'read', 'trunks:read'],
    ['GET', 'Calls', 'listen', 'calls:listen'],
    ['GET', 'Session', undefined, undefined],
    ['GET', 'Not a tag', undefined, undefined],
  ] as const)('%s of %s with access %s is %s', (method, tag, access, scope) => {
    expect(scopeOf(method, [tag], access)).toBe(scope);
  });
});

describe('a key', () => {
  it('without a list of scopes may do everything', () => {
    expect(allScopes.every((scope) => hasScope(null, scope))).toBe(true);
  });

  it('with an empty list may do nothing', () => {
    expect(allScopes.some((scope) => hasScope([], scope))).toBe(false);
  });

  it('may read the area that it may write, and no other', () => {
    const allowed = allScopes.filter((scope) => hasScope(['calls:write'], scope));
    expect(allowed).toEqual(['calls:read', 'calls:write']);
  });

  it('may not write what it may only read', () => {
    expect(allScopes.filter((scope) => hasScope(['trunks:read'], scope))).toEqual(['trunks:read']);
  });
});
