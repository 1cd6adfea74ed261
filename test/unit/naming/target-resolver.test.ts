import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PointerRecord, ServiceRecord as SrvRecord } from '../../../src/base/dns.js';
import { HostsFile } from '../../../src/base/hosts-file.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { defaultResolver, type ResolverSettings } from '../../../src/naming/resolver-settings.js';
import { orderByWeight } from '../../../src/naming/service-order.js';
import {
  type Protocol,
  type ResolutionError,
  type ResolvedTarget,
  TargetResolver,
  type UnresolvedTarget,
} from '../../../src/naming/target-resolver.js';
import { ManualClock } from '../../../src/testkit/manual-clock.js';
import { ScriptedDns, type Zone } from '../../support/scripted-dns.js';

const directory = mkdtempSync(join(tmpdir(), 'demarc-hosts-'));
const hostsFile = join(directory, 'hosts');
writeFileSync(hostsFile, '# a comment\n10.0.0.7 pbx PBX.lab # trailing\n2001:DB8::7 pbx\nbroken line\n');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function setUp(
  zone: Zone,
  settings: Partial<ResolverSettings> = {},
  listeners: readonly (readonly [Protocol, 4 | 6])[] = [
    ['udp', 4],
    ['tcp', 4],
    ['tls', 4],
  ],
) {
  const clock = new ManualClock();
  const dns = new ScriptedDns(zone);
  const resolver = new TargetResolver({
    settings: { ...defaultResolver, ...settings },
    clock,
    dns,
    hosts: new HostsFile(hostsFile, () => clock.now()),
    supports: (protocol, family) =>
      listeners.some((each) => each[0] === protocol && (family === undefined || each[1] === family)),
    random: () => 0,
  });
  const ask = async (nextHop: Partial<UnresolvedTarget> & { host: string }): Promise<string[]> =>
    (await resolver.resolve({ secure: false, ...nextHop })).map(textOf);
  return { clock, dns, resolver, ask };
}

const textOf = ({ protocol, address, port }: ResolvedTarget): string => `${protocol} ${address} ${port}`;
/** Refuses private networks, except these. */
const strict = (privateNetworks: readonly string[] = []): EgressPolicy =>
  new EgressPolicy({ allowPrivate: false, privateNetworks });

const srv = (name: string, port: number, priority: number, weight = 0): SrvRecord => ({
  name,
  port,
  priority,
  weight,
});

