import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Discovery,
  discoveryChannel,
  discoveryKey,
  discoveryLeaseKey,
  discoveryOfKey,
  discoverySchema,
} from '../../../../src/contract/discovery.js';
import { DiscoveryRunner } from '../../../../src/edge/discovery/discovery-runner.js';
import type { StandaloneRequest } from '../../../../src/edge/sip/engine-link.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const host = 'pbx.example.com';
/** By `transport address:port`; absent: the server does not answer. */
type Answers = Readonly<Record<string, number | string>>;

let redis: MemoryRedis;
let runner: DiscoveryRunner;
beforeEach(() => {
  vi.useFakeTimers();
  redis = new MemoryRedis();
  redis.script('takeLeases', (keys, [holder]) =>
    keys.map((key) => {
      if (!redis.strings.has(key)) redis.strings.set(key, holder!);
      return redis.strings.get(key) === holder ? 1 : 0;
    }),
  );
});
afterEach(() => {
  runner.stop();
  vi.useRealTimers();
});

async function discovered({
  wanted = {} as Partial<Discovery>,
  answers = {} as Answers,
  addresses = { [host]: ['9.9.9.9'] } as Readonly<Record<string, readonly string[]>>,
  services = {} as Readonly<Record<string, readonly { name: string; port: number }[]>>,
  isUp = true,
} = {}) {
  const tried: string[] = [];
  const engine = {
    isUp,
    request: (
      uri: string,
      request: StandaloneRequest,
      done: (error: unknown, response?: unknown) => void,
    ) => {
      const transport = /transport=(\w+)/.exec(uri)![1]!;
      const address = /maddr=\[?([^\]]+)\]?$/.exec(request.proxy!)![1]!;
      const port = /:(\d+);/.exec(request.proxy!)?.[1] ?? '';
      const place = `${transport} ${address}:${port}`;
      tried.push(place);
      const answer = answers[place];
      if (answer === undefined) return;
      const isMadeUp = typeof answer === 'string';
      done(undefined, {
        status: isMadeUp ? 503 : answer,
        reason: '',
        headers: {},
        source_address: isMadeUp ? '' : address,
        source_port: isMadeUp ? 0 : 5_060,
        has: () => false,
        get: (header: string) =>
          isMadeUp && header === 'Reason' ? `Transport;failure=${answer};text="x"` : undefined,
      });
    },
  };
  const discovery = {
    discovery_id: 'd1',
    organization: 'acme',
    status: 'running',
    host,
    port: null,
    transport: null,
    started_at: new Date().toISOString(),
    completed_at: null,
    failure: null,
    detail: null,
    resolved_addresses: [],
    srv_records: [],
    attempts: [],
    progress: { done: 0, total: 0 },
    recommended: null,
    ...wanted,
  };
  redis.strings.set(discoveryKey('d1'), JSON.stringify(discovery));
  redis.strings.set(discoveryOfKey('acme'), 'd1');
  runner = new DiscoveryRunner({
    settings: { timeoutMilliseconds: 2_000 } as never,
    redis: redis.asRedis,
    engine: engine as never,
    names: {
      addressesOf: async (name: string) => {
        const found = addresses[name];
        if (found === undefined) throw new Error('no such name');
        return found;
      },
      servicesOf: async (name: string) =>
        (services[name] ?? []).map((record) => ({ priority: 1, weight: 1, ...record })),
    } as never,
    egress: new EgressPolicy({ allowPrivate: false }),
    holder: 'edge-1',
    log: pino({ level: 'silent' }),
  });
  runner.start();
  await vi.advanceTimersByTimeAsync(0);
  redis.deliver(discoveryChannel, 'd1');
  await vi.advanceTimersByTimeAsync(20_000);
  const found = (): Discovery => discoverySchema.parse(JSON.parse(redis.strings.get(discoveryKey('d1'))!));
  return { tried, found };
}

