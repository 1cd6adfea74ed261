import { describe, expect, it } from 'vitest';
import { allScopes } from '../../../../src/control/http/scopes.js';
import { readName } from '../../../../src/control/organizations/command.js';
import { newId } from '../../../../src/control/organizations/identifiers.js';
import { keyLine, readExpiry, readScopes } from '../../../../src/control/organizations/key-texts.js';
import {
  isKeyShaped,
  isUseNoted,
  type KeySummary,
  keyProblem,
} from '../../../../src/control/organizations/keys.js';
import { organizationLine, readDays } from '../../../../src/control/organizations/organization-command.js';
import { shorterRetention } from '../../../../src/control/organizations/organizations.js';

const now = Date.parse('2026-11-20T12:00:00Z');
const invalid = expect.objectContaining({ code: 'VALIDATION_ERROR' });

describe('the text of an API key', () => {
  it.each<[boolean, string]>([
    [true, `sk-demarc-${'a'.repeat(43)}`],
    [true, `sk-demarc-${'A-_9'.repeat(10)}abc`],
    [false, `sk-demarc-${'a'.repeat(42)}`],
    [false, `sk-demarc-${'a'.repeat(44)}`],
    [false, `sk-demarc-${'a'.repeat(42)}=`],
    [false, `sk-other-${'a'.repeat(43)}`],
    [false, ` sk-demarc-${'a'.repeat(43)}`],
    [false, `sk-demarc-${'a'.repeat(43)}\n`],
    [false, ''],
  ])('is one (%s): "%s"', (isOne, text) => expect(isKeyShaped(text)).toBe(isOne));
});

describe('a known key', () => {
  const key = { revoked_at: null as Date | null, expires_at: null as Date | null };

  it('is accepted until it expires or is revoked', () => {
    expect(keyProblem(key, now)).toBeUndefined();
    expect(keyProblem({ ...key, expires_at: new Date(now + 1) }, now)).toBeUndefined();
    expect(keyProblem({ ...key, expires_at: new Date(now) }, now)).toBe(
      'the API key expired at 2026-11-20T12:00:00.000Z',
    );
    expect(keyProblem({ ...key, revoked_at: new Date(now + 1) }, now)).toBe(
      'the API key was revoked at 2026-11-20T12:00:00.001Z',
    );
  });

  it('says that it was revoked before it says that it expired', () =>
    expect(keyProblem({ revoked_at: new Date(0), expires_at: new Date(0) }, now)).toMatch(/revoked/));

  it('has its use written once a minute', () => {
    expect(isUseNoted({ last_used_at: null }, now)).toBe(true);
    expect(isUseNoted({ last_used_at: new Date(now - 60_000) }, now)).toBe(false);
    expect(isUseNoted({ last_used_at: new Date(now - 60_001) }, now)).toBe(true);
  });
});

describe('scopes on the command line', () => {
  it('are separated by commas or spaces', () => {
    expect(readScopes('calls:read,usage:read')).toEqual(['calls:read', 'usage:read']);
    expect(readScopes('calls:read, usage:read  alerts:write')).toEqual([
      'calls:read',
      'usage:read',
      'alerts:write',
    ]);
  });

  it.each(['calls', 'calls:admin', '', 'calls:read,'])('are refused: "%s"', (text) =>
    expect(() => readScopes(text)).toThrow(invalid),
  );

  it('are all listed when one is unknown', () =>
    expect(() => readScopes('calls:admin')).toThrow(
      expect.objectContaining({ detail: `unknown scope calls:admin; scopes are ${allScopes.join(' ')}` }),
    ));
});

describe('the expiry of a key on the command line', () => {
  it('is a time in the future', () => {
    expect(readExpiry('2026-11-20T12:00:00.001Z', now)).toEqual(new Date(now + 1));
    for (const text of ['2026-11-20T12:00:00Z', '2020-01-01', 'tomorrow', ''])
      expect(() => readExpiry(text, now)).toThrow(invalid);
  });
});

