import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeChannel } from '../../../../src/contract/live.js';
import { momentStream } from '../../../../src/contract/moments.js';
import {
  type RegistrationState,
  registerChannel,
  registrationId,
  registrationKey,
  registrationLeaseKey,
  registrationsFreeChannel,
  registrationsOfKey,
} from '../../../../src/contract/registration.js';
import { Registrations } from '../../../../src/edge/registration/registrations.js';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import type { StandaloneRequest } from '../../../../src/edge/sip/engine-link.js';
import type { ReceivedResponse } from '../../../../src/edge/sip/messages.js';
import { EgressPolicy } from '../../../../src/naming/egress.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';
import { numberDocument, secrets } from '../admission/request.js';

const registrar = { host: 'pbx.example.com', port: 5061, transport: 'tls' as const };
const users = ['700', '701'];
const ids = users.map((username) => registrationId('acme', registrar, username));
const leases = ids.map(registrationLeaseKey);
const leaseMilliseconds = 3_000;

const wanted = (username: string) =>
  [
    `1415555${username}0`,
    JSON.stringify(
      numberDocument({
        number: `1415555${username}0`,
        inbound: [
          {
            id: `in-${username}`,
            registration: { ...registrar, username, password: secrets.seal('right') },
          },
        ],
      }),
    ),
  ] as const;

let redis: MemoryRedis;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T12:00:00Z') });
  redis = new MemoryRedis();
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
afterEach(() => void vi.useRealTimers());

/** The registrations of an edge whose registrar answers with this status. */
function edge({ status = 200, holder = 'edge-1' } = {}) {
  const sent: (StandaloneRequest & { expires: number; user: string })[] = [];
  /** Answers of the registrar that have not come yet. */
  const waiting: (() => void)[] = [];
  const engine = {
    isUp: true,
    isSlow: false,
    request: (
      _uri: string,
      request: StandaloneRequest,
      done: (error: unknown, response: unknown) => void,
    ) => {
      const { headers } = request;
      const expires = Number(headers!.Expires);
      sent.push({ ...request, expires, user: /sip:(\d+)@/.exec(headers!.To!)![1]! });
      const answer = (): void => {
        const response = { status, reason: 'Reason', source_address: '9.9.9.9', source_port: 5_061 };
        done(undefined, {
          ...response,
          get: (name: string) => (name === 'Expires' ? '300' : undefined),
        } as unknown as ReceivedResponse);
      };
      if (engine.isSlow) waiting.push(answer);
      else answer();
    },
  };
  const registrations = new Registrations({
    settings: {
      expiresSeconds: 300,
      timeoutMilliseconds: 1_000,
      maximumTargets: 4,
      leaseMilliseconds,
    } as never,
    edgeId: 'e1',
    holder,
    redis: redis.asRedis,
    engine: engine as never,
    names: edgeNames({ dns: new ScriptedDns({ a: { '*': ['9.9.9.9'] } }) }).targets,
    egress: new EgressPolicy({ allowPrivate: false }),
    secrets,
    kept: async () => [],
    log: pino({ level: 'silent' }),
  });
  registrations.directory.seed(users.map(wanted));
  const expiries = (user: string) => sent.filter((each) => each.user === user).map(({ expires }) => expires);
  return { registrations, engine, waiting, sent, expiries };
}

/** Looks for leases, and lets what it began end. */
async function look({ registrations }: ReturnType<typeof edge>): Promise<void> {
  registrations.engineIsUp();
  await vi.advanceTimersByTimeAsync(100);
}

/** Stops it, and lets its time for that pass. */
async function stop({ registrations }: ReturnType<typeof edge>): Promise<void> {
  const stopped = registrations.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
}

const stateOf = (id: string): RegistrationState =>
  JSON.parse(redis.strings.get(registrationKey(id)) ?? 'null');

