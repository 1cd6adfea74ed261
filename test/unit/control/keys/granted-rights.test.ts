import { describe, expect, it } from 'vitest';
import type { InvalidRequest } from '../../../../src/control/http/validation.js';
import { expiryFor, scopesFor } from '../../../../src/control/keys/granted-rights.js';

describe('the scopes of a new key', () => {
  it('are those of the key that creates it, unless they are named', () => {
    expect(scopesFor({ scopes: null }, undefined)).toBeNull();
    expect(scopesFor({ scopes: ['calls:read'] }, undefined)).toEqual(['calls:read']);
    expect(scopesFor({ scopes: null }, ['calls:write', 'usage:read'])).toEqual(['calls:write', 'usage:read']);
  });

  it('are each named once', () =>
    expect(scopesFor({ scopes: null }, ['calls:read', 'usage:read', 'calls:read'])).toEqual([
      'calls:read',
      'usage:read',
    ]));

  it('include reading what the key may write', () =>
    expect(scopesFor({ scopes: ['calls:write'] }, ['calls:read'])).toEqual(['calls:read']));

  it.each<[Parameters<typeof scopesFor>[0]['scopes'], Parameters<typeof scopesFor>[1], string]>([
    [['calls:read'], ['calls:write'], 'calls:write'],
    [['calls:write'], ['calls:read', 'usage:read'], 'usage:read'],
    [['calls:write'], ['calls:listen'], 'calls:listen'],
    [[], ['calls:read'], 'calls:read'],
  ])('of a key with %j cannot be %j', (own, wanted, missing) =>
    expect(() => scopesFor({ scopes: own }, wanted)).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_SCOPE',
        detail: `this key lacks ${missing}, so it cannot create a key with it`,
      }),
    ),
  );
});

describe('the expiry of a new key', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const own = new Date('2026-12-01T00:00:00Z');
  const refusal = (wanted: string, keyExpiresAt: Date | null): string => {
    try {
      expiryFor({ keyExpiresAt }, wanted, now);
      return '';
    } catch (error) {
      const [fault] = (error as InvalidRequest).faults;
      expect(fault!.path).toBe('expires_at');
      return fault!.message;
    }
  };

  it('is that of the key that creates it, unless it is named', () => {
    expect(expiryFor({ keyExpiresAt: null }, undefined, now)).toBeNull();
    expect(expiryFor({ keyExpiresAt: own }, undefined, now)).toBe(own);
    expect(expiryFor({ keyExpiresAt: null }, '2030-01-01T00:00:00Z', now)).toEqual(
      new Date('2030-01-01T00:00:00Z'),
    );
  });

  it('is in the future', () => {
    expect(refusal('2026-11-20T12:00:00Z', null)).toBe(
      'expires_at must be in the future; 2026-11-20T12:00:00Z is not.',
    );
    expect(refusal('2026-11-20T12:00:00.001Z', null)).toBe('');
    expect(refusal('2020-01-01T00:00:00Z', own)).toMatch(/must be in the future/);
  });

  it('is not after that of the key that creates it', () => {
    expect(refusal('2026-12-01T00:00:00Z', own)).toBe('');
    expect(refusal('2026-12-01T00:00:00.001Z', own)).toBe(
      'expires_at must not be after 2026-12-01T00:00:00.000Z, when the requesting key expires.',
    );
  });
});