describe('where a request goes (RFC 3263)', () => {
  it('answers at once for an address: the transport parameter, else UDP, or TLS for sips', () => {
    const { resolver, dns } = setUp({});
    const at = (nextHop: Partial<UnresolvedTarget>) => {
      const targets = resolver.resolve({ secure: false, host: '192.0.2.1', ...nextHop });
      if (targets instanceof Promise) throw new Error('not at once');
      return targets.map(textOf);
    };
    expect(at({})).toEqual(['udp 192.0.2.1 5060']);
    expect(at({ port: 5070 })).toEqual(['udp 192.0.2.1 5070']);
    expect(at({ transport: 'tcp' })).toEqual(['tcp 192.0.2.1 5060']);
    expect(at({ transport: 'TLS' })).toEqual(['tls 192.0.2.1 5061']);
    expect(at({ secure: true })).toEqual(['tls 192.0.2.1 5061']);
    expect(at({ secure: true, transport: 'tcp', port: 5099 })).toEqual(['tls 192.0.2.1 5099']);
    expect(dns.asked).toEqual([]);
    expect(resolver.cachedNames).toBe(0);
  });

  it('refuses what cannot be: no such transport, sips over UDP, no listener', () => {
    const { resolver } = setUp({}, {}, [['udp', 4]]);
    const failure = (nextHop: Partial<UnresolvedTarget>) => {
      try {
        void resolver.resolve({ secure: false, host: '192.0.2.1', ...nextHop });
      } catch (error) {
        return (error as ResolutionError).failure;
      }
      return undefined;
    };
    expect(failure({ transport: 'sctp' })).toBe('unsupported');
    expect(failure({ transport: 'udp', secure: true })).toBe('unsupported');
    expect(failure({ transport: 'tcp' })).toBe('unsupported');
    expect(failure({ host: '2001:db8::1' })).toBe('unsupported');
    for (const host of [
      '',
      'a b',
      'exa\r\nmple.com',
      '-x.com',
      'a..b',
      'x'.repeat(300),
      '300.1.1.1.',
      '[::1',
      '*',
    ])
      expect(failure({ host }), JSON.stringify(host)).toMatch(/^(dns|unsupported)$/);
  });

  it('sends to no private address where only public ones are allowed, even if the name resolved to one before', async () => {
    const { ask, dns, clock } = setUp({ a: { 'pbx.example.com': ['9.9.9.9', '8.8.8.8'] }, ttl: 30 });
    const query = { host: 'pbx.example.com', port: 5060, transport: 'tcp', egress: strict() };
    expect(await ask(query)).toEqual(['tcp 9.9.9.9 5060', 'tcp 8.8.8.8 5060']);
    const bad = [
      '127.0.0.1',
      '10.1.2.3',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
    ];
    for (const address of bad) {
      dns.zone = { a: { 'pbx.example.com': ['9.9.9.9', address] }, ttl: 30 };
      await clock.advance(3_600_000);
      const failure = { failure: 'dns', message: expect.stringMatching(/private address|no host can have/) };
      await expect(ask(query), address).rejects.toMatchObject(failure);
      // From what is known by now as well, and for others the name is as good as before.
      await expect(ask(query), address).rejects.toMatchObject(failure);
      expect(await ask({ host: 'pbx.example.com', port: 5060, transport: 'tcp' })).toHaveLength(2);
      const listed = ['192.0.2.0/24', '10.0.0.0/8'];
      if (address.startsWith('10.')) {
        expect(await ask({ ...query, egress: strict(listed) })).toHaveLength(2);
      }
    }
    await expect(ask({ ...query, host: '::ffff:10.0.0.1' })).rejects.toThrow();
    await expect(ask({ ...query, host: '10.0.0.1' })).rejects.toMatchObject({ failure: 'dns' });
    await expect(ask({ ...query, host: 'pbx' })).rejects.toMatchObject({ failure: 'dns' });
    dns.zone = {
      srv: { '_sip._tcp.example.com': [srv('a.example.com', 5070, 1), srv('b.example.com', 5070, 2)] },
      a: { 'a.example.com': ['9.9.9.9'], 'b.example.com': ['192.168.0.1'] },
    };
    await expect(ask({ host: 'example.com', transport: 'tcp', egress: strict() })).rejects.toThrow('private');
  });

  it('uses TCP for a plain sip URI where we have no UDP listener', async () => {
    const { ask } = setUp({}, {}, [['tcp', 4]]);
    expect(await ask({ host: '192.0.2.1' })).toEqual(['tcp 192.0.2.1 5060']);
  });

  it('follows SRV by priority, each name to its addresses, and keeps the URI host for the certificate', async () => {
    const { resolver, ask } = setUp({
      srv: {
        '_sips._tcp.example.com': [srv('second.example.net', 5063, 20), srv('first.example.net', 5062, 10)],
      },
      a: { 'first.example.net': ['192.0.2.1', '192.0.2.2'], 'second.example.net': ['192.0.2.3'] },
    });
    expect(await ask({ host: 'Example.com', transport: 'tls' })).toEqual([
      'tls 192.0.2.1 5062',
      'tls 192.0.2.2 5062',
      'tls 192.0.2.3 5063',
    ]);
    const again = resolver.resolve({ secure: false, host: 'example.com.', transport: 'tls' });
    expect(again).not.toBeInstanceOf(Promise);
    expect((again as readonly ResolvedTarget[]).every(({ serverName }) => serverName === 'example.com')).toBe(
      true,
    );
  });

  it('skips SRV when a port is given, and falls back to addresses without SRV', async () => {
    const zone = {
      srv: { '_sip._udp.example.com': [srv('sip.example.com', 5080, 1)] },
      a: { 'example.com': ['192.0.2.5'], 'sip.example.com': ['192.0.2.6'] },
    };
    const { ask, dns } = setUp(zone);
    expect(await ask({ host: 'example.com', port: 5060 })).toEqual(['udp 192.0.2.5 5060']);
    expect(dns.asked).toEqual(['A example.com']);
    expect(await ask({ host: 'example.com' })).toEqual(['udp 192.0.2.6 5080']);
    expect(await ask({ host: 'example.com', transport: 'tcp' })).toEqual(['tcp 192.0.2.5 5060']);
    expect(await ask({ host: 'example.com', secure: true })).toEqual(['tls 192.0.2.5 5061']);
  });

  it('leaves out SRV names that have no address, and fails when none has', async () => {
    const { ask } = setUp({
      srv: {
        '_sip._tcp.example.com': [srv('gone.example.com', 1, 1), srv('here.example.com', 2, 2)],
        '_sip._tcp.example.org': [srv('gone.example.com', 1, 1)],
        '_sip._tcp.example.net': [srv('', 0, 0)],
      },
      a: { 'here.example.com': ['192.0.2.1'], 'example.net': ['192.0.2.9'] },
    });
    expect(await ask({ host: 'example.com', transport: 'tcp' })).toEqual(['tcp 192.0.2.1 2']);
    await expect(ask({ host: 'example.org', transport: 'tcp' })).rejects.toMatchObject({ failure: 'dns' });
    await expect(ask({ host: 'example.net', transport: 'tcp' })).rejects.toMatchObject({ failure: 'dns' });
  });

  it('asks NAPTR only where configured and the URI leaves everything open', async () => {
    const naptr = (service: string, replacement: string, order: number): PointerRecord => ({
      flags: 's',
      service,
      replacement,
      order,
      preference: 0,
    });
    const zone: Zone = {
      naptr: {
        'example.com': [
          naptr('SIP+D2U', '_sip._udp.example.com', 50),
          naptr('SIPS+D2T', '_sips._tcp.example.com', 10),
          naptr('E2U+email', 'mail.example.com', 1),
          naptr('SIP+D2W', '_sip._ws.example.com', 2),
        ],
      },
      srv: {
        '_sips._tcp.example.com': [srv('edge.example.com', 5061, 1)],
        '_sip._udp.example.com': [srv('edge.example.com', 5060, 1)],
      },
      a: { 'edge.example.com': ['192.0.2.1'], 'example.com': ['192.0.2.9'] },
    };
    const on = setUp(zone, { naptr: true });
    expect(await on.ask({ host: 'example.com' })).toEqual(['tls 192.0.2.1 5061', 'udp 192.0.2.1 5060']);
    expect(await on.ask({ host: 'example.com', port: 5070 })).toEqual(['udp 192.0.2.9 5070']);
    expect(await on.ask({ host: 'example.com', transport: 'udp' })).toEqual(['udp 192.0.2.1 5060']);
    const off = setUp(zone);
    expect(await off.ask({ host: 'example.com' })).toEqual(['udp 192.0.2.1 5060']);
    expect(off.dns.asked.some((question) => question.startsWith('NAPTR'))).toBe(false);
    const without = setUp({ ...zone, naptr: {} }, { naptr: true });
    expect(await without.ask({ host: 'example.com' })).toEqual(['udp 192.0.2.1 5060', 'tls 192.0.2.1 5061']);
  });

  it('asks for the families that we can send from', async () => {
    const zone: Zone = { a: { 'a.example.com': ['192.0.2.1'] }, aaaa: { 'a.example.com': ['2001:DB8::1'] } };
    const both = setUp(zone, {}, [
      ['udp', 4],
      ['udp', 6],
    ]);
    expect(await both.ask({ host: 'a.example.com' })).toEqual(['udp 192.0.2.1 5060', 'udp 2001:db8::1 5060']);
    const six = setUp(zone, {}, [['udp', 6]]);
    expect(await six.ask({ host: 'a.example.com' })).toEqual(['udp 2001:db8::1 5060']);
  });

  it('takes names of the hosts file and localhost without asking', async () => {
    const { ask, dns } = setUp({});
    expect(await ask({ host: 'PBX', transport: 'tls' })).toEqual(['tls 10.0.0.7 5061']);
    expect(await ask({ host: 'pbx.lab', port: 5070 })).toEqual(['udp 10.0.0.7 5070']);
    expect(await ask({ host: 'localhost' })).toEqual(['udp 127.0.0.1 5060']);
    expect(dns.asked).toEqual([]);
  });

  it('reads the hosts file again when it changes', async () => {
    const file = join(directory, 'changing');
    let now = 0;
    const hosts = new HostsFile(file, () => now);
    expect(hosts.find('new')).toBeUndefined();
    writeFileSync(file, '10.0.0.1 new\n');
    expect(hosts.find('new')).toBeUndefined();
    now = 5_000;
    expect(hosts.find('new')).toEqual(['10.0.0.1']);
  });

  it('bounds what a zone can make us do', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `h${i}.example.com`);
    const many = Array.from({ length: 50 }, (_, i) => `192.0.2.${i}`);
    const { ask, dns } = setUp({
      srv: { '_sip._udp.example.com': names.map((name, i) => srv(name, 5060, i)) },
      a: Object.fromEntries([...names, 'many.example.com'].map((name) => [name, many])),
    });
    expect(await ask({ host: 'example.com' })).toHaveLength(16);
    expect(dns.asked.length).toBeLessThanOrEqual(17);
    expect(await ask({ host: 'many.example.com', port: 5060 })).toHaveLength(8);
  });
});

