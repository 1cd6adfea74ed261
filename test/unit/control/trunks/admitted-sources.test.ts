import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../../../src/control/numbers/tables.js';
import { inboundWarnings } from '../../../../src/control/trunks/admitted-sources.js';

const inbound = (fields: object = {}): Configuration =>
  ({
    direction: 'inbound',
    allowed_ips: [],
    register_username: null,
    registrar: null,
    sip_endpoint: null,
    options: {},
    ...fields,
  }) as unknown as Configuration;
const outbound = (host: string): Configuration => inbound({ direction: 'outbound', sip_endpoint: host });

const warned = (configurations: readonly Configuration[], policy: 'none' | 'any' = 'none') =>
  inboundWarnings('13125550161', configurations, policy).map(
    ({ warning, message }) => `${warning}: ${message}`,
  );

describe('the warnings of inbound directions', () => {
  it('are none where callers are named', () => {
    expect(warned([inbound({ allowed_ips: ['192.0.2.1'] })])).toEqual([]);
    expect(warned([inbound({ options: { sip_username: 'u' } })])).toEqual([]);
    expect(warned([outbound('pbx.example')])).toEqual([]);
    expect(warned([])).toEqual([]);
  });

  it('say that only the own servers may call, each once', () => {
    expect(
      warned([inbound(), outbound('pbx.example'), outbound('pbx.example'), outbound('b.example')]),
    ).toEqual([
      expect.stringMatching(/^NO_ALLOWED_IPS: .*own outbound servers \(pbx\.example, b\.example\) may call/),
    ]);
  });

  it('say that anyone may call, or none, as the service is set', () => {
    expect(warned([inbound()], 'any')).toEqual([
      expect.stringContaining('Calls from any address are accepted.'),
    ]);
    expect(warned([inbound()])).toEqual([expect.stringContaining('No caller is admitted yet (403)')]);
  });

  it('name the missing registrar, unless a server stands for it', () => {
    const registering = inbound({ register_username: 'u' });
    expect(warned([registering])).toEqual([expect.stringMatching(/^NO_REGISTRAR: /)]);
    expect(warned([registering, outbound('pbx.example')])).toEqual([]);
    expect(warned([inbound({ register_username: 'u', registrar: 'pbx.example' })])).toEqual([]);
  });

  it('carry the number', () => {
    expect(inboundWarnings('13125550161', [inbound()], 'any')[0]?.phone_number).toBe('+13125550161');
  });
});
