import { mostQualitySamples, type QualitySample, type RtpSide } from '../../contract/call-record.js';
import type { QualitySource } from '../../contract/quality.js';
import { mosOf } from './e-model.js';
import type { NgReply } from './ng-client.js';

/** The two sides of a call's media; also rtpengine's tags for them. */
export type MediaSide = 'trunk' | 'agent';

/** What rtpengine missed of a side's packets so far. */
export interface Missed {
  readonly lost: number;
  /** Those that came, and those that did not. */
  readonly expected: number;
  readonly source: Exclude<QualitySource, 'rtcp'>;
}

export const otherSide = (side: MediaSide): MediaSide => (side === 'trunk' ? 'agent' : 'trunk');

interface Stream {
  readonly flags?: readonly string[];
  /** Of the last packet. */
  readonly SSRC?: number;
  readonly stats?: { readonly packets?: number; readonly bytes?: number; readonly errors?: number };
}

/** A source that rtpengine received packets from; from 26 on. */
interface Source {
  readonly SSRC?: number;
  /** With the times that it has wrapped. */
  readonly 'last RTP seq'?: number;
}

interface Media {
  readonly streams?: readonly Stream[];
  readonly 'ingress SSRCs'?: readonly Source[];
}

interface Tag {
  readonly medias?: readonly Media[];
}

interface Quality {
  /** Milliseconds. */
  readonly jitter?: number;
  /** Microseconds between rtpengine and the reporter; 0: unknown. */
  readonly 'round-trip time leg'?: number;
  /** Percent since the report before. */
  readonly 'packet loss'?: number;
  /** Unix seconds. */
  readonly 'reported at'?: number;
}

/** What a source reported by RTCP about the stream that it received. */
interface SourceReports {
  readonly 'cumulative loss'?: number;
  /** Means of all reports. */
  readonly 'average MOS'?: Quality;
  readonly 'MOS progression'?: { readonly entries?: readonly Quality[] };
}

/** rtpengine's counters per side; null where it does not know the side. */
export interface MediaStatistics {
  readonly trunk: RtpSide | null;
  readonly agent: RtpSide | null;
}

/** Codecs of both sides' streams; null: none agreed. */
export type SideCodecs = Readonly<Record<MediaSide, string | null>>;

/**
 * Reads a `query` or `delete` reply. rtpengine counts the packets accepted from each side; the packets sent to a side are
 * those accepted from the other one. Loss and jitter of a side's stream come from
 * the other side's RTCP reports, end to end, and its MOS follows from them; the round trip is measured between rtpengine and the
 * side. Without reports, loss is what rtpengine itself missed.
 * @param missed of a side's packets, by rtpengine
 */
export function readStatistics(
  reply: NgReply,
  codecs?: SideCodecs,
  missed: (side: MediaSide) => Missed | undefined = () => undefined,
): MediaStatistics {
  const tags = tagsOf(reply);
  const counts = { trunk: received(tags?.trunk), agent: received(tags?.agent) };
  const reports = { trunk: reportsOf(reply, tags?.trunk), agent: reportsOf(reply, tags?.agent) };
  const trips = { trunk: roundTrip(reports.trunk), agent: roundTrip(reports.agent) };
  const wayMilliseconds = ((trips.trunk ?? 0) + (trips.agent ?? 0)) / 2;
  const read = (name: MediaSide): RtpSide | null => {
    const [own, far] = [counts[name], counts[otherSide(name)]];
    if (own === undefined) return null;
    const trip = trips[name];
    return side(own, far, {
      ...heard(reports[otherSide(name)], own.packets, {
        codec: codecs?.[name],
        wayMilliseconds,
        missed: missed(name),
        isConverted: isConverted(codecs),
      }),
      ...(trip === undefined ? {} : { round_trip_milliseconds: trip }),
    });
  };
  return { trunk: read('trunk'), agent: read('agent') };
}

/** True: rtpengine converts the codec, so that reports of the other end are about a stream that begins at rtpengine. */
export const isConverted = (codecs: SideCodecs | undefined): boolean => codecs?.trunk !== codecs?.agent;

