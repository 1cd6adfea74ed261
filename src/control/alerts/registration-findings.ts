import { isRedisDown, type Redis } from '../../base/redis.js';
import { explainSipStatus } from '../../contract/explanations.js';
import type { NumberDocument } from '../../contract/number.js';
import { type RegistrationState, registrationsOf } from '../../contract/registration.js';
import { RegistrationStates } from '../health/index.js';
import type { Finding } from './decision.js';
import { durationText } from './trunk-findings.js';
import type { Watched } from './watched.js';

/** The combined state of a number's registrations at the customer's PBX: one active registration is enough for calls. */
export type RegistrationTrend =
  | { readonly status: 'registered'; readonly since: Date }
  | { readonly status: 'lost'; readonly since: Date; readonly state: RegistrationState };

const minuteMilliseconds = 60_000;
/** An edge reports every attempt; an attempt overdue by more than this was not made and says nothing about the PBX. */
const lateMilliseconds = 60_000;
const rememberedSeconds = 7 * 86_400;

/** Since when a number's registrations have been lost. The edge's own `since` restarts with every attempt. */
const lostKey = (number: string): string => `demarc:registration-lost:${number}`;

/** The registration states that edges report, and since when; empty while Redis is down. */
export class RegistrationTrends {
  private readonly states: RegistrationStates;

  constructor(private readonly redis: Redis) {
    this.states = new RegistrationStates(redis);
  }

  /** By number; numbers without registrations or without known state are absent. */
  async read(
    documents: ReadonlyMap<string, NumberDocument>,
    now: Date,
  ): Promise<ReadonlyMap<string, RegistrationTrend>> {
    const trends = new Map<string, RegistrationTrend>();
    try {
      const wanted = [...documents].map(
        ([number, document]) => [number, registrationsOf(document).map(({ id }) => id)] as const,
      );
      const states = await this.states.read([...new Set(wanted.flatMap(([, ids]) => ids))]);
      for (const [number, ids] of wanted) {
        const own = ids.map((id) => states.get(id)).filter((state) => state !== undefined);
        const trend = await this.trendOf(number, own, now);
        if (trend !== undefined) trends.set(number, trend);
      }
    } catch (error) {
      if (!isRedisDown(error)) throw error;
    }
    return trends;
  }

  private async trendOf(
    number: string,
    states: readonly RegistrationState[],
    now: Date,
  ): Promise<RegistrationTrend | undefined> {
    const current = states.filter((state) => isCurrent(state, now));
    const standing = current.find(({ state }) => state === 'registered');
    if (standing !== undefined) {
      await this.redis.del(lostKey(number));
      return { status: 'registered', since: new Date(standing.since) };
    }
    const [state] = current;
    if (state === undefined) return undefined;
    await this.redis.set(lostKey(number), now.toISOString(), 'EX', rememberedSeconds, 'NX');
    const since = await this.redis.get(lostKey(number));
    return { status: 'lost', since: since === null ? now : new Date(since), state };
  }
}

function isCurrent({ next_attempt_at, expires_at, state }: RegistrationState, now: Date): boolean {
  if (state === 'registered' && expires_at !== null && Date.parse(expires_at) < now.getTime()) return false;
  return next_attempt_at === null || now.getTime() - Date.parse(next_attempt_at) < lateMilliseconds;
}

/** Whether the number's registrations have been lost for longer than the threshold, in minutes. */
export function registrationFinding(
  { threshold }: Watched,
  trend: RegistrationTrend | undefined,
  now: Date,
): Finding {
  if (trend === undefined) return { condition: 'unknown' };
  if (trend.status === 'registered') return { condition: 'good', since: trend.since };
  const minutes = (now.getTime() - trend.since.getTime()) / minuteMilliseconds;
  if (minutes < threshold) return { condition: 'between' };
  const { registrar, username, sip_code, last_error } = trend.state;
  const explained = sip_code === null ? undefined : explainSipStatus(sip_code);
  const cause = explained?.cause ?? 'The PBX was unreachable or did not answer.';
  return {
    condition: 'bad',
    since: trend.since,
    measured: Math.floor(minutes),
    summary: `${username} has not been registered with ${registrar} for ${durationText(minutes)}: the PBX sends no calls.`,
    why: {
      cause: last_error === null ? cause : `${cause} ${last_error}`,
      advice:
        explained?.advice ??
        'Check that the PBX is running, its address and port, and that its firewall allows Demarc.',
    },
  };
}