describe('the cache of answers', () => {
  const zone: Zone = { a: { 'a.example.com': ['192.0.2.1'] }, ttl: 60 };
  const nextHop = { host: 'a.example.com', port: 5060 };

  it('serves until the TTL is over', async () => {
    const { ask, dns, clock } = setUp(zone);
    await ask(nextHop);
    await clock.advance(59_000);
    await ask(nextHop);
    expect(dns.asked).toHaveLength(1);
    dns.zone = { a: { 'a.example.com': ['192.0.2.2'] } };
    await clock.advance(2_000);
    expect(await ask(nextHop)).toEqual(['udp 192.0.2.2 5060']);
    expect(dns.asked).toHaveLength(2);
  });

  it('shares one lookup among those who ask at the same time', async () => {
    const { ask, dns } = setUp(zone);
    await Promise.all([ask(nextHop), ask(nextHop), ask(nextHop)]);
    expect(dns.asked).toHaveLength(1);
  });

  it('remembers a name that does not exist for a short time', async () => {
    const { ask, dns, clock } = setUp({});
    await expect(ask(nextHop)).rejects.toMatchObject({ failure: 'dns' });
    await expect(ask(nextHop)).rejects.toThrow(/a\.example\.com not found/);
    expect(dns.asked).toHaveLength(1);
    await clock.advance(10_001);
    await expect(ask(nextHop)).rejects.toMatchObject({ failure: 'dns' });
    expect(dns.asked).toHaveLength(2);
  });

  it('serves a stale answer while the servers fail or are silent, but not for a deleted name', async () => {
    const { ask, dns, clock } = setUp(zone);
    await ask(nextHop);
    await clock.advance(61_000);
    dns.failing = true;
    expect(await ask(nextHop)).toEqual(['udp 192.0.2.1 5060']);
    await clock.advance(11_000);
    dns.failing = false;
    dns.silent = true;
    const waiting = ask(nextHop);
    await clock.advance(3_000);
    expect(await waiting).toEqual(['udp 192.0.2.1 5060']);
    await clock.advance(11_000);
    dns.silent = false;
    dns.zone = {};
    await expect(ask(nextHop)).rejects.toMatchObject({ failure: 'dns' });
  });

  it('ends a lookup that takes too long, and leaves no timer', async () => {
    const { ask, dns, clock } = setUp(zone);
    dns.silent = true;
    const outcome = ask(nextHop).catch((error: ResolutionError) => error.message);
    await clock.advance(3_000);
    expect(await outcome).toMatch(/no answer for a\.example\.com within 3000 ms/);
    expect(clock.pendingTimers).toBe(0);
    dns.silent = false;
    await clock.advance(10_001);
    await ask(nextHop);
    expect(clock.pendingTimers).toBe(0);
  });

  it('stays within its size', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.example.com`);
    const { ask, resolver } = setUp(
      { a: Object.fromEntries(names.map((name) => [name, ['192.0.2.1']])) },
      { cacheEntries: 5 },
    );
    for (const host of names) await ask({ host, port: 5060 });
    expect(resolver.cachedNames).toBe(5);
  });

  it('bounds lookups under way', async () => {
    const { resolver, dns } = setUp({});
    dns.silent = true;
    for (let i = 0; i < 1_000; i++)
      void resolver.resolve({ secure: false, host: `n${i}.example.com`, port: 5060 });
    expect(() => resolver.resolve({ secure: false, host: 'more.example.com', port: 5060 })).toThrow(
      /DNS lookups/,
    );
  });
});

describe('weights (RFC 2782)', () => {
  it('share the load in proportion', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const records = [
      { name: 'a', weight: 60 },
      { name: 'b', weight: 30 },
      { name: 'c', weight: 10 },
      { name: 'none', weight: 0 },
    ];
    const first: Record<string, number> = { a: 0, b: 0, c: 0, none: 0 };
    for (let i = 0; i < 10_000; i++) {
      const ordered = orderByWeight(records, random);
      expect(ordered).toHaveLength(4);
      first[ordered[0]!.name]!++;
    }
    expect(first.a! / 10_000).toBeCloseTo(0.6, 1);
    expect(first.b! / 10_000).toBeCloseTo(0.3, 1);
    expect(first.c! / 10_000).toBeCloseTo(0.1, 1);
    expect(first.none!).toBeLessThan(300);
  });
});
