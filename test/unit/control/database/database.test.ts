import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../../../../src/control/database/database.js';
import {
  type HostAnswer,
  isLosing,
  latestPrimary,
  nameOf,
} from '../../../../src/control/database/failover-pool.js';
import { indexesOf, indexesToBuild, largeIndexes } from '../../../../src/control/database/large-indexes.js';
import { isUuid } from '../../../../src/control/database/uuid.js';

const failure = (code: string | undefined, message = 'x'): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('a failure of PostgreSQL', () => {
  it.each<[boolean, string | undefined, string]>([
    [true, '08006', 'connection failure'],
    [true, '53300', 'too many connections'],
    [true, '57P01', 'terminating connection'],
    [true, '57P03', 'the database system is starting up'],
    [true, '57014', 'statement timeout'],
    [true, '25P03', 'idle in transaction'],
    [true, '25006', 'read-only transaction'],
    [true, '40001', 'serialization failure'],
    [true, '40P01', 'deadlock'],
    [true, 'ECONNREFUSED', 'connect'],
    [true, 'ECONNRESET', 'read'],
    [true, 'ENOENT', 'socket'],
    [true, 'ETIMEDOUT', 'connect'],
    [true, 'EAI_AGAIN', 'getaddrinfo'],
    [true, 'ENOTFOUND', 'getaddrinfo'],
    [true, undefined, 'timeout exceeded when trying to connect'],
    [true, undefined, 'Connection terminated unexpectedly'],
    [true, undefined, 'Query read timeout'],
    [false, '23505', 'duplicate key'],
    [false, '42P01', 'undefined table'],
    [false, '57000', 'operator intervention'],
    [false, '40002', 'constraint'],
    [false, '57013', 'x'],
    [false, undefined, 'x is not a function'],
    [false, 'ERR_INVALID_ARG_TYPE', 'x'],
  ])('is of the server (%s): %s %s', (isServer, code, message) =>
    expect(isUnavailable(failure(code, message))).toBe(isServer),
  );

  it('is of the server when one of several is', () => {
    expect(isUnavailable(new AggregateError([failure('23505'), failure('ECONNREFUSED')]))).toBe(true);
    expect(isUnavailable(new AggregateError([failure('23505')]))).toBe(false);
    expect(isUnavailable('ECONNREFUSED')).toBe(false);
    expect(isUnavailable(undefined)).toBe(false);
  });
});

describe('a connection after a failure', () => {
  it.each<[boolean, string | undefined, string]>([
    [true, '08003', ''],
    [true, '57P02', ''],
    [true, '25006', ''],
    [true, 'ECONNRESET', ''],
    [true, 'EPIPE', ''],
    [true, undefined, 'Connection terminated'],
    [true, undefined, 'Query read timeout'],
    [true, undefined, 'Client has encountered a connection error and is not queryable'],
    [false, '57014', ''],
    [false, '40001', ''],
    [false, '53300', ''],
    [false, '23505', ''],
    [false, undefined, 'syntax error'],
  ])('is lost (%s): %s %s', (isLost, code, message) => expect(isLosing(failure(code, message))).toBe(isLost));
});

describe('the primary of several hosts', () => {
  const host = (name: string, timeline?: number, problem?: string): HostAnswer => ({
    url: `postgres://user:secret@${name}/demarc`,
    ...(timeline === undefined ? {} : { timeline }),
    ...(problem === undefined ? {} : { problem }),
  });

  it('is the one that can be written to; of two, the one that was promoted last', () => {
    const standby = host('a', undefined, 'is read-only');
    expect(latestPrimary([standby, host('b', 1)])).toContain('@b/');
    expect(latestPrimary([host('a', 1), standby, host('b', 3), host('c', 2)])).toContain('@b/');
  });

  it('is none when none can be written to, which says why without the password', () => {
    const fail = () =>
      latestPrimary([
        host('a:5432', undefined, 'is read-only'),
        host('b', undefined, 'is not reachable (x)'),
      ]);
    expect(fail).toThrow(
      'No host of DATABASE_URL can be written to: a:5432 is read-only, b is not reachable (x).',
    );
    expect(fail).toThrow(expect.objectContaining({ code: '08001' }));
  });

  it.each([
    ['postgres://user:secret@db.example.com:5432/demarc?x=1', 'db.example.com:5432'],
    ['postgres://db.example.com', 'db.example.com'],
    ['postgres://u:p@[2001:db8::1]:5432/d', '[2001:db8::1]:5432'],
    ['postgres:///demarc', 'its socket'],
    ['socket:/var/run/postgresql?db=demarc', 'its socket'],
  ])('%s is called %s', (url, name) => expect(nameOf(url)).toBe(name));
});

describe('a large index', () => {
  const index = { name: 'calls_tokens', table: 'calls', definition: 'using gin (x)', replaces: 'calls_old' };
  const plain = { name: 'calls_plain', table: 'calls', definition: '(x)' };

  it('is built of each partition, and as it is where there are none', () => {
    expect(indexesOf(index, [])).toEqual([index]);
    expect(indexesOf(index, ['calls_before', 'calls_2026_11'])).toEqual([
      { ...index, table: 'calls_before' },
      { name: 'calls_tokens_2026_11', table: 'calls_2026_11', definition: 'using gin (x)' },
    ]);
  });

  it('is built when it is not there, or cannot be used', () => {
    const toBuild = (found: [string, boolean][]) =>
      indexesToBuild([index, plain], new Map(found)).map(({ name, isInvalid }) => [name, isInvalid]);
    expect(toBuild([])).toEqual([
      ['calls_tokens', false],
      ['calls_plain', false],
    ]);
    expect(
      toBuild([
        ['calls_tokens', true],
        ['calls_plain', false],
      ]),
    ).toEqual([['calls_plain', true]]);
    expect(
      toBuild([
        ['calls_tokens', true],
        ['calls_plain', true],
      ]),
    ).toEqual([]);
  });

  it('is built again while the one that it replaces is there', () => {
    const all: [string, boolean][] = [
      ['calls_tokens', true],
      ['calls_plain', true],
    ];
    expect(indexesToBuild([index, plain], new Map([...all, ['calls_old', true]]))).toEqual([
      { ...index, isInvalid: false },
    ]);
    expect(indexesToBuild([index], new Map([...all, ['calls_old', false]]))).toHaveLength(1);
  });

  it('has a name for itself', () =>
    expect(new Set(largeIndexes.map(({ name }) => name)).size).toBe(largeIndexes.length));
});

describe('a UUID', () => {
  it.each<[boolean, string]>([
    [true, '7e3c1f7e-8a5e-4c3c-9f36-0f5f7f9d2a11'],
    [true, '7E3C1F7E-8A5E-4C3C-9F36-0F5F7F9D2A11'],
    [false, '7e3c1f7e8a5e4c3c9f360f5f7f9d2a11'],
    [false, ''],
    [false, 'x'],
    [false, '7e3c1f7e-8a5e-4c3c-9f36-0f5f7f9d2a1'],
  ])('is one (%s): %s', (isOne, text) => expect(isUuid(text)).toBe(isOne));
});