/** A side's RTP so far: packets that it sent, its source, and the last sequence number where rtpengine gives it (26). */
export function readStream(
  reply: NgReply,
  of: MediaSide,
):
  | { readonly packets: number; readonly source: number | undefined; readonly sequence: number | undefined }
  | undefined {
  const media = tagsOf(reply)?.[of]?.medias?.[0];
  const stream = media?.streams?.find(({ flags }) => flags?.includes('RTP') === true);
  if (media === undefined || stream?.stats === undefined) return undefined;
  const { packets = 0 } = stream.stats;
  const source = media['ingress SSRCs']?.find(({ SSRC }) => SSRC === stream.SSRC);
  return { packets, source: stream.SSRC, sequence: source?.['last RTP seq'] };
}

/** RTP packets received from a side so far; undefined: rtpengine does not know the side. */
export const readRtpPackets = (reply: NgReply, of: MediaSide): number | undefined =>
  received(tagsOf(reply)?.[of])?.packets;

/** What a side last reported. */
export interface SideReport {
  /** Packets of the other side's stream that it did not receive, since the begin. */
  readonly lost: number | undefined;
  /** Of the other side's stream, milliseconds. */
  readonly jitter: number | undefined;
  /** Between rtpengine and the side, milliseconds. */
  readonly roundTrip: number | undefined;
  /** Unix seconds. */
  readonly at: number | undefined;
  /** Loss since the report before, whole percent rounded down; all reports that rtpengine tells of, oldest first. */
  readonly losses: readonly { readonly at: number; readonly lossPercent: number }[];
}

/** The last report of a side; undefined: it has sent none that rtpengine reads. */
export function readReports(reply: NgReply, from: MediaSide): SideReport | undefined {
  const reports = reportsOf(reply, tagsOf(reply)?.[from]);
  if (reports === undefined) return undefined;
  const entries = reports['MOS progression']?.entries ?? [];
  const last = entries.at(-1);
  const trip = last?.['round-trip time leg'] ?? 0;
  return {
    lost: lostOf(reports),
    jitter: last?.jitter,
    roundTrip: trip === 0 ? undefined : trip / 1_000,
    at: last?.['reported at'],
    losses: entries.flatMap(({ 'reported at': at, 'packet loss': lossPercent }) =>
      at === undefined || lossPercent === undefined ? [] : [{ at, lossPercent }],
    ),
  };
}

/** Sum over several media sessions of one call; quality is that of the last session with a value. */
export function sumOfStatistics(all: readonly (MediaStatistics | undefined)[]): MediaStatistics | undefined {
  const present = all.filter((each) => each !== undefined);
  if (present.length <= 1) return present[0];
  const sum = (of: MediaSide): RtpSide | null =>
    present
      .map((each) => each[of])
      .reduce((before, next) => (before && next ? added(before, next) : (next ?? before)));
  return { trunk: sum('trunk'), agent: sum('agent') };
}

const added = (first: RtpSide, second: RtpSide): RtpSide => ({
  ...first,
  ...second,
  packets_received: first.packets_received + second.packets_received,
  packets_sent: first.packets_sent + second.packets_sent,
  octets_received: first.octets_received + second.octets_received,
  octets_sent: first.octets_sent + second.octets_sent,
  errors: first.errors + second.errors,
  ...(first.packets_lost === undefined || second.packets_lost === undefined
    ? {}
    : { packets_lost: first.packets_lost + second.packets_lost }),
  ...(first.progression === undefined || second.progression === undefined
    ? {}
    : { progression: [...first.progression, ...second.progression].slice(-mostQualitySamples) }),
});

/** RTP and RTCP packets accepted from a side so far; undefined: rtpengine does not know the side. */
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

function side(own: Received, far: Received | undefined, quality: Partial<RtpSide>): RtpSide {
  return {
    packets_received: own.packets,
    packets_sent: far?.packets ?? 0,
    octets_received: own.octets,
    octets_sent: far?.octets ?? 0,
    errors: own.errors,
    ...quality,
  };
}

