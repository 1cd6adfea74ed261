import { describe, expect, it } from 'vitest';
import {
  changesOf,
  limitsSchema,
  organizationName,
} from '../../../../src/control/operators/organization-routes.js';

describe('the changes of an organization', () => {
  it('are what is named, where null restores the value of the service', () => {
    expect(changesOf({})).toEqual({});
    expect(changesOf({ sip_enabled: false })).toEqual({ sip_enabled: false });
    expect(changesOf({ limits: { concurrent_calls: 50, calls_per_second: null } })).toEqual({
      concurrent_calls: 50,
      calls_per_second: null,
    });
    expect(changesOf({ sip_enabled: undefined, limits: { concurrent_calls: undefined } })).toEqual({});
  });
});

describe('the limits of an organization', () => {
  it.each<[string, number]>([
    ['concurrent_calls', 100_000],
    ['calls_per_second', 10_000],
    ['call_retention_days', 36_500],
    ['minutes_per_month', 1_000_000_000],
  ])('%s are 1 to %i, or those of the service', (name, maximum) => {
    const isTaken = (value: unknown): boolean => limitsSchema.safeParse({ [name]: value }).success;
    expect([1, maximum, null, undefined].every(isTaken)).toBe(true);
    expect([0, maximum + 1, 1.5, '1', -1].some(isTaken)).toBe(false);
  });

  it('have no other names', () => expect(limitsSchema.safeParse({ numbers: 1 }).success).toBe(false));
});

describe('the name of an organization', () => {
  it.each(['Acme', 'x', 'x'.repeat(64), 'The org_ of Acme'])('may be "%s"', (name) =>
    expect(organizationName.safeParse(name).success).toBe(true),
  );

  it.each(['', '  ', 'x'.repeat(65), 'org_1', 'ORG_x', ' org_1', 'a\nb'])('is not "%s"', (name) =>
    expect(organizationName.safeParse(name).success).toBe(false),
  );
});