describe('a line of the list of keys', () => {
  const key: KeySummary = {
    id: 'key_1',
    organizationId: 'org_1',
    name: 'billing',
    prefix: 'sk-demarc-abcdef',
    isOperator: false,
    scopes: ['calls:read', 'usage:read'],
    createdAt: new Date(0),
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
  const columns = (fields: Partial<KeySummary>): string[] =>
    keyLine({ ...key, ...fields }, now)
      .replace(/\n$/, '')
      .split('\t');

  it('has eight columns, and no secret', () => {
    expect(keyLine(key, now)).toBe(
      'key_1\torg_1\tbilling\tsk-demarc-abcdef…\tactive\t\tcalls:read,usage:read\tnever used\n',
    );
    expect(columns({ isOperator: true, scopes: null, lastUsedAt: new Date(now) }).slice(5)).toEqual([
      'operator',
      'all',
      '2026-11-20T12:00:00.000Z',
    ]);
  });

  it.each<[string, Partial<KeySummary>]>([
    ['active until 2026-11-20T12:00:00.001Z', { expiresAt: new Date(now + 1) }],
    ['expired 2026-11-20T12:00:00.000Z', { expiresAt: new Date(now) }],
    ['revoked 2026-11-19T12:00:00.000Z', { revokedAt: new Date(now - 86_400_000), expiresAt: new Date(now) }],
  ])('says that the key is %s', (state, fields) => expect(columns(fields)[4]).toBe(state));
});

describe('a name on the command line', () => {
  it('is one of 1 to 64 printable characters, without the spaces around it', () => {
    expect(readName('  Acme Corp ')).toBe('Acme Corp');
    expect(readName('a')).toBe('a');
    expect(readName('x'.repeat(64))).toHaveLength(64);
  });

  it.each(['', '   ', 'x'.repeat(65), 'a\tb', 'a\nb', 'a\x7f', 'org_1', 'ORG_acme'])(
    'is refused: "%s"',
    (text) => expect(() => readName(text)).toThrow(invalid),
  );
});

describe('an id', () => {
  it('shows what it names, and is another one each time', () => {
    expect(newId('org')).toMatch(/^org_[0-9a-f]{24}$/);
    expect(new Set(Array.from({ length: 100 }, () => newId('key'))).size).toBe(100);
  });
});

describe('days of retention on the command line', () => {
  it('are a whole number, or those of the service', () => {
    expect([readDays('1'), readDays('36500'), readDays('default')]).toEqual([1, 36_500, null]);
    for (const text of ['0', '36501', '1.5', '-1', 'all', '', '7 days'])
      expect(() => readDays(text)).toThrow(invalid);
  });
});

describe('a line of the list of organizations', () => {
  it('says what each may do, where, and for how long calls are kept', () => {
    const organization = {
      id: 'org_1',
      name: 'Acme',
      sipEnabled: true,
      region: 'eu-west',
      callRetentionDays: 30,
      concurrentCalls: null,
      callsPerSecond: null,
      createdAt: new Date(0),
    };
    expect(organizationLine(organization)).toBe('org_1\tAcme\tsip\teu-west\t30 days\n');
    expect(
      organizationLine({ ...organization, sipEnabled: false, region: null, callRetentionDays: null }),
    ).toBe('org_1\tAcme\tno sip\tdefault region\tdefault retention\n');
  });
});

describe('the days for which calls are kept', () => {
  it.each<[number | null, number, number]>([
    [null, 90, 90],
    [null, 0, 0],
    [30, 90, 30],
    [120, 90, 90],
    [90, 90, 90],
    [30, 0, 30],
    [0, 90, 90],
  ])('with %s of the organization and %i of the service are %i', (own, service, days) =>
    expect(shorterRetention(own, service)).toBe(days),
  );
});
