import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { HostsFile } from '../../../src/base/hosts-file.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { SystemDns } from '../../../src/base/system-dns.js';
import { defaultResolver } from '../../../src/naming/resolver-settings.js';
import { TargetResolver } from '../../../src/naming/target-resolver.js';
import { Stopwatch } from '../../support/stopwatch.js';

const types = { A: 1, AAAA: 28, SRV: 33, NAPTR: 35 } as const;

const nameOctets = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter((label) => label !== '')
      .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1')),
    Buffer.from([0]),
  ]);
const number16 = (...values: number[]): Buffer => {
  const octets = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => {
    octets.writeUInt16BE(value, i * 2);
  });
  return octets;
};
const text = (value: string): Buffer => Buffer.from(`${String.fromCharCode(value.length)}${value}`, 'latin1');
const a = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
const srv = (priority: number, weight: number, port: number, target: string): Buffer =>
  Buffer.concat([number16(priority, weight, port), nameOctets(target)]);
const naptr = (order: number, service: string, replacement: string): Buffer =>
  Buffer.concat([number16(order, 10), text('s'), text(service), text(''), nameOctets(replacement)]);

/** A DNS server of a few records (RFC 1035); names under `silent.` get no answer, others that are unknown NXDOMAIN. */
async function dnsServer(records: Record<string, readonly Buffer[]>) {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let offset = 12;
    while (query[offset] !== 0) {
      const length = query[offset]!;
      labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
      offset += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(offset + 1);
    const question = `${Object.entries(types).find(([, value]) => value === type)?.[0] ?? type} ${name}`;
    questions.push(question);
    if (name.startsWith('silent.')) return;
    const answers = records[question] ?? [];
    const hasName = Object.keys(records).some((key) => key.endsWith(` ${name}`));
    socket.send(
      Buffer.concat([
        query.subarray(0, 2),
        number16(hasName ? 0x8180 : 0x8183, 1, answers.length, 0, 0),
        query.subarray(12, offset + 5),
        ...answers.flatMap((data) => [number16(0xc00c, type, 1, 0, 120, data.length), data]),
      ]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { socket, questions, address: `127.0.0.1:${socket.address().port}` };
}

describe('DNS over the wire', () => {
  const open: (Socket | SystemDns)[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) {
      if (each instanceof SystemDns) each.cancel();
      else each.close();
    }
  });

  const setUp = async (records: Record<string, readonly Buffer[]>, lookupMilliseconds = 3_000) => {
    const server = await dnsServer(records);
    const settings = { ...defaultResolver, servers: [server.address], lookupMilliseconds, naptr: true };
    const dns = new SystemDns(settings);
    open.push(server.socket, dns);
    const clock = new SystemClock();
    const resolver = new TargetResolver({
      settings,
      clock,
      dns,
      hosts: new HostsFile('/nowhere/hosts', () => clock.now()),
      supports: (_protocol, family) => family !== 6,
      random: () => 0,
    });
    return { ...server, dns, resolver };
  };

  it('resolves NAPTR, then SRV, then addresses', async () => {
    const { resolver } = await setUp({
      'NAPTR example.com': [
        naptr(20, 'SIP+D2U', '_sip._udp.example.com'),
        naptr(10, 'SIPS+D2T', '_sips._tcp.example.com'),
      ],
      'SRV _sips._tcp.example.com': [srv(2, 0, 5062, 'b.example.com'), srv(1, 0, 5061, 'a.example.com')],
      'SRV _sip._udp.example.com': [srv(1, 0, 5060, 'a.example.com')],
      'A a.example.com': [a('192.0.2.1')],
      'A b.example.com': [a('192.0.2.2'), a('192.0.2.3')],
    });
    const targets = await resolver.resolve({ secure: false, host: 'example.com' });
    expect(targets.map(({ protocol, address, port }) => `${protocol} ${address} ${port}`)).toEqual([
      'tls 192.0.2.1 5061',
      'tls 192.0.2.2 5062',
      'tls 192.0.2.3 5062',
      'udp 192.0.2.1 5060',
    ]);
    expect(resolver.resolve({ secure: false, host: 'example.com' })).not.toBeInstanceOf(Promise);
  });

  it('reads TTLs and distinguishes absent names from silent servers', async () => {
    const { dns } = await setUp({ 'A a.example.com': [a('192.0.2.1')] }, 3_000);
    expect(await dns.addresses('a.example.com', 4)).toEqual([{ address: '192.0.2.1', ttl: 120 }]);
    await expect(dns.addresses('a.example.com', 6)).rejects.toMatchObject({ kind: 'none' });
    await expect(dns.addresses('no.example.com', 4)).rejects.toMatchObject({ kind: 'none' });
    await expect(dns.services('_sip._udp.no.example.com')).rejects.toMatchObject({ kind: 'none' });
    await expect(dns.addresses('silent.example.com', 4)).rejects.toMatchObject({ kind: 'failed' });
  });

  it('ends a silent lookup in time', async () => {
    const { resolver } = await setUp({}, 300);
    const watch = Stopwatch.start();
    await expect(
      resolver.resolve({ secure: false, host: 'silent.example.com', port: 5060 }),
    ).rejects.toMatchObject({
      failure: 'dns',
    });
    // By default the library would ask again after five seconds.
    expect(watch.milliseconds).toBeLessThan(watch.bound(4_500));
  });

  it('fails at once where there is no DNS server', async () => {
    const { socket, resolver } = await setUp({}, 20_000);
    open.splice(open.indexOf(socket), 1);
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    const watch = Stopwatch.start();
    await expect(
      resolver.resolve({ secure: false, host: 'x.example.com', port: 5060 }),
    ).rejects.toMatchObject({
      failure: 'dns',
    });
    expect(watch.milliseconds).toBeLessThan(watch.bound(10_000));
  });
});
