import type { CallRecord, QualitySample } from '../../../contract/call-record.js';
import type { QualitySource, SampleRow } from '../../../contract/quality.js';
import type { Turns } from '../../../contract/turns.js';

/** One interval of one direction, or one RTCP report of the other end about it. Null: not known. */
export interface MediaSample {
  readonly at: string;
  readonly is_sampled: boolean;
  readonly packets_per_second: number | null;
  readonly loss_percent: number | null;
  readonly jitter_milliseconds: number | null;
  readonly round_trip_milliseconds: number | null;
  readonly mos: number | null;
  /** Of loss and MOS. */
  readonly quality_source: QualitySource | null;
}

interface QualityOverTime {
  readonly every_seconds: number | null;
  readonly trunk: MediaSample[];
  readonly agent: MediaSample[];
}

/** The edge's samples, and RTCP reports for the time without any. Null: neither is known. */
export function qualityOf(
  media: NonNullable<CallRecord['media']>,
  startedAt: string,
): QualityOverTime | null {
  const { samples } = media;
  const seconds = samples?.every_seconds ?? null;
  const start = Date.parse(startedAt);
  const side = (name: 'trunk' | 'agent'): MediaSample[] => {
    const sampled = (samples?.[name] ?? []).map((row) => sampleOf(row, start));
    const ends = sampled.map(({ at }) => Date.parse(at));
    const interval = (seconds ?? 0) * 1_000;
    // Within a sampled interval the sample says more.
    const isCovered = (at: number): boolean =>
      ends.some((end) => at > end - 2 * interval && at <= end + interval);
    const reports = (media[name]?.progression ?? []).filter(({ at }) => !isCovered(at * 1_000)).map(reportOf);
    return [...sampled, ...reports].sort((left, right) => (left.at < right.at ? -1 : 1));
  };
  const [trunk, agent] = [side('trunk'), side('agent')];
  return trunk.length === 0 && agent.length === 0 ? null : { every_seconds: seconds, trunk, agent };
}

const sampleOf = (
  [at, packets, loss, jitter, roundTrip, mos, source]: SampleRow,
  start: number,
): MediaSample => ({
  at: new Date(start + at * 1_000).toISOString(),
  is_sampled: true,
  packets_per_second: packets,
  loss_percent: loss,
  jitter_milliseconds: jitter,
  round_trip_milliseconds: roundTrip,
  mos,
  // Of earlier edges, whose only source was RTCP.
  quality_source: source ?? (loss === null ? null : 'rtcp'),
});

const reportOf = ({ at, mos, jitter_milliseconds, loss_percent }: QualitySample): MediaSample => ({
  at: new Date(at * 1_000).toISOString(),
  is_sampled: false,
  packets_per_second: null,
  loss_percent: loss_percent ?? null,
  jitter_milliseconds: jitter_milliseconds ?? null,
  round_trip_milliseconds: null,
  mos: mos ?? null,
  quality_source: loss_percent === undefined ? null : 'rtcp',
});

/** Replies with the moment instead of the seconds since the begin. */
export const turnsOf = ({ replies, ...turns }: Turns, startedAt: string) => ({
  ...turns,
  replies: replies.map(([at, milliseconds]) => ({
    at: new Date(Date.parse(startedAt) + at * 1_000).toISOString(),
    milliseconds,
  })),
});