describe('the registrations of an edge', () => {
  it('are those whose lease it gets, and their state is published', async () => {
    redis.strings.set(leases[1]!, 'edge-2');
    const test = edge();
    await look(test);
    expect([test.registrations.size, test.registrations.registered]).toEqual([1, 1]);
    expect(test.expiries('700')).toEqual([300]);
    expect(test.expiries('701')).toEqual([]);
    expect(stateOf(ids[0]!)).toMatchObject({ state: 'registered', edge_id: 'e1' });
    expect(redis.sets.get(registrationsOfKey('acme'))).toEqual(new Set([ids[0]!]));
  });

  it('are counted as registered only where the registrar accepted them', async () => {
    const test = edge({ status: 403 });
    await look(test);
    expect([test.registrations.size, test.registrations.registered]).toEqual([2, 0]);
    expect(stateOf(ids[0]!)).toMatchObject({ state: 'failed', sip_code: 403 });
  });

  it('announce what is news, once, with what a customer may know', async () => {
    await look(edge());
    const notices = redis.published.filter(([channel]) => channel === noticeChannel);
    // They begin in a random order.
    const messages = notices.map(([, message]) => message).sort();
    expect(messages.map((message) => JSON.parse(message))).toEqual(
      users.map((username) => ({
        organization: 'acme',
        event: 'registration',
        data: {
          state: 'registered',
          registrar: stateOf(ids[0]!).registrar,
          username,
          sip_code: 200,
          last_error: null,
        },
      })),
    );
    const moments = redis.streams.get(momentStream)!.map((json) => JSON.parse(json));
    expect(moments).toMatchObject([{ kind: 'registration' }, { kind: 'registration' }]);
  });

  it('keep their state readable for an hour after the binding or the next attempt', async () => {
    await look(edge());
    const { expires_at } = stateOf(ids[0]!);
    const binding = Date.parse(expires_at!) - Date.now();
    const lifetime = redis.lifetimes.get(registrationKey(ids[0]!))!;
    expect(Math.abs(lifetime - binding - 3_600_000)).toBeLessThan(1_000);
  });

  it('keep a failed one’s state readable until an hour after the next attempt', async () => {
    await look(edge({ status: 403 }));
    const { next_attempt_at, expires_at } = stateOf(ids[0]!);
    expect(expires_at).toBeNull();
    const next = Date.parse(next_attempt_at!) - Date.now();
    expect(next).toBeGreaterThan(0);
    const lifetime = redis.lifetimes.get(registrationKey(ids[0]!))!;
    expect(Math.abs(lifetime - next - 3_600_000)).toBeLessThan(1_000);
  });

  it('go to another edge that got the lease, without a word to the registrar', async () => {
    const test = edge();
    await look(test);
    redis.strings.set(leases[0]!, 'edge-2');
    redis.strings.set(registrationKey(ids[0]!), 'of the other edge');
    await look(test);
    expect(test.registrations.size).toBe(1);
    expect(test.expiries('700')).not.toContain(0);
    expect(redis.strings.get(registrationKey(ids[0]!))).toBe('of the other edge');
  });

  it('are reported by the edge that has them now, though an answer comes later', async () => {
    const test = edge();
    test.engine.isSlow = true;
    await look(test);
    redis.strings.set(leases[0]!, 'edge-2');
    await look(test);
    redis.strings.set(registrationKey(ids[0]!), 'of the other edge');
    for (const answer of test.waiting) answer();
    await vi.advanceTimersByTimeAsync(100);
    expect(redis.strings.get(registrationKey(ids[0]!))).toBe('of the other edge');
    expect(stateOf(ids[1]!).state).toBe('registered');
  });

  it('stay while Redis is down', async () => {
    const test = edge();
    await look(test);
    redis.isDown = true;
    await look(test);
    expect(test.registrations.size).toBe(2);
  });

  it('are left to others while the engine is down', async () => {
    const test = edge();
    await look(test);
    test.engine.isUp = false;
    await look(test);
    expect(test.registrations.size).toBe(0);
    expect(leases.filter((key) => redis.strings.has(key))).toEqual([]);
    expect(test.expiries('700')).not.toContain(0);
  });
});

describe('a registration that no number wants any more', () => {
  it('is removed at the registrar and in Redis, and its lease is free', async () => {
    const test = edge();
    await look(test);
    const all = new Map(test.registrations.directory.registrations);
    all.delete(ids[0]!);
    vi.spyOn(test.registrations.directory, 'registrations', 'get').mockReturnValue(all);
    await look(test);
    expect(test.registrations.size).toBe(1);
    expect(test.expiries('700').at(-1)).toBe(0);
    expect(stateOf(ids[0]!)).toBeNull();
    expect(redis.sets.get(registrationsOfKey('acme'))).toEqual(new Set([ids[1]!]));
    expect(redis.strings.has(leases[0]!)).toBe(false);
    expect(test.expiries('701')).not.toContain(0);
  });
});

