import { leastMos, noticedJitterMilliseconds, noticedLossPercent } from '../../contract/audio-defect.js';
import type { QualitySource, SampleRow } from '../../contract/quality.js';
import { mosOf } from '../media/e-model.js';
import type { NgReply } from '../media/ng-client.js';
import {
  isConverted,
  type MediaSide,
  type Missed,
  otherSide,
  readReports,
  readRtpPackets,
  type SideCodecs,
} from '../media/rtp-statistics.js';

/** What rtpengine knew of one direction at one moment; totals since the session's begin. */
interface DirectionReading {
  /** RTP packets received from the side. */
  readonly packets: number;
  /** As the other end reported; undefined: it did not. */
  readonly lost: number | undefined;
  readonly jitter: number | undefined;
  /** Between rtpengine and the side, milliseconds. */
  readonly roundTrip: number | undefined;
  /** Unix seconds of the report that the last two come from. */
  readonly reportedAt: number | undefined;
  /** Loss within the time of each report, whole percent rounded down, oldest first. */
  readonly reports: readonly { readonly at: number; readonly lossPercent: number }[];
  /** The same of the side's own report, for the round trip. */
  readonly roundTripAt: number | undefined;
  /** By rtpengine, before it passed the stream on. */
  readonly missed: Missed | undefined;
}

export interface QualityReading {
  /** rtpengine's call-id: totals of another session start at zero. */
  readonly session: string;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly sides: Readonly<Record<MediaSide, DirectionReading>>;
}

/** Undefined: rtpengine does not know both sides. */
export function readQuality(
  reply: NgReply,
  session: string,
  at: number,
  missed: (side: MediaSide) => Missed | undefined = () => undefined,
): QualityReading | undefined {
  const side = (name: MediaSide): DirectionReading | undefined => {
    const packets = readRtpPackets(reply, name);
    if (packets === undefined) return undefined;
    const heard = readReports(reply, otherSide(name));
    const own = readReports(reply, name);
    return {
      packets,
      lost: heard?.lost,
      jitter: heard?.jitter,
      reportedAt: heard?.at,
      reports: heard?.losses ?? [],
      roundTrip: own?.roundTrip,
      roundTripAt: own?.at,
      missed: missed(name),
    };
  };
  const [trunk, agent] = [side('trunk'), side('agent')];
  return trunk === undefined || agent === undefined ? undefined : { session, at, sides: { trunk, agent } };
}

/** Quality of one direction within an interval; undefined: not reported within it. */
export interface IntervalQuality {
  readonly packetsPerSecond: number;
  readonly lossPercent: number | undefined;
  readonly jitter: number | undefined;
  readonly roundTrip: number | undefined;
  readonly mos: number | undefined;
  /** Of loss and MOS. */
  readonly source: QualitySource | undefined;
}

/** What happened between two readings. Undefined: they are of different sessions, or of the same moment. */
export function qualityBetween(
  before: QualityReading,
  now: QualityReading,
  codecs: SideCodecs,
): Readonly<Record<MediaSide, IntervalQuality>> | undefined {
  const seconds = (now.at - before.at) / 1_000;
  if (before.session !== now.session || seconds < 0.5) return undefined;
  const trips = (['trunk', 'agent'] as const).map((name) => now.sides[name].roundTrip ?? 0);
  const wayMilliseconds = trips.reduce((sum, trip) => sum + trip, 0) / 2;
  const side = (name: MediaSide): IntervalQuality => {
    const [earlier, later] = [before.sides[name], now.sides[name]];
    const packets = Math.max(0, later.packets - earlier.packets);
    const isReported = later.reportedAt !== undefined && later.reportedAt !== earlier.reportedAt;
    const jitter = isReported ? later.jitter : undefined;
    const reported = isReported ? lossOf(earlier, later) : undefined;
    const missed = missedBetween(earlier.missed, later.missed);
    // Between two reports of a side that sends some, nothing is known.
    const unreported = later.reportedAt === undefined ? missed : undefined;
    const lossPercent =
      reported === undefined
        ? unreported?.lossPercent
        : isConverted(codecs) && missed?.source === 'sequence'
          ? 100 - ((100 - reported) * (100 - missed.lossPercent)) / 100
          : reported;
    const isTripNew = later.roundTripAt !== undefined && later.roundTripAt !== earlier.roundTripAt;
    return {
      packetsPerSecond: packets / seconds,
      lossPercent,
      jitter,
      roundTrip: isTripNew ? later.roundTrip : undefined,
      source: reported === undefined ? unreported?.source : 'rtcp',
      mos:
        lossPercent === undefined
          ? undefined
          : mosOf({
              codec: codecs[name],
              lossPercent,
              // A jitter buffer of twice the jitter.
              delayMilliseconds: wayMilliseconds + 2 * (jitter ?? 0),
            }),
    };
  };
  return { trunk: side('trunk'), agent: side('agent') };
}

/** Undefined: unknown, or nothing was to come. */
function missedBetween(
  before: Missed | undefined,
  now: Missed | undefined,
): { readonly lossPercent: number; readonly source: Missed['source'] } | undefined {
  if (now === undefined) return undefined;
  const expected = now.expected - (before?.expected ?? 0);
  const lost = Math.max(0, now.lost - (before?.lost ?? 0));
  return expected <= 0
    ? undefined
    : { lossPercent: Math.min(100, (lost / expected) * 100), source: now.source };
}

/**
 * Reports do not come at the ends of the interval: their own share of loss is exact but in whole percent, and the totals only show
 * where within that percent it is.
 */
function lossOf(before: DirectionReading, now: DirectionReading): number | undefined {
  if (now.lost === undefined) return undefined;
  // The first report: its total is since the begin.
  const since = before.lost === undefined ? { lost: 0, packets: 0 } : { ...before, lost: before.lost };
  const lost = Math.max(0, now.lost - since.lost);
  const packets = Math.max(0, now.packets - since.packets);
  if (lost + packets === 0) return undefined;
  const share = (lost / (lost + packets)) * 100;
  const reported = now.reports
    .filter(({ at }) => at > (before.reportedAt ?? 0))
    .map(({ lossPercent }) => lossPercent);
  if (reported.length === 0) return share;
  const whole = reported.reduce((sum, each) => sum + each, 0) / reported.length;
  return Math.min(Math.max(share, whole), whole + 1);
}

/** @param isTalking neither on hold nor one-way by agreement: a side that sends nothing is a defect */
export function isBad(
  { packetsPerSecond, lossPercent, jitter, mos }: IntervalQuality,
  isTalking: boolean,
): boolean {
  return (
    (isTalking && packetsPerSecond === 0) ||
    (lossPercent ?? 0) >= noticedLossPercent ||
    (jitter ?? 0) >= noticedJitterMilliseconds ||
    (mos ?? leastMos) < leastMos
  );
}

/** @param seconds from the call's begin to the end of the interval */
export function rowOf(seconds: number, quality: IntervalQuality): SampleRow {
  const row: SampleRow = [
    Math.round(seconds),
    rounded(quality.packetsPerSecond),
    rounded(quality.lossPercent),
    rounded(quality.jitter),
    rounded(quality.roundTrip),
    quality.mos ?? null,
  ];
  if (quality.source !== undefined) row[6] = quality.source;
  return row;
}

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 10) / 10;
