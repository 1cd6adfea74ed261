import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../../src/config/environment.js';
import { readLauncherSettings } from '../../../src/launcher/settings.js';

describe('settings of demarc up', () => {
  it('faces loopback with the documented ports when nothing is set', () => {
    const settings = readLauncherSettings({});
    expect(settings).toMatchObject({
      bind: '127.0.0.1',
      publicHost: '127.0.0.1',
      sipTlsPort: 5061,
      httpPort: 8080,
      rtpPorts: { low: 10_000, high: 20_000 },
    });
    expect(settings.stateDirectory).toBe(`${process.cwd()}/.demarc`);
    expect(settings.certificateNames.dns).toContain('localhost');
    expect(settings.certificateNames.addresses).toEqual(['127.0.0.1']);
  });

  it('passes the advertised address to the other roles and to media', () => {
    const settings = readLauncherSettings({ DEMARC_BIND: '10.0.0.5', DEMARC_ADVERTISED_HOST: '203.0.113.9' });
    expect(settings).toMatchObject({
      publicHost: '203.0.113.9',
      mediaAddress: '10.0.0.5',
      publicMediaAddress: '203.0.113.9',
    });
    expect(settings.certificateNames.addresses).toEqual(['203.0.113.9', '10.0.0.5', '127.0.0.1']);
  });

  it('puts an advertised name into the certificate, and media keeps its address', () => {
    const settings = readLauncherSettings({
      DEMARC_BIND: '10.0.0.5',
      DEMARC_ADVERTISED_HOST: 'sip.example.com',
    });
    expect(settings.certificateNames.dns[0]).toBe('sip.example.com');
    expect(settings.publicMediaAddress).toBe('10.0.0.5');
  });

  it('has the agent on loopback of the family of media', () => {
    const agentSideOf = (bind: string) => readLauncherSettings({ DEMARC_BIND: bind }).agentSideAddress;
    expect(['10.0.0.5', '::1', '2001:db8::5'].map(agentSideOf)).toEqual(['127.0.0.1', '::1', '::1']);
  });

  it('never advertises a wildcard', () => {
    const settings = readLauncherSettings({ DEMARC_BIND: '0.0.0.0' });
    expect(settings.publicHost).not.toBe('0.0.0.0');
    expect(settings.mediaAddress).not.toBe('0.0.0.0');
  });

  it.each([
    ['DEMARC_BIND', 'example.com'],
    ['DEMARC_ADVERTISED_HOST', 'sip.example.com:5061'],
    ['DEMARC_ADVERTISED_HOST', '<public address>'],
    ['DEMARC_SIP_TLS_PORT', '70000'],
    ['DEMARC_RTP_PORTS', '20000-10000'],
    ['DEMARC_RTP_PORTS', '80-90'],
    ['DEMARC_RTP_PORTS', '10000-10003'],
    ['DEMARC_DEMO_NUMBER', 'alice'],
    ['DEMARC_DRAIN_SECONDS', '-1'],
  ])('refuses %s=%s and names it', (name, value) => {
    const read = (): unknown => readLauncherSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(name);
  });

  it('refuses private ports that rtpengine would take', () => {
    expect(() => readLauncherSettings({ DEMARC_PRIVATE_PORTS: '12000-13000' })).toThrow(
      'DEMARC_PRIVATE_PORTS',
    );
  });
});
