import { describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../src/config/control-settings.js';
import { SettingsError } from '../../../src/config/environment.js';

const database = { DATABASE_URL: 'postgresql:///demarc?host=/run/postgresql' };

describe('control settings', () => {
  it('need a database and nothing else', () => {
    const settings = readControlSettings(database);
    expect(settings).toMatchObject({
      production: false,
      http: { host: '127.0.0.1', port: 8080 },
      secretKeys: [],
      regions: [{ name: 'local', sipHost: '127.0.0.1', ipAddresses: ['127.0.0.1'] }],
      callRetentionDays: 90,
    });
    expect(Object.isFrozen(settings.regions)).toBe(true);
    expect(() => readControlSettings({})).toThrow(/DATABASE_URL/);
  });

  it('need a key for secrets in production', () => {
    expect(() => readControlSettings({ ...database, NODE_ENV: 'production' })).toThrow(/DEMARC_SECRET_KEY/);
    expect(() => readControlSettings({ ...database, DEMARC_SECRET_KEY: 'short' })).toThrow(SettingsError);
  });

  it('say which address of a mail server cannot be read, without its password', () => {
    const read = (url: string) =>
      readControlSettings({ ...database, DEMARC_SMTP_URL: url, DEMARC_SMTP_FROM: 'noc@example.com' });
    expect(read('smtp://me:se%23cret@mail.example.com:587').notices.smtp?.from).toBe('noc@example.com');
    for (const url of ['smtp://me:se#cret@mail', 'smtp://me:%secret@mail', 'smtp://me:secret@']) {
      expect(() => read(url)).toThrow(/DEMARC_SMTP_URL/);
      expect(() => read(url)).not.toThrow(/cret/);
    }
  });

  it('name regions in the order that they are given in', () => {
    const regions = {
      us1: { sip_host: 'a.example', ip_addresses: ['192.0.2.1'] },
      eu1: { sip_host: 'b.example', ip_addresses: [] },
    };
    const settings = readControlSettings({ ...database, DEMARC_REGIONS: JSON.stringify(regions) });
    expect(settings.regions.map(({ name, sipHost }) => [name, sipHost])).toEqual([
      ['us1', 'a.example'],
      ['eu1', 'b.example'],
    ]);
    for (const wrong of ['x', '{}', '[]', '{"us1":{"sip_host":"a","ip_addresses":["nonsense"]}}']) {
      expect(() => readControlSettings({ ...database, DEMARC_REGIONS: wrong })).toThrow(/DEMARC_REGIONS/);
    }
  });

  it('name a host that is no address without addresses', () => {
    const settings = readControlSettings({ ...database, DEMARC_ADVERTISED_HOST: 'sip.example.com' });
    expect(settings.regions).toEqual([{ name: 'local', sipHost: 'sip.example.com', ipAddresses: [] }]);
  });

  it('keep requests to URLs of customers from Redis and PostgreSQL', () => {
    const portsOf = (environment: Record<string, string>) => {
      const { webhook } = readControlSettings(environment).notices;
      return new Set(webhook.ownListeners().map(({ port }) => port));
    };
    const remote = {
      DATABASE_URL: 'postgres://me:secret@db/demarc',
      DEMARC_REDIS_URL: 'redis://127.0.0.1:7001',
    };
    expect([...portsOf(remote)]).toEqual(expect.arrayContaining([5_432, 7_001]));
    expect([...portsOf(database)]).toContain(6_379);
    expect([...portsOf({ ...database, DEMARC_REDIS_URL: 'unix:///run/redis' })]).not.toContain(6_379);
  });
});
