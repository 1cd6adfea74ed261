import { describe, expect, it, vi } from 'vitest';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import { OutboundAddresses } from '../../../../src/edge/routing/outbound-addresses.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';
import { chainOver, invite, numberDocument, settings } from './request.js';

const from = (sourceAddress: string, protocol = 'tls') => invite({ sourceAddress, protocol });

async function isAdmitted(ranges: string[], source: string): Promise<boolean> {
  const { chain } = chainOver([numberDocument({ inbound: [{ id: 'in', allowed_sources: ranges }] })]);
  return (await chain.admit(from(source))).admitted;
}

describe('allowed sources', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.5', '203.0.113.5', true],
    ['203.0.113.5', '203.0.113.6', false],
    ['203.0.113.77/24', '203.0.113.1', true],
    ['203.0.113.0/24', '::ffff:203.0.113.9', true],
    ['::ffff:203.0.113.0/120', '203.0.113.9', true],
    ['::ffff:203.0.113.0/120', '203.0.114.9', false],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['10.0.0.0/8', '::1', false],
  ])('%s and %s: %s', async (range, source, expected) => {
    expect(await isAdmitted([range], source)).toBe(expected);
  });

  it('refuses others with 403; the record names the address and the remedy, the answer does not', async () => {
    const { chain } = chainOver([numberDocument()]);
    const admission = await chain.admit(from('198.51.100.1'));
    if (admission.admitted) throw new Error('admitted');
    expect(admission.refusal).toMatchObject({ status: 403, endReason: 'refused_source' });
    expect(admission.refusal.detail).toContain('198.51.100.1');
    expect(JSON.stringify(admission.refusal.headers)).not.toContain('198.51.100');
    expect(admission.document?.number).toBe('14155550100');
  });

  it('does not believe an address header', async () => {
    const { chain } = chainOver([numberDocument()]);
    const request = invite({
      sourceAddress: '198.51.100.1',
      headers: { 'X-Forwarded-For': '203.0.113.7', 'P-Source': '203.0.113.7' },
      via: ['SIP/2.0/TLS 203.0.113.7:5061;received=203.0.113.7'],
    });
    expect(await chain.admit(request)).toMatchObject({ admitted: false, refusal: { status: 403 } });
  });

  it('refuses an allowed address over UDP, where it may be forged, unless configured otherwise', async () => {
    const strict = chainOver([numberDocument()]);
    const refused = await strict.chain.admit(from('203.0.113.7', 'udp'));
    expect(refused).toMatchObject({ admitted: false, refusal: { status: 403 } });
    if (!refused.admitted) expect(refused.refusal.detail).toContain('DEMARC_TRUST_UDP_SOURCES');
    const trusting = chainOver([numberDocument()], { settings: { ...settings, trustUdpSources: true } });
    expect(await trusting.chain.admit(from('203.0.113.7', 'udp'))).toMatchObject({ admitted: true });
  });
});

const addressesFrom = (dns: ScriptedDns, clock?: ManualClock): OutboundAddresses =>
  new OutboundAddresses(edgeNames({ dns, ...(clock && { clock }) }).admission);

const open = (outbound: unknown[] = []) => numberDocument({ inbound: [{ id: 'open' }], outbound });

describe('a number without sources and credentials', () => {
  it('is refused when it has no outbound servers, and says what to configure', async () => {
    const { chain } = chainOver([open()]);
    const admission = await chain.admit(invite());
    expect(admission).toMatchObject({
      admitted: false,
      refusal: { status: 403, endReason: 'refused_source' },
    });
    if (!admission.admitted) expect(admission.refusal.detail).toContain('DEMARC_SOURCE_POLICY=any');
  });

  it('admits every source when the policy is any', async () => {
    const { chain } = chainOver([open()], { settings: { ...settings, sourcePolicy: 'any' } });
    expect(await chain.admit(invite())).toMatchObject({ admitted: true });
  });

  it('refuses an address that may be forged over UDP even then', async () => {
    const { chain } = chainOver([open()], { settings: { ...settings, sourcePolicy: 'any' } });
    const refused = await chain.admit(from('198.51.100.1', 'udp'));
    expect(refused).toMatchObject({ admitted: false, refusal: { status: 403 } });
    expect(await chain.admit(from('127.0.0.1', 'udp'))).toMatchObject({ admitted: true });
  });

  it('recognises its servers by address, name and SRV; the policy any does not widen that', async () => {
    const dns = new ScriptedDns({
      a: { 'sbc.example.com': ['203.0.113.7'], 'a.carrier.example.net': ['198.51.100.20'] },
      aaaa: { 'sbc.example.com': ['2001:db8::7'] },
      srv: {
        '_sips._tcp.carrier.example.net': [
          { name: 'a.carrier.example.net', port: 5061, priority: 1, weight: 1 },
        ],
      },
    });
    const document = open([
      { id: '1', host: 'sbc.example.com', port: 5061 },
      { id: '2', host: 'carrier.example.net' },
      { id: '3', host: '192.0.2.99', transport: 'udp' },
    ]);
    const { chain } = chainOver([document], {
      addresses: addressesFrom(dns),
      settings: { ...settings, sourcePolicy: 'any' },
    });
    for (const source of ['203.0.113.7', '2001:db8::7', '198.51.100.20', '192.0.2.99', '::ffff:192.0.2.99']) {
      expect(await chain.admit(from(source)), source).toMatchObject({ admitted: true });
    }
    expect(await chain.admit(from('203.0.113.8'))).toMatchObject({
      admitted: false,
      refusal: { status: 403 },
    });
  });

  it('keeps answers for a day while the DNS is down, without waiting for it', async () => {
    const dns = new ScriptedDns({ a: { 'sbc.example.com': ['203.0.113.7'] } });
    const clock = new ManualClock();
    const { chain } = chainOver([open([{ id: '1', host: 'sbc.example.com', port: 5061 }])], {
      addresses: addressesFrom(dns, clock),
    });
    await chain.admit(invite());
    await chain.admit(invite());
    const asked = ['A sbc.example.com', 'AAAA sbc.example.com'];
    expect(dns.asked).toEqual(asked);
    dns.failing = true;
    await clock.advance(120_000);
    expect(await chain.admit(invite())).toMatchObject({ admitted: true });
    expect(dns.asked).toEqual([...asked, ...asked]);
    dns.silent = true;
    await clock.advance(23 * 3_600_000);
    expect(await chain.admit(invite())).toMatchObject({ admitted: true });
  });

  it('503 when a name was never resolved', async () => {
    const { chain } = chainOver([open([{ id: '1', host: 'gone.example.com' }])]);
    expect(await chain.admit(invite())).toMatchObject({ admitted: false, refusal: { status: 503 } });
  });

  it('waits no longer than a second for a DNS that hangs', async () => {
    const dns = new ScriptedDns();
    dns.silent = true;
    const { chain } = chainOver([open([{ id: '1', host: 'slow.example.com', port: 5061 }])], {
      addresses: addressesFrom(dns),
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const admission = chain.admit(invite());
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await admission).toMatchObject({ admitted: false, refusal: { status: 503 } });
    } finally {
      vi.useRealTimers();
    }
  });
});
