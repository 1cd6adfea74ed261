import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failoverKey, outageField, outageIndexKey } from '../../../../src/contract/failover.js';
import { callEvidenceKey } from '../../../../src/contract/health.js';
import { FailoverStates } from '../../../../src/edge/routing/failover-states.js';
import { type OutboundRoute, routeOf } from '../../../../src/edge/routing/targets.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { numberDocument } from '../admission/request.js';

const number = '14155550100';
const hosts = ['one.example.com', 'two.example.com'];

const documentOf = (failback: 'auto' | 'manual' = 'auto') =>
  numberDocument({
    number,
    outbound: [{ id: 'out-1', host: hosts[0], transport: 'tls' }],
    outbound_policy: {
      failover: {
        endpoints: [{ host: hosts[1], transport: 'tls' }],
        triggers: ['unreachable', 'timeout'],
        failback,
      },
    },
  });

let redis: MemoryRedis;
let probes: string[][];
beforeEach(() => {
  vi.useFakeTimers();
  redis = new MemoryRedis();
  probes = [];
  redis.script('markOutage', ([outages, index], [server, json, of]) => {
    const hash = redis.hashes.get(outages!) ?? new Map<string, string>();
    redis.hashes.set(outages!, hash.set(outageField(server!), json!));
    redis.sets.set(index!, new Set([...(redis.sets.get(index!) ?? []), of!]));
  });
  redis.script('countHealthyProbe', (_keys, values) => {
    probes.push(values);
    return Number(values[2]) <= 1 ? 1 : 0;
  });
});
afterEach(() => void vi.useRealTimers());

function states(failback?: 'auto' | 'manual', document = documentOf(failback)) {
  const failover = new FailoverStates({
    redis: redis.asRedis,
    trunks: { find: async () => document } as never,
    log: pino({ level: 'silent' }),
    failbackProbes: 3,
    waitMilliseconds: 100,
  });
  const route: OutboundRoute = routeOf(document)!;
  const [first, second] = route.servers;
  const order = async (): Promise<string[]> => (await failover.order(number, route)).map(({ host }) => host);
  return { failover, route, first: first!, second: second!, order };
}

describe('the servers of a number', () => {
  it('are used in their order, a bypassed one last', async () => {
    const { failover, first, order } = states();
    expect(await order()).toEqual(hosts);
    await failover.failed(number, first, 'timeout', 'No response');
    expect(await order()).toEqual([...hosts].reverse());
  });

  it('are as this edge saw them last while Redis is down', async () => {
    const { failover, first, order } = states();
    redis.isDown = true;
    await failover.failed(number, first, 'timeout', 'No response');
    expect(await order()).toEqual([...hosts].reverse());
    await failover.answered(number, first);
    expect(await order()).toEqual(hosts);
  });

  it('are as another edge left them once Redis answers', async () => {
    const { failover, first, order } = states();
    redis.isDown = true;
    await failover.failed(number, first, 'timeout', 'No response');
    redis.isDown = false;
    expect(await order()).toEqual(hosts);
    redis.isDown = true;
    expect(await order()).toEqual(hosts);
  });

  it('are not looked up where there is only one', async () => {
    const { failover, route } = states();
    const read = vi.spyOn(redis, 'hgetall');
    const single = { ...route, servers: route.servers.slice(0, 1) };
    expect(await failover.order(number, single)).toBe(single.servers);
    expect(read).not.toHaveBeenCalled();
  });
});

describe('a failed call', () => {
  it('removes the proof of earlier calls, except where only the credentials failed', async () => {
    const { failover, first } = states();
    const key = callEvidenceKey(first.name);
    redis.strings.set(key, '1');
    await failover.failed(number, first, 'auth_failure', 'Wrong password');
    expect(redis.strings.has(key)).toBe(true);
    await failover.failed(number, first, 'timeout', 'No response');
    expect(redis.strings.has(key)).toBe(false);
  });

  it('is written with what happened', async () => {
    const { failover, first } = states();
    await failover.failed(number, first, 'timeout', 'x'.repeat(1_000));
    const [json] = redis.hashes.get(failoverKey(number))!.values();
    expect(JSON.parse(json!)).toMatchObject({ trigger: 'timeout', detail: 'x'.repeat(300) });
    expect(redis.sets.get(outageIndexKey(first.name))).toEqual(new Set([number]));
  });
});

describe('a bypassed server that answers a call', () => {
  it('is used again, and no longer looked for', async () => {
    const { failover, first, second, order } = states();
    await failover.failed(number, first, 'timeout', 'No response');
    await failover.answered(number, second);
    expect(redis.sets.get(outageIndexKey(first.name))).toEqual(new Set([number]));
    await failover.answered(number, first);
    expect(redis.sets.get(outageIndexKey(first.name))).toEqual(new Set());
    const removed = vi.spyOn(redis, 'multi');
    await failover.answered(number, first);
    await failover.answered('19995550100', first);
    expect(removed).not.toHaveBeenCalled();
    expect(await order()).toHaveLength(2);
  });
});

describe('a probe of a bypassed server', () => {
  async function probed(status: 'healthy' | 'unreachable', test: ReturnType<typeof states>) {
    const { failover, first } = test;
    redis.sets.set(outageIndexKey(first.name), new Set([number]));
    await failover.probed({ endpoint: first.name, status } as never);
  }

  it('counts for its return when it succeeds', async () => {
    const test = states();
    await probed('healthy', test);
    expect(probes).toEqual([[test.first.name, number, '3']]);
  });

  it('begins the count again when it fails', async () => {
    const test = states();
    const deleted = vi.spyOn(redis, 'hdel');
    await probed('unreachable', test);
    expect(probes).toEqual([]);
    expect(deleted).toHaveBeenCalledTimes(1);
  });

  it('changes nothing where a person decides', async () => {
    await probed('healthy', states('manual'));
    expect(probes).toEqual([]);
  });

  it('is enough at once for a server that the number names no longer', async () => {
    const foreign = numberDocument({ number });
    const { first } = states();
    const failover = new FailoverStates({
      redis: redis.asRedis,
      trunks: { find: async () => foreign } as never,
      log: pino({ level: 'silent' }),
      failbackProbes: 3,
      waitMilliseconds: 100,
    });
    redis.sets.set(outageIndexKey(first.name), new Set([number]));
    await failover.probed({ endpoint: first.name, status: 'healthy' } as never);
    expect(probes).toEqual([[first.name, number, '0']]);
  });

  it('never rejects', async () => {
    const test = states();
    redis.isDown = true;
    await expect(probed('healthy', test)).resolves.toBeUndefined();
  });
});