/** The last source of a side whose reports rtpengine has read; undefined: there is none. */
function reportsOf(reply: NgReply, tag: Tag | undefined): SourceReports | undefined {
  const all = reply.SSRC as Record<string, SourceReports> | undefined;
  const sources = tag?.medias?.flatMap(({ streams }) => streams ?? []).map(({ SSRC }) => all?.[String(SSRC)]);
  return sources?.find((each) => each !== undefined);
}

/** Larger values are negative 24-bit numbers, which rtpengine misreads: more packets arrived than were sent. */
const mostLost = 2 ** 23;

function lostOf({ 'cumulative loss': lost }: SourceReports): number | undefined {
  return lost === undefined || lost < mostLost ? lost : 0;
}

/** What the E-model needs besides loss and jitter. */
interface Way {
  readonly codec: string | null | undefined;
  /** From end to end. */
  readonly wayMilliseconds: number;
  /** By rtpengine, before it passed the stream on. */
  readonly missed: Missed | undefined;
  readonly isConverted: boolean;
}

/** @param packets received of the stream that the reports are about */
function heard(reports: SourceReports | undefined, packets: number, way: Way): Partial<RtpSide> {
  const entries = reports?.['MOS progression']?.entries ?? [];
  const jitter = reports?.['average MOS']?.jitter ?? mean(entries.map((entry) => entry.jitter));
  const reported = reports === undefined ? undefined : lostOf(reports);
  if (reported === undefined && way.missed !== undefined)
    return { ...byMissed(way.missed, way), ...(jitter === undefined ? {} : { jitter_milliseconds: jitter }) };
  // The reports of a converted stream begin at rtpengine, which puts noise in the place of what it missed.
  const lost = reported === undefined ? undefined : reported + (way.isConverted ? lostUnseen(way.missed) : 0);
  const isReported = lost !== undefined && jitter !== undefined && packets > 0;
  return {
    ...(lost === undefined ? {} : { packets_lost: lost, quality_source: 'rtcp' as const }),
    ...(jitter === undefined ? {} : { jitter_milliseconds: jitter }),
    ...(isReported ? { mos: scoreOf((lost / (lost + packets)) * 100, jitter, way) } : {}),
    ...progressionOf(entries, way),
  };
}

const byMissed = ({ lost, expected, source }: Missed, { codec, wayMilliseconds }: Way): Partial<RtpSide> => ({
  packets_lost: lost,
  quality_source: source,
  ...(expected === 0
    ? {}
    : { mos: mosOf({ codec, lossPercent: (lost / expected) * 100, delayMilliseconds: wayMilliseconds }) }),
});

/** An estimate (10.5) is not added: what 10.5 converts skips the sequence numbers that it missed, so the reports have it. */
export const lostUnseen = (missed: Missed | undefined): number =>
  missed?.source === 'sequence' ? missed.lost : 0;

/** With a jitter buffer of twice the jitter. */
const scoreOf = (lossPercent: number, jitter: number, { codec, wayMilliseconds }: Way): number =>
  mosOf({ codec, lossPercent, delayMilliseconds: wayMilliseconds + 2 * jitter });

/** rtpengine keeps about ten reports of a call, a tenth of its length apart. */
function progressionOf(entries: readonly Quality[], way: Way): Pick<RtpSide, 'progression'> {
  const samples = entries.flatMap((entry): QualitySample[] => {
    const { jitter, 'packet loss': loss, 'reported at': at } = entry;
    if (at === undefined) return [];
    return [
      {
        at,
        ...(jitter === undefined || loss === undefined ? {} : { mos: scoreOf(loss, jitter, way) }),
        ...(jitter === undefined ? {} : { jitter_milliseconds: jitter }),
        ...(loss === undefined ? {} : { loss_percent: loss }),
      },
    ];
  });
  return samples.length === 0 ? {} : { progression: samples.slice(-mostQualitySamples) };
}

/** Milliseconds. rtpengine's own average counts reports without a round trip as zero. */
function roundTrip(reports: SourceReports | undefined): number | undefined {
  const entries = reports?.['MOS progression']?.entries ?? [];
  const trip = mean(entries.map((entry) => entry['round-trip time leg']).filter((each) => each !== 0));
  return trip === undefined ? undefined : Math.round(trip) / 1_000;
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0) / present.length;
}
