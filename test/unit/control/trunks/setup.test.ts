import { describe, expect, it } from 'vitest';
import { firewallInformation, setupOf } from '../../../../src/control/trunks/setup.js';

const settings = {
  regions: [
    { name: 'us-east', sipHost: 'sip.us.example.com', ipAddresses: ['203.0.113.1', '203.0.113.2'] },
    { name: 'eu-west', sipHost: '2001:db8::1', ipAddresses: ['203.0.113.9'] },
  ],
  sipTlsPort: 5061,
  rtpPorts: '20000-29999',
} as Parameters<typeof setupOf>[0];

describe('what a firewall must allow', () => {
  it('is what the region of the organization has, with all regions', () => {
    expect(firewallInformation(settings, { region: 'eu-west' })).toEqual({
      region: 'eu-west',
      ip_addresses: ['203.0.113.9'],
      regions: [
        { region: 'us-east', sip_server: 'sip.us.example.com', ip_addresses: ['203.0.113.1', '203.0.113.2'] },
        { region: 'eu-west', sip_server: '2001:db8::1', ip_addresses: ['203.0.113.9'] },
      ],
      ports: { sip: '5061 TLS', rtp: '20000-29999 UDP' },
    });
  });

  it('is that of the first region when the own one is not configured any more', () => {
    expect(firewallInformation(settings, { region: 'ap-south' })).toMatchObject({
      region: 'us-east',
      ip_addresses: ['203.0.113.1', '203.0.113.2'],
    });
  });
});

describe('what a PBX needs', () => {
  const authority = {
    certificate: 'PEM',
    sha256: 'AB',
    subject: 'CN=Demarc',
    not_after: '2030-01-01T00:00:00Z',
  };

  it('is the server, its authority, and to be known by its address', () => {
    const setup = setupOf(settings, authority, { region: 'us-east' }, undefined);
    expect(setup).toMatchObject({
      sip_server: 'sip.us.example.com',
      port: 5061,
      transport: 'tls',
      certificate_authority: authority,
    });
    expect('credentials' in setup).toBe(false);
    const lines = setup.instructions.split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^Send calls to sip:NUMBER@sip\.us\.example\.com:5061;transport=tls,/);
    expect(lines[2]).toContain('UDP ports 20000-29999');
    expect(lines[3]).toBe('Calls are recognized by their source address: set allowed_ips to yours.');
  });

  it('is the user of the registration, without its password', () => {
    const setup = setupOf(settings, undefined, { region: 'us-east' }, 'pbx');
    expect(setup.credentials).toEqual({ username: 'pbx', password: '[redacted]' });
    expect(setup.certificate_authority).toBeNull();
    expect(setup.instructions).toContain('Demarc registers with your PBX as pbx,');
  });

  it('has an IPv6 address in brackets in the URI', () =>
    expect(setupOf(settings, undefined, { region: 'eu-west' }, undefined).instructions).toContain(
      'sip:NUMBER@[2001:db8::1]:5061;transport=tls',
    ));
});
