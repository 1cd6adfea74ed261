import { describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../src/config/control-settings.js';
import { readEdgeSettings } from '../../../src/config/edge-settings.js';
import { databaseHosts } from '../../../src/config/store-settings.js';

const control = (environment: Record<string, string>) =>
  readControlSettings({ DATABASE_URL: 'postgres://db/demarc', ...environment });
const edge = (environment: Record<string, string>) =>
  readEdgeSettings({ DEMARC_TLS_CERT: '/c.pem', DEMARC_TLS_KEY: '/k.pem', ...environment });

describe('the address of Redis', () => {
  it.each([
    ['the edge', edge],
    ['control', control],
  ])('is a group with sentinels or one server, for %s', (_role, read) => {
    const settings = {
      DEMARC_REDIS_URL: 'redis://any',
      DEMARC_REDIS_SENTINELS: '10.0.0.1:26379, [::1]:26380',
      DEMARC_REDIS_MASTER: 'demarc',
    };
    expect(read(settings).redis).toEqual({
      url: 'redis://any',
      group: {
        sentinels: [
          { host: '10.0.0.1', port: 26379 },
          { host: '::1', port: 26380 },
        ],
        master: 'demarc',
      },
    });
    expect(read({ DEMARC_REDIS_URL: 'redis://any' }).redis).toEqual({ url: 'redis://any' });
    for (const name of ['DEMARC_REDIS_SENTINELS', 'DEMARC_REDIS_MASTER'])
      expect(() => read({ ...settings, [name]: '' })).toThrow(/SENTINELS and DEMARC_REDIS_MASTER: set both/);
    expect(() => read({ ...settings, DEMARC_REDIS_SENTINELS: '10.0.0.1' })).toThrow(
      /REDIS_SENTINELS: must be/,
    );
    expect(() => read({ ...settings, DEMARC_REDIS_URL: '/run/redis.sock' })).toThrow(
      /REDIS_URL: must be redis/,
    );
  });

  it.each([
    'redis://h:26379?sentinels=x&name=demarc',
    'redis://:s3cret@h/0?family=6',
    'redis://a,b:x',
    '/run/redis.sock?db=1',
  ])('is refused with options or hosts that would be ignored: %s', (url) => {
    for (const read of [edge, control]) {
      expect(() => read({ DEMARC_REDIS_URL: url })).toThrow(/DEMARC_REDIS_URL: must/);
      expect(() => read({ DEMARC_REDIS_URL: url })).not.toThrow(/s3cret/);
    }
  });
});

describe('the address of PostgreSQL', () => {
  it('names one host or several', () => {
    const url = 'postgresql:///demarc?host=%2Frun%2Fpostgresql&port=5433';
    expect(databaseHosts(url)).toEqual([url]);
    expect(databaseHosts('socket:/run?db=demarc')).toEqual(['socket:/run?db=demarc']);
    expect(
      databaseHosts('postgres://u:p%40@a,[::1]:5433/n?sslmode=verify-full&target_session_attrs=read-write'),
    ).toEqual([
      'postgres://u:p%40@a/n?sslmode=verify-full',
      'postgres://u:p%40@[::1]:5433/n?sslmode=verify-full',
    ]);
  });

  it.each([
    [
      'postgres://u:s3cret@h/n?statement_timeout=0',
      /DATABASE_URL: must not have the option statement_timeout/,
    ],
    ['postgres://u:s3cret@h/n?application_name=x', /DATABASE_URL: must not have the option application_name/],
    [
      'postgres://u:s3cret@a,b/n?target_session_attrs=any',
      /DATABASE_URL: must not have target_session_attrs=any/,
    ],
    ['postgres://u:s3cret@a b,c/n', /DATABASE_URL: must be postgres/],
  ])('is refused with options that Demarc sets itself, or unusable hosts: %s', (url, problem) => {
    expect(() => control({ DATABASE_URL: url })).toThrow(problem);
    expect(() => control({ DATABASE_URL: url })).not.toThrow(/s3cret/);
  });
});