describe('a registrar that is reachable again', () => {
  const endpoint = 'tls:pbx.example.com:5061';
  const attempts = () => redis.published.filter(([channel]) => channel === registerChannel);

  it('is registered at once by whichever edge holds the registrations', async () => {
    const { registrations } = edge();
    const { registrar: name } = await firstState();
    expect(name).toBe(endpoint);
    await registrations.checked({ endpoint, status: 'healthy' });
    expect(attempts()).toEqual([]);
    await registrations.checked({ endpoint, status: 'unreachable' });
    await registrations.checked({ endpoint: 'tls:other.example.com:5061', status: 'unreachable' });
    expect(attempts()).toEqual([]);
    await registrations.checked({ endpoint, status: 'healthy' });
    expect(attempts().map(([, id]) => id)).toEqual(ids);
    await registrations.checked({ endpoint, status: 'healthy' });
    expect(attempts()).toHaveLength(2);
    await registrations.checked({ endpoint: 'tls:other.example.com:5061', status: 'healthy' });
    expect(attempts()).toHaveLength(2);
  });

  async function firstState(): Promise<RegistrationState> {
    await look(edge({ holder: 'another' }));
    const state = stateOf(ids[0]!);
    redis.published.length = 0;
    return state;
  }
});

describe('a lost connection to a registrar', () => {
  it('concerns the registrations whose REGISTERs it carried', async () => {
    const test = edge();
    await look(test);
    const callId = test.sent.find(({ user }) => user === '700')!.headers!['Call-ID']!;
    test.registrations.connectionLost(callId, 'reset by peer');
    expect(test.registrations.registered).toBe(1);
    expect(stateOf(ids[0]!).last_error).toContain('reset by peer');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(test.expiries('700')).toEqual([300, 300]);
    expect(test.expiries('701')).toEqual([300]);
  });
});

describe('an edge that stops', () => {
  it('removes its bindings at the registrars where no other edge is there', async () => {
    const test = edge();
    await look(test);
    await stop(test);
    expect(test.expiries('700').at(-1)).toBe(0);
    expect(test.expiries('701').at(-1)).toBe(0);
    expect(test.registrations.size).toBe(0);
    expect([stateOf(ids[0]!), stateOf(ids[1]!)]).toEqual([null, null]);
    expect(redis.published).toContainEqual([registrationsFreeChannel, 'e1']);
  });

  it('leaves the binding that another edge takes, and removes the other after a while', async () => {
    const test = edge();
    await look(test);
    redis.subscribers = 1;
    const stopped = test.registrations.stop();
    await vi.advanceTimersByTimeAsync(150);
    expect(leases.filter((key) => redis.strings.has(key))).toEqual([]);
    redis.strings.set(leases[0]!, 'edge-2');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(test.expiries('701')).not.toContain(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
    expect(test.expiries('700')).not.toContain(0);
    expect(test.expiries('701').at(-1)).toBe(0);
    expect(stateOf(ids[0]!)).not.toBeNull();
  });

  it('stops waiting as soon as all are taken', async () => {
    const test = edge();
    await look(test);
    redis.subscribers = 1;
    let isStopped = false;
    void test.registrations.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(50);
    for (const key of leases) redis.strings.set(key, 'edge-2');
    await vi.advanceTimersByTimeAsync(100);
    expect(isStopped).toBe(true);
    expect([...test.expiries('700'), ...test.expiries('701')]).not.toContain(0);
  });

  it('leaves the bindings where the engine is down, and waits for no edge where Redis is', async () => {
    const test = edge();
    await look(test);
    test.engine.isUp = false;
    await stop(test);
    expect(test.expiries('700')).not.toContain(0);
    redis.strings.clear();
    const successor = edge({ holder: 'edge-3' });
    await look(successor);
    redis.isDown = true;
    redis.subscribers = 1;
    await stop(successor);
    expect(successor.expiries('700').at(-1)).toBe(0);
  });

  it('takes no registration any more', async () => {
    const test = edge();
    await stop(test);
    await look(test);
    expect(test.registrations.size).toBe(0);
  });
});
