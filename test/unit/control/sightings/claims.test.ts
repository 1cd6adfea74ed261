import { describe, expect, it } from 'vitest';
import { claimsOf, hostOf, narrowRanges } from '../../../../src/control/sightings/claims.js';
import { directionSchema } from '../../../../src/control/trunks/direction-schema.js';
import { configurationRow, outboundRow } from '../numbers/configuration-row.js';

const shared = (...directions: object[]) => directions.map((direction) => directionSchema.parse(direction));

describe('the addresses that an organization configures', () => {
  it('are its ranges, and the servers that it calls or registers at', () => {
    const { listed, servers } = claimsOf(
      [
        configurationRow({ allowed_ips: ['203.0.113.7'], sip_endpoint: 'agent.example.com' }),
        configurationRow({ registrar: 'reg.example.com', options: { port: 5070 } }),
        outboundRow({ sip_endpoint: 'sip:203.0.113.9:5061;transport=tls' }),
      ],
      shared(
        { type: 'inbound', allowed_ips: ['203.0.113.16/28'] },
        { type: 'inbound' },
        { type: 'outbound', sip_endpoint: 'trunk.example.com', options: { port: 5080, transport: 'udp' } },
        { type: 'outbound', sip_endpoint: 'plain.example.com' },
      ),
    );
    expect(listed).toEqual(['203.0.113.7', '203.0.113.16/28']);
    expect(servers).toEqual([
      { host: 'reg.example.com', port: 5070 },
      { host: '203.0.113.9', port: 5061, transport: 'tls' },
      { host: 'trunk.example.com', port: 5080, transport: 'udp' },
      { host: 'plain.example.com' },
    ]);
  });
});

describe('a range that names one site', () => {
  it.each<[string, boolean]>([
    ['203.0.113.7', true],
    ['203.0.113.0/28', true],
    ['203.0.113.0/27', false],
    ['203.0.0.0/8', false],
    ['2001:db8::5', true],
    ['2001:db8::/64', true],
    ['2001:db8::/63', false],
    ['::ffff:203.0.113.7', true],
    ['::ffff:203.0.113.0/124', true],
    ['::ffff:203.0.113.0/123', false],
    ['::ffff:203.0.0.0/104', false],
    ['::ffff:cb00:0/104', false],
    ['not a range', false],
  ])('is %s: %s', (range, isNarrow) => expect(narrowRanges([range]).length === 1).toBe(isNarrow));

  it('contains the addresses of the site', () => {
    const [range] = narrowRanges(['203.0.113.0/24', '203.0.113.16/28']);
    expect([range!.contains('203.0.113.31'), range!.contains('203.0.113.32')]).toEqual([true, false]);
  });
});

describe('the host of an address with a port', () => {
  it.each([
    ['203.0.113.5:5061', '203.0.113.5'],
    ['[2001:db8::5]:5061', '2001:db8::5'],
    ['pbx.example.com:5060', 'pbx.example.com'],
  ])('of %s is %s', (address, host) => expect(hostOf(address)).toBe(host));
});
