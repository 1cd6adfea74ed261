import type { RtpSide } from '../../contract/call-record.js';
import type { NgReply } from './ng-client.js';

/** The two sides of a call's media; also rtpengine's tags for them. */
export type MediaSide = 'trunk' | 'agent';

export const otherSide = (side: MediaSide): MediaSide => (side === 'trunk' ? 'agent' : 'trunk');

interface Stream {
  readonly flags?: readonly string[];
  readonly stats?: { readonly packets?: number; readonly bytes?: number; readonly errors?: number };
}

interface Tag {
  readonly medias?: readonly { readonly streams?: readonly Stream[] }[];
}

interface Quality {
  readonly MOS?: number;
  readonly jitter?: number;
  readonly 'packet loss'?: number;
  readonly 'round-trip time'?: number;
}

interface SsrcReport {
  readonly 'average MOS'?: Quality;
  readonly 'highest MOS'?: Quality;
  readonly packets?: number;
}

/** What rtpengine counted, per side; null where it knows nothing of the side. */
export interface MediaStatistics {
  readonly trunk: RtpSide | null;
  readonly agent: RtpSide | null;
}

/**
 * Reads a `query` or `delete` reply. rtpengine 10 counts what it received on each side; what it sent to a side is what it
 * received from the other one, except for packets that failed decryption there. Loss, jitter and MOS exist only when
 * the endpoints send RTCP reports.
 */
export function readStatistics(reply: NgReply): MediaStatistics {
  const tags = tagsOf(reply);
  const trunk = received(tags?.trunk);
  const agent = received(tags?.agent);
  const quality = averageQuality(reply.SSRC as Record<string, SsrcReport> | undefined);
  return {
    trunk: trunk === undefined ? null : side(trunk, agent, quality),
    agent: agent === undefined ? null : side(agent, trunk, undefined),
  };
}

/** What several media sessions of one call counted together; quality is the last one's that knows it. */
export function sumOfStatistics(all: readonly (MediaStatistics | undefined)[]): MediaStatistics | undefined {
  const known = all.filter((one) => one !== undefined);
  if (known.length <= 1) return known[0];
  const sum = (of: MediaSide): RtpSide | null =>
    known
      .map((one) => one[of])
      .reduce((before, one) => (before && one ? added(before, one) : (one ?? before)));
  return { trunk: sum('trunk'), agent: sum('agent') };
}

const added = (one: RtpSide, other: RtpSide): RtpSide => ({
  ...one,
  ...other,
  packets_received: one.packets_received + other.packets_received,
  packets_sent: one.packets_sent + other.packets_sent,
  octets_received: one.octets_received + other.octets_received,
  octets_sent: one.octets_sent + other.octets_sent,
  errors: one.errors + other.errors,
});

/** RTP and RTCP packets received from a side so far; undefined: rtpengine knows nothing of the side. */
export function packetsFrom(reply: NgReply, of: MediaSide): number | undefined {
  const streams = tagsOf(reply)?.[of]?.medias?.flatMap((media) => media.streams ?? []);
  return streams?.reduce((sum, { stats }) => sum + (stats?.packets ?? 0), 0);
}

const tagsOf = (reply: NgReply): Partial<Record<MediaSide, Tag>> | undefined =>
  reply.tags as Record<MediaSide, Tag>;

interface Received {
  packets: number;
  octets: number;
  errors: number;
}

function received(tag: Tag | undefined): Received | undefined {
  if (tag?.medias === undefined) return undefined;
  const sum: Received = { packets: 0, octets: 0, errors: 0 };
  for (const { streams } of tag.medias) {
    for (const { flags, stats } of streams ?? []) {
      if (flags?.includes('RTP') !== true || stats === undefined) continue;
      sum.packets += stats.packets ?? 0;
      sum.octets += stats.bytes ?? 0;
      sum.errors += stats.errors ?? 0;
    }
  }
  return sum;
}

function side(own: Received, other: Received | undefined, quality: Partial<RtpSide> | undefined): RtpSide {
  return {
    packets_received: own.packets,
    packets_sent: Math.max(0, (other?.packets ?? 0) - (other?.errors ?? 0)),
    octets_received: own.octets,
    octets_sent: other?.octets ?? 0,
    errors: own.errors,
    ...quality,
  };
}

/** The mean over the SSRCs that were reported on; rtpengine's MOS is tenfold, its round trip in microseconds. */
function averageQuality(reports: Record<string, SsrcReport> | undefined): Partial<RtpSide> | undefined {
  const known = Object.values(reports ?? {}).flatMap((report) => report['average MOS'] ?? []);
  if (known.length === 0) return undefined;
  const mean = (of: (one: Quality) => number | undefined): number | undefined => {
    const values = known.map(of).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const mos = mean((one) => one.MOS);
  const jitter = mean((one) => one.jitter);
  const roundTrip = mean((one) => one['round-trip time']);
  return {
    ...(mos === undefined ? {} : { mos: Math.round(mos) / 10 }),
    ...(jitter === undefined ? {} : { jitter_milliseconds: jitter }),
    ...(roundTrip === undefined ? {} : { round_trip_milliseconds: Math.round(roundTrip) / 1_000 }),
  };
}
