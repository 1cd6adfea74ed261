import type { Kysely, Transaction } from 'kysely';
import { explainUnreachable } from '../../contract/explanations.js';
import type { Database } from '../database/tables.js';
import {
  type HealthStatus,
  readEndpointNames,
  readTrends,
  statusOf,
  statusOfTrunk,
  type Trend,
} from '../health/index.js';
import type { Finding } from './decision.js';
import type { Watched } from './watched.js';

/** The combined health of a number's servers. */
export interface TrunkTrend {
  readonly status: HealthStatus;
  /** Since when the trunk has had that status; undefined while it is unchecked. */
  readonly since: Date | undefined;
  /** The deciding server: the first one in call order that has the trunk's status. */
  readonly decisive: Trend | undefined;
}

const minuteMilliseconds = 60_000;
/** Minimum number of probes for a meaningful average. */
const settledMilliseconds = 2 * minuteMilliseconds;
/** Hysteresis: a response time is good again this far below the threshold, so that one near it does not flap. */
const clearFraction = 0.8;

/** The trends of these numbers' trunks; inbound-only numbers are unchecked. */
export async function readTrunkTrends(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, TrunkTrend>> {
  const names = await readEndpointNames(database, numbers);
  const endpoints = [...new Set([...names.values()].flat())];
  const trends = await readTrends(database, endpoints);
  return new Map(
    [...names].map(([number, own]) => [
      number,
      together(
        own.map((name) => trends.get(name)),
        now,
      ),
    ]),
  );
}

function together(servers: readonly (Trend | undefined)[], now: Date): TrunkTrend {
  const statuses = servers.map((trend) => statusOf(trend?.check, now.getTime()));
  const status = statusOfTrunk(statuses);
  const those = servers.filter((trend, index) => trend !== undefined && statuses[index] === status);
  const times = those.map((trend) => trend!.since.getTime());
  if (status === 'unchecked' || times.length === 0) return { status, since: undefined, decisive: undefined };
  // Healthy since the first server recovered, unreachable since the last server failed.
  const since = new Date(status === 'healthy' ? Math.min(...times) : Math.max(...times));
  return { status, since, decisive: those[0] };
}

/** Whether all servers of the trunk have been unreachable for longer than the threshold, in minutes. */
export function unreachableFinding(
  { threshold }: Watched,
  trend: TrunkTrend | undefined,
  now: Date,
): Finding {
  if (trend?.since === undefined || trend.decisive === undefined) return { condition: 'unknown' };
  if (trend.status === 'healthy') return { condition: 'good', since: trend.since };
  const minutes = (now.getTime() - trend.since.getTime()) / minuteMilliseconds;
  if (minutes < threshold) return { condition: 'between' };
  const { endpoint, reason, detail } = trend.decisive.check;
  const explained = reason === null ? undefined : explainUnreachable(reason);
  return {
    condition: 'bad',
    since: trend.since,
    measured: Math.floor(minutes),
    summary: `No server of the trunk has been reachable for ${durationText(minutes)}. Demarc keeps probing ${endpoint} with OPTIONS.`,
    why: {
      cause: [explained?.cause ?? 'The server is unreachable.', detail && sentence(detail)]
        .filter(Boolean)
        .join(' '),
      advice: explained?.advice ?? 'Check the health of the trunk.',
    },
  };
}

/** Ends the text before the advice with a full stop. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Whether the trunk answers OPTIONS too slowly; the threshold is in milliseconds. */
export function responseFinding({ threshold }: Watched, trend: TrunkTrend | undefined, now: Date): Finding {
  const average = trend?.decisive?.responseAverage ?? null;
  if (trend?.status !== 'healthy' || trend.decisive === undefined || average === null)
    return { condition: 'unknown' };
  const { since, check } = trend.decisive;
  if (now.getTime() - since.getTime() < settledMilliseconds) return { condition: 'between' };
  if (average <= threshold * clearFraction) return { condition: 'good', since: undefined };
  if (average < threshold) return { condition: 'between' };
  const rounded = Math.round(average);
  return {
    condition: 'bad',
    since: now,
    measured: rounded,
    summary: `${check.endpoint} takes ${rounded} ms on average to answer OPTIONS; the threshold is ${threshold} ms.`,
    why: {
      cause: 'The server is overloaded, or the network is slow or loses packets.',
      advice: 'Check the load of the PBX and the network to it; callers wait this long for the first ring.',
    },
  };
}

/** `7 minutes`, `3 hours 20 minutes`. */
export function durationText(minutes: number): string {
  const whole = Math.max(1, Math.floor(minutes));
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  const part = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (hours === 0) return part(whole, 'minute');
  return rest === 0 ? part(hours, 'hour') : `${part(hours, 'hour')} ${part(rest, 'minute')}`;
}
