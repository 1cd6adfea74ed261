import { beforeEach, describe, expect, it } from 'vitest';
import {
  type RegistrationState,
  registrationId,
  registrationKey,
} from '../../../../src/contract/registration.js';
import {
  type RegistrationTrend,
  RegistrationTrends,
  registrationFinding,
} from '../../../../src/control/alerts/registration-findings.js';
import type { Watched } from '../../../../src/control/alerts/watched.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { numberDocument, secrets } from '../../edge/admission/request.js';

const number = '14155550100';
const registrar = { host: 'pbx.example.com', port: 5061, transport: 'tls' as const };
const users = ['700', '701'];
const now = new Date('2026-11-27T09:00:00.000Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

const document = numberDocument({
  number,
  inbound: users.map((username) => ({
    id: `in-${username}`,
    registration: { ...registrar, username, password: secrets.seal('right') },
  })),
});

let redis: MemoryRedis;
beforeEach(() => {
  redis = new MemoryRedis();
});

/** As an edge reported the state of one user's registration. */
function report(username: string, fields: Partial<RegistrationState>): void {
  const registration = registrationId('acme', registrar, username);
  const state: RegistrationState = {
    version: 1,
    registration,
    organization: 'acme',
    registrar: 'tls:pbx.example.com:5061',
    username,
    edge_id: 'e1',
    state: 'failed',
    since: now.toISOString(),
    attempted_at: now.toISOString(),
    expires_at: null,
    next_attempt_at: later(10).toISOString(),
    sip_code: 403,
    last_error: null,
    contact: null,
    address: null,
    ...fields,
  };
  redis.strings.set(registrationKey(registration), JSON.stringify(state));
}

async function trend(at = now): Promise<RegistrationTrend | undefined> {
  return (await new RegistrationTrends(redis.asRedis).read(new Map([[number, document]]), at)).get(number);
}

describe('the registrations of a number', () => {
  it('are unknown while no edge reports any, or Redis is down', async () => {
    expect(await trend()).toBeUndefined();
    report('700', {});
    redis.isDown = true;
    expect(await trend()).toBeUndefined();
  });

  it('stand as long as one of them does', async () => {
    report('700', {});
    report('701', { state: 'registered', expires_at: later(5).toISOString() });
    expect(await trend()).toEqual({ status: 'registered', since: now });
  });

  it('are lost since the first look that found none, until one stands again', async () => {
    report('700', {});
    expect(await trend()).toMatchObject({ status: 'lost', since: now });
    expect(await trend(later(3))).toMatchObject({ status: 'lost', since: now });
    report('700', { state: 'registered', expires_at: later(60).toISOString() });
    expect(await trend(later(4))).toMatchObject({ status: 'registered' });
    report('700', {});
    expect(await trend(later(5))).toMatchObject({ status: 'lost', since: later(5) });
  });

  it('are not judged by a binding that has expired', async () => {
    report('700', { state: 'registered', expires_at: later(5).toISOString() });
    expect(await trend(later(5))).toMatchObject({ status: 'registered' });
    expect(await trend(new Date(later(5).getTime() + 1))).toBeUndefined();
  });

  it('are unknown when the edge is a minute late with its next attempt', async () => {
    report('700', { next_attempt_at: later(1).toISOString() });
    expect(await trend(new Date(later(2).getTime() - 1))).toMatchObject({ status: 'lost' });
    expect(await trend(later(2))).toBeUndefined();
    report('700', { next_attempt_at: null });
    expect(await trend(later(2))).toMatchObject({ status: 'lost' });
  });
});

describe('the finding about registrations', () => {
  const watched = { threshold: 5 } as Watched;
  async function lost(fields: Partial<RegistrationState> = {}): Promise<RegistrationTrend> {
    report('700', fields);
    return (await trend())!;
  }

  it('is unknown or good as the trend is', () => {
    expect(registrationFinding(watched, undefined, now)).toEqual({ condition: 'unknown' });
    const standing = { status: 'registered', since: now } as const;
    expect(registrationFinding(watched, standing, later(60))).toEqual({ condition: 'good', since: now });
  });

  it('is bad from its threshold on', async () => {
    const trend = await lost();
    expect(registrationFinding(watched, trend, new Date(later(5).getTime() - 1))).toEqual({
      condition: 'between',
    });
    expect(registrationFinding(watched, trend, later(5))).toMatchObject({
      condition: 'bad',
      since: now,
      measured: 5,
      summary: expect.stringContaining('700 has not been registered with tls:pbx.example.com:5061'),
    });
  });

  it('says what the PBX answered, or that it did not', async () => {
    const why = (trend: RegistrationTrend) => {
      const finding = registrationFinding(watched, trend, later(60));
      return finding.condition === 'bad' ? finding.why : undefined;
    };
    const refused = why(await lost({ sip_code: 403 }))!;
    const silent = why(await lost({ sip_code: null }))!;
    expect(silent.cause).toBe('The PBX was unreachable or did not answer.');
    expect(silent.advice).toContain('firewall');
    expect(refused.cause).not.toBe(silent.cause);
    expect(refused.advice).not.toBe(silent.advice);
    expect(why(await lost({ sip_code: null, last_error: 'Timed out.' }))!.cause).toBe(
      'The PBX was unreachable or did not answer. Timed out.',
    );
  });
});
