import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  callEvidenceKey,
  type Endpoint,
  type EndpointHealth,
  endpointName,
  healthKey,
  healthStream,
  probeChannel,
  probeLeaseKey,
} from '../../../../src/contract/health.js';
import {
  indexedServersKey,
  numberIndexChannel,
  numberIndexVersion,
  numberIndexVersionKey,
} from '../../../../src/contract/number-index.js';
import { HealthProber } from '../../../../src/edge/health/health-prober.js';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import type { StandaloneRequest } from '../../../../src/edge/sip/engine-link.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';

const intervalMilliseconds = 60_000;
const pbx: Endpoint = { host: 'pbx.example.com', port: 5061, transport: 'tls' };
const name = endpointName(pbx);
/** How the server at an address answers; a text is why our engine answers in its place. */
type Answer = number | string | 'silence' | 'not sent';

let redis: MemoryRedis;
let prober: HealthProber | undefined;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-27T09:00:00Z') });
  redis = new MemoryRedis();
  redis.strings.set(numberIndexVersionKey, numberIndexVersion);
  redis.script('takeLeases', (keys, [holder]) =>
    keys.map((key) => {
      if (!redis.strings.has(key)) redis.strings.set(key, holder!);
      return redis.strings.get(key) === holder ? 1 : 0;
    }),
  );
  redis.script('releaseLeases', (keys, [holder]) => {
    for (const key of keys) if (redis.strings.get(key) === holder) redis.strings.delete(key);
  });
});
afterEach(async () => {
  await prober?.stop();
  prober = undefined;
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** What numbers name, as control has indexed it. */
async function index(...endpoints: Endpoint[]): Promise<void> {
  redis.hashes.set(
    indexedServersKey,
    new Map(endpoints.map((endpoint, at) => [String(at), JSON.stringify(endpoint)])),
  );
  redis.deliver(numberIndexChannel, 'servers');
  await pass(1_000);
}

/** A prober of the indexed servers, all of whose addresses answer alike unless an answer is for one. */
async function probing({
  answers = { '*': 200 } as Readonly<Record<string, Answer>>,
  headers = {} as Readonly<Record<string, string>>,
  addresses = ['9.9.9.9'],
  endpoints = [pbx],
  allowPrivate = false,
} = {}) {
  const script = { answers };
  const sent: (StandaloneRequest & { address: string })[] = [];
  const checked: EndpointHealth[] = [];
  const engine = {
    isUp: true,
    isResponsive: true,
    request: (
      _uri: string,
      request: StandaloneRequest,
      done: (error: unknown, response?: unknown) => void,
    ) => {
      const address = /maddr=\[?([^\]]+)\]?$/.exec(request.proxy!)![1]!;
      sent.push({ ...request, address });
      const answer = script.answers[address] ?? script.answers['*'];
      if (answer === 'silence') return;
      if (answer === 'not sent') {
        done(new Error('not connected'));
        return;
      }
      const isMadeUp = typeof answer === 'string';
      done(undefined, {
        status: isMadeUp ? 503 : answer,
        reason: '',
        source_address: isMadeUp ? '' : address,
        source_port: isMadeUp ? 0 : 5_061,
        get: (header: string) =>
          isMadeUp && header === 'Reason' ? `Transport;failure=${answer};text="${answer}"` : headers[header],
      });
    },
  };
  redis.hashes.set(
    indexedServersKey,
    new Map(endpoints.map((endpoint, at) => [String(at), JSON.stringify(endpoint)])),
  );
  prober = new HealthProber({
    settings: {
      intervalMilliseconds,
      timeoutMilliseconds: 2_000,
      leaseMilliseconds: 30_000,
      maximumTargets: 4,
      streamLength: 1_000,
      callEvidenceMilliseconds: 300_000,
      maximumRetryAfterMilliseconds: 600_000,
    } as never,
    edgeId: 'e1',
    holder: 'edge-1',
    redis: redis.asRedis,
    engine: engine as never,
    names: edgeNames({ dns: new ScriptedDns({ a: { '*': addresses } }) }).targets,
    egress: new EgressPolicy({ allowPrivate }),
    checked: (health) => checked.push(health),
    log: pino({ level: 'silent' }),
  });
  prober.start();
  await pass(1_000);
  const last = () => checked.at(-1)!;
  return { prober, engine, script, sent, checked, last };
}

describe('a server', () => {
  it('is healthy when it answers OPTIONS, whatever the status', async () => {
    const { last, sent } = await probing({ answers: { '*': 405 } });
    expect(last()).toMatchObject({
      endpoint: name,
      edge_id: 'e1',
      status: 'healthy',
      reason: null,
      sip_status: 405,
      evidence: 'probe',
      targets: [{ address: '9.9.9.9:5061', status: 'healthy' }],
    });
    expect(sent).toMatchObject([{ method: 'OPTIONS', headers: { Accept: 'application/sdp' } }]);
    expect(JSON.parse(redis.strings.get(healthKey(name))!)).toEqual(last());
    expect(redis.lifetimes.get(healthKey(name))).toBe(10 * intervalMilliseconds);
    expect(redis.streams.get(healthStream)!.map((json) => JSON.parse(json))).toEqual([last()]);
  });

  it('is unreachable when it does not answer in time', async () => {
    const { checked, last } = await probing({ answers: { '*': 'silence' } });
    expect(checked).toEqual([]);
    await pass(2_000);
    expect(last()).toMatchObject({
      status: 'unreachable',
      reason: 'timeout',
      detail: 'No answer within 2000 ms',
      response_time_milliseconds: null,
    });
  });

  it('is healthy, though it ignores OPTIONS, while it has just taken a call', async () => {
    const { prober, last } = await probing({ answers: { '*': 'silence' } });
    await prober.answeredCall(pbx);
    expect(redis.lifetimes.get(callEvidenceKey(name))).toBe(300_000);
    await pass(2_000);
    expect(last()).toMatchObject({ status: 'healthy', reason: null, evidence: 'call' });
  });

  it('is unreachable when it refuses connections, though it has just taken a call', async () => {
    redis.strings.set(callEvidenceKey(name), '1');
    const { last } = await probing({ answers: { '*': 'refused' } });
    expect(last()).toMatchObject({ status: 'unreachable', reason: 'refused', evidence: 'probe' });
  });

  it('is unreachable with 503, and is left alone as long as it asks for', async () => {
    const { last, sent } = await probing({ answers: { '*': 503 }, headers: { 'Retry-After': '120' } });
    expect(last()).toMatchObject({ status: 'unreachable', reason: 'service_unavailable', sip_status: 503 });
    expect(Date.parse(last().targets[0]!.retry_at!) - Date.now()).toBeGreaterThan(118_000);
    await pass(1.2 * intervalMilliseconds);
    expect(sent).toHaveLength(1);
    await pass(2.4 * intervalMilliseconds);
    expect(sent.length).toBeGreaterThan(1);
  });

  it.each(['soon', '0', '-5'])('is probed as usual with Retry-After %s', async (text) => {
    const { last } = await probing({ answers: { '*': 503 }, headers: { 'Retry-After': text } });
    expect(last().targets[0]!.retry_at).toBeNull();
  });

  it('is not believed to be busy for days', async () => {
    const { last } = await probing({ answers: { '*': 503 }, headers: { 'Retry-After': '9999999' } });
    expect(Date.parse(last().targets[0]!.retry_at!) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it('is healthy when one of its addresses is, else as the first one says', async () => {
    const addresses = ['9.9.9.1', '9.9.9.2'];
    const refusing = await probing({ addresses, answers: { '9.9.9.1': 'refused', '9.9.9.2': 200 } });
    expect(refusing.last().status).toBe('healthy');
    expect(
      refusing
        .last()
        .targets.map(({ status }) => status)
        .sort(),
    ).toEqual(['healthy', 'unreachable']);
    await refusing.prober.stop();
    redis.strings.delete(healthKey(name));
    const none = await probing({ addresses, answers: { '9.9.9.1': 'refused', '9.9.9.2': 503 } });
    expect(none.last().status).toBe('unreachable');
    expect(none.last().reason).toBe(none.last().targets[0]!.reason);
  });

  it('at a private address is not contacted where that is forbidden', async () => {
    const { last, sent } = await probing({ addresses: ['10.0.0.1'] });
    expect(last()).toMatchObject({ status: 'unreachable', reason: 'network' });
    expect(sent).toEqual([]);
  });

  it('says nothing of itself while this edge cannot send', async () => {
    const { checked, engine } = await probing({ answers: { '*': 'not sent' } });
    expect(checked).toEqual([]);
    engine.isResponsive = false;
    await pass(1.2 * intervalMilliseconds);
    expect(redis.streams.has(healthStream)).toBe(false);
  });
});

describe('an authority that a number trusts', () => {
  it('is tried where the certificate is not trusted without it', async () => {
    const endpoints = [pbx, { ...pbx, tls_ca: 'PEM' }];
    const { sent, last } = await probing({ endpoints, answers: { '*': 'certificate' } });
    expect(sent.map(({ tlsCa }) => tlsCa)).toEqual([undefined, 'PEM']);
    expect(last()).toMatchObject({ status: 'unreachable', reason: 'certificate' });
  });

  it('is not needed where another answer decides', async () => {
    const endpoints = [{ ...pbx, tls_ca: 'PEM' }, pbx];
    const { sent } = await probing({ endpoints, answers: { '*': 'refused' } });
    expect(sent.map(({ tlsCa }) => tlsCa)).toEqual([undefined]);
  });

  it('is tried at once when a number has named it', async () => {
    const { sent } = await probing({ answers: { '*': 'certificate' } });
    expect(sent).toHaveLength(1);
    await index(pbx, { ...pbx, tls_ca: 'PEM' });
    await pass(1_000);
    expect(sent.map(({ tlsCa }) => tlsCa)).toEqual([undefined, undefined, 'PEM']);
  });
});

describe('the servers of an edge', () => {
  it('are those whose lease it gets', async () => {
    redis.strings.set(probeLeaseKey(name), 'edge-2');
    const { prober, sent } = await probing();
    expect([prober.size, sent.length]).toEqual([0, 0]);
  });

  it('are left when no number names them, or another edge has the lease', async () => {
    const neighbor: Endpoint = { ...pbx, host: 'other.example.com' };
    const { prober } = await probing({ endpoints: [pbx, neighbor] });
    expect(prober.size).toBe(2);
    await index(pbx);
    expect(prober.size).toBe(1);
    expect(redis.strings.has(probeLeaseKey(endpointName(neighbor)))).toBe(false);
    redis.strings.set(probeLeaseKey(name), 'edge-2');
    await pass(10_000);
    expect(prober.size).toBe(0);
    expect(redis.strings.get(probeLeaseKey(name))).toBe('edge-2');
  });

  it('are left while the engine is down, and when the edge stops', async () => {
    const { prober, engine, sent } = await probing();
    engine.isUp = false;
    await pass(10_000);
    expect(prober.size).toBe(0);
    expect(redis.strings.has(probeLeaseKey(name))).toBe(false);
    engine.isUp = true;
    await pass(10_000);
    expect(prober.size).toBe(1);
    await prober.stop();
    expect(redis.strings.has(probeLeaseKey(name))).toBe(false);
    const before = sent.length;
    await pass(2 * intervalMilliseconds);
    expect(sent).toHaveLength(before);
  });

  it('are probed again about an interval later', async () => {
    const { sent } = await probing();
    await pass(0.85 * intervalMilliseconds);
    expect(sent).toHaveLength(1);
    await pass(0.3 * intervalMilliseconds);
    expect(sent).toHaveLength(2);
  });

  it('wait for the rest of the interval when another edge has just probed them', async () => {
    const checked_at = new Date(Date.now() - 20_000).toISOString();
    const state = {
      version: 1,
      endpoint: name,
      edge_id: 'e2',
      checked_at,
      status: 'healthy',
      reason: null,
      detail: null,
      sip_status: 200,
      response_time_milliseconds: 1,
      evidence: 'probe',
      targets: [],
    };
    redis.strings.set(healthKey(name), JSON.stringify(state));
    const { sent } = await probing();
    await pass(38_000);
    expect(sent).toHaveLength(0);
    await pass(2_000);
    expect(sent).toHaveLength(1);
  });

  it('are probed on request, at most once a second', async () => {
    const { sent } = await probing();
    await pass(5_000);
    redis.deliver(probeChannel, name);
    await pass(10);
    expect(sent).toHaveLength(2);
    redis.deliver(probeChannel, name);
    redis.deliver(probeChannel, 'tls:unknown.example.com');
    await pass(900);
    expect(sent).toHaveLength(2);
    await pass(200);
    expect(sent).toHaveLength(3);
  });
});
