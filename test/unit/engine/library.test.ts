import { describe, expect, it } from 'vitest';
import { completeSettings, type EngineOptions } from '../../../src/engine/library.js';

const options: EngineOptions = {
  admin: { host: '127.0.0.1', port: 0 },
  listeners: [{ protocol: 'udp', host: '127.0.0.1', port: 0 }] as unknown as EngineOptions['listeners'],
};
const elsewhere = { host: '192.0.2.1', port: 9_022 };
const secure = [{ protocol: 'tls', host: '127.0.0.1', port: 0 }] as unknown as EngineOptions['listeners'];

describe('settings of an engine in the host’s process', () => {
  it.each(['127.0.0.1', '::1', 'localhost'])('take drachtio-server’s secret for admin on %s', (host) => {
    expect(completeSettings({ ...options, admin: { host, port: 0 } }).secret).toBe('cymru');
  });

  it('reject admin beyond loopback without a secret', () => {
    expect(() => completeSettings({ ...options, admin: elsewhere })).toThrow('secret: required');
    expect(() => completeSettings({ ...options, admin: elsewhere, secret: '' })).toThrow('secret: required');
    expect(completeSettings({ ...options, admin: elsewhere, secret: 'a-long-secret' })).toMatchObject({
      admin: elsewhere,
      secret: 'a-long-secret',
    });
  });

  it('reject an engine without listeners', () => {
    expect(() => completeSettings({ ...options, listeners: [] })).toThrow('listeners: at least one');
  });

  it('reject a TLS listener without a certificate', () => {
    expect(() => completeSettings({ ...options, listeners: secure })).toThrow('tls: certificateFile');
    const tls = { certificateFile: 'c.pem', keyFile: 'k.pem' };
    expect(completeSettings({ ...options, listeners: secure, tls }).tls).toMatchObject(tls);
    expect(completeSettings(options).listeners).toEqual(options.listeners);
  });

  it('do not take the token of metrics from the host’s environment', () => {
    expect(completeSettings(options).metricsToken).toBeUndefined();
    expect(completeSettings({ ...options, metricsToken: 'its-own' }).metricsToken).toBe('its-own');
  });
});