describe('a discovery', () => {
  it('completes without a recommendation where no server answers', async () => {
    const { found } = await discovered();
    expect(found().status).toBe('completed');
    expect(found().recommended).toBeNull();
    expect(found().progress).toEqual({ done: 9, total: 9 });
    expect(redis.strings.has(discoveryOfKey('acme'))).toBe(false);
    expect(runner.size).toBe(0);
  });

  it('tries every usual port by every transport, at two addresses at most', async () => {
    const { tried } = await discovered({ addresses: { [host]: ['9.9.9.1', '9.9.9.2', '9.9.9.3'] } });
    expect(tried).toHaveLength(18);
    expect(tried.filter((place) => place.includes('9.9.9.3'))).toEqual([]);
  });

  it('tries what is wanted alone', async () => {
    const { tried } = await discovered({ wanted: { transport: 'tcp', port: 5070 } });
    expect(tried).toEqual(['tcp 9.9.9.9:5070']);
  });

  it('tries the servers that DNS names, unless a port or an address is wanted', async () => {
    const services = { [`_sips._tcp.${host}`]: [{ name: 'sip.example.com', port: 5091 }] };
    const addresses = { [host]: ['9.9.9.9'], 'sip.example.com': ['9.9.9.8'] };
    const { found } = await discovered({ services, addresses, wanted: { transport: 'tls' } });
    expect(found().srv_records).toMatchObject([{ target: 'sip.example.com', port: 5091 }]);
    expect(found().attempts).toHaveLength(4);
    expect(found().resolved_addresses).toEqual(['9.9.9.9', '9.9.9.8']);
    runner.stop();
    redis.strings.clear();
    const fixed = await discovered({ services, addresses, wanted: { transport: 'tls', port: 5061 } });
    expect(fixed.found().srv_records).toEqual([]);
    runner.stop();
    redis.strings.clear();
    const address = await discovered({ wanted: { host: '9.9.9.7', transport: 'tls' } });
    expect(address.tried).toHaveLength(3);
  });

  it('fails where the name has no address, or only forbidden ones', async () => {
    const unknown = await discovered({ addresses: {} });
    expect(unknown.found()).toMatchObject({ status: 'failed', failure: 'dns' });
    runner.stop();
    redis.strings.clear();
    const forbidden = await discovered({ addresses: { [host]: ['10.0.0.1'] } });
    expect(forbidden.found()).toMatchObject({ status: 'failed', failure: 'forbidden_address' });
    expect(forbidden.tried).toEqual([]);
  });

  it('is left to the edge that claimed it, and to one with an engine', async () => {
    redis.strings.set(discoveryLeaseKey('d1'), 'edge-2');
    const claimed = await discovered();
    expect(claimed.tried).toEqual([]);
    expect(claimed.found().status).toBe('running');
    runner.stop();
    redis.strings.clear();
    const down = await discovered({ isUp: false });
    expect(down.tried).toEqual([]);
    expect(redis.strings.has(discoveryLeaseKey('d1'))).toBe(false);
  });

  it('does not run again', async () => {
    const { tried } = await discovered({ wanted: { status: 'completed' } });
    expect(tried).toEqual([]);
  });
});

describe('the recommendation', () => {
  const recommended = async (answers: Answers) => (await discovered({ answers })).found().recommended;

  it('prefers encryption, then a reliable transport', async () => {
    const all = { 'tls 9.9.9.9:5061': 200, 'tcp 9.9.9.9:5060': 200, 'udp 9.9.9.9:5060': 200 };
    expect(await recommended(all)).toMatchObject({ transport: 'tls', port: 5061, mutual_tls: false });
    runner.stop();
    redis.strings.clear();
    const plain = { 'udp 9.9.9.9:5060': 200, 'tcp 9.9.9.9:5060': 200 };
    expect(await recommended(plain)).toMatchObject({ transport: 'tcp', port: 5060 });
  });

  it('prefers the lower port among equals', async () => {
    const equals = { 'udp 9.9.9.9:5080': 200, 'udp 9.9.9.9:5060': 404 };
    expect(await recommended(equals)).toMatchObject({ transport: 'udp', port: 5060 });
  });

  it('takes a server that says 503 only where no other answers', async () => {
    const answers = { 'tls 9.9.9.9:5061': 503, 'udp 9.9.9.9:5060': 200 };
    expect(await recommended(answers)).toMatchObject({ transport: 'udp' });
    runner.stop();
    redis.strings.clear();
    expect(await recommended({ 'tls 9.9.9.9:5061': 503 })).toMatchObject({ transport: 'tls' });
  });

  it('takes a server that wants a client certificate last, and says so', async () => {
    const answers = { 'tls 9.9.9.9:5061': 'client-certificate', 'udp 9.9.9.9:5060': 503 };
    expect(await recommended(answers)).toMatchObject({ transport: 'udp' });
    runner.stop();
    redis.strings.clear();
    expect(await recommended({ 'tls 9.9.9.9:5061': 'client-certificate' })).toMatchObject({
      transport: 'tls',
      mutual_tls: true,
    });
  });
});
