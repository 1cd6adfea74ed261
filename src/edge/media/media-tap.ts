import type { Socket } from 'node:dgram';
import { type G711, isG711 } from '../../rtp/g711.js';
import { type RtpPacket, readPacket } from '../../rtp/packet.js';
import { openSocketPair, type SocketPair } from '../../rtp/socket-pair.js';
import { codecsOf, type MediaDescription, readSession } from '../../sdp/sdp.js';
import type { MediaSession } from './media-session.js';
import type { MediaSide } from './rtp-statistics.js';
import { MediaUnavailable } from './rtpengine-pool.js';
import { copyTag } from './session-audio.js';

/** Receives what each side sends: decrypted, as G.711. */
export interface TapListener {
  /** @param at monotonic milliseconds of the arrival */
  packet(side: MediaSide, packet: RtpPacket, at: number): void;
}

/** What a copy is of: the session, by rtpengine's call-id, and its codecs. Packets of others need another copy. */
export const streamsOf = ({ id, sideCodecs: { trunk, agent } }: MediaSession): string =>
  `${id} ${trunk} ${agent}`;

/** The order in which the sides are asked for, and described. */
const sides = ['trunk', 'agent'] as const satisfies readonly MediaSide[];

/** Receives a copy of a session's audio from both sides. The session itself does not change. */
export class MediaTap {
  private static readonly copies = new WeakMap<MediaSession, SharedCopy>();

  private constructor(
    private readonly copy: SharedCopy,
    private readonly listener: TapListener,
    readonly codecs: Readonly<Record<MediaSide, G711>>,
  ) {}

  /** Throws `MediaUnavailable` where rtpengine gives no copy. */
  static async open(session: MediaSession, address: string, listener: TapListener): Promise<MediaTap> {
    let copy = MediaTap.copies.get(session);
    if (copy === undefined) {
      copy = new SharedCopy(session);
      MediaTap.copies.set(session, copy);
    }
    return new MediaTap(copy, listener, await copy.join(address, listener));
  }

  /** Resolves when nothing arrives any more. Never rejects. */
  async close(): Promise<void> {
    await this.copy.leave(this.listener);
  }
}

/** The copy of one session, for all who take it: rtpengine 10.5 does not delete a session that was copied to two tags. */
class SharedCopy {
  private copy: AudioCopy | undefined;
  private readonly takers = new Set<TapListener>();
  private changing: Promise<unknown> = Promise.resolve();

  constructor(private readonly session: MediaSession) {}

  join(address: string, taker: TapListener): Promise<AudioCopy['codecs']> {
    return this.inTurn(async () => {
      this.copy ??= await AudioCopy.open(this.session, address, {
        packet: (side, packet, at) => {
          for (const each of this.takers) each.packet(side, packet, at);
        },
      });
      if (this.copy.streams !== streamsOf(this.session))
        throw new MediaUnavailable('The copy of the audio before a change of codecs has not ended yet.');
      this.takers.add(taker);
      return this.copy.codecs;
    });
  }

  leave(taker: TapListener): Promise<void> {
    this.takers.delete(taker);
    return this.inTurn(async () => {
      if (this.takers.size > 0) return;
      const { copy } = this;
      this.copy = undefined;
      await copy?.close();
    });
  }

  /** One change after another: `subscribe` and `unsubscribe` name the same tag. */
  private inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.changing.then(change);
    this.changing = done.catch(() => {});
    return done;
  }
}

/**
 * What rtpengine sends to this process for a session (`subscribe request`). Audio in other codecs than G.711 is converted by
 * rtpengine for the copy.
 */
class AudioCopy {
  private constructor(
    private readonly session: MediaSession,
    private readonly pairs: readonly SocketPair[],
    readonly streams: string,
    readonly codecs: Readonly<Record<MediaSide, G711>>,
  ) {}

  static async open(session: MediaSession, address: string, listener: TapListener): Promise<AudioCopy> {
    const copied = streamsOf(session);
    const pairs: SocketPair[] = [];
    try {
      for (const _ of sides) pairs.push(await openSocketPair(address));
      // Without a listener an error of one socket would end the process, and with it all calls.
      for (const { rtp, rtcp } of pairs) for (const socket of [rtp, rtcp]) socket.on('error', () => {});
      const { trunk, agent } = session.sideCodecs;
      const isPlain = isG711(trunk) && isG711(agent);
      const reply = await session.demand('subscribe request', {
        'from-tags': [...sides],
        'to-tag': copyTag,
        'transport-protocol': 'RTP/AVP',
        ...(isPlain ? {} : { codec: { strip: ['all'], transcode: ['PCMU'] } }),
      });
      const [fromTrunk, fromAgent] = readSession(reply.sdp ?? '')?.media ?? [];
      if (fromTrunk === undefined || fromAgent === undefined)
        throw new MediaUnavailable('rtpengine described no copy of the audio.');
      const streams = { trunk: streamOf(fromTrunk), agent: streamOf(fromAgent) };
      const ports = pairs.map(({ rtp }) => rtp.address().port);
      await session.demand('subscribe answer', {
        'to-tag': copyTag,
        sdp: answerOf(address, [fromTrunk, fromAgent], ports),
        ...(isPlain ? {} : { flags: ['allow-transcoding'] }),
      });
      for (const [index, side] of sides.entries()) listen(pairs[index]!.rtp, side, streams[side], listener);
      return new AudioCopy(session, pairs, copied, {
        trunk: streams.trunk.codec,
        agent: streams.agent.codec,
      });
    } catch (error) {
      close(pairs);
      await session.audio.endCopies();
      throw error;
    }
  }

  /** Ends the copy. Never rejects. */
  async close(): Promise<void> {
    close(this.pairs);
    await this.session.audio.endCopies();
  }
}

/** One side's copy, as rtpengine describes it. */
interface TapStream {
  readonly codec: G711;
  readonly payloadType: number;
  /** rtpengine's, where its packets come from. */
  readonly port: number;
}

function streamOf(audio: MediaDescription): TapStream {
  const codec = codecsOf(audio).find(({ name }) => isG711(name));
  if (codec === undefined)
    throw new MediaUnavailable('rtpengine offered no G.711 for the copy of the audio.');
  return { codec: codec.name as G711, payloadType: Number(codec.payloadType), port: audio.port };
}

/** Accepts everything that is offered: rtpengine 10.5 refuses an answer with other codecs. */
function answerOf(address: string, offered: readonly MediaDescription[], ports: readonly number[]): string {
  const family = address.includes(':') ? 'IP6' : 'IP4';
  const lines = [
    'v=0',
    `o=- 1 1 IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    ...offered.flatMap((audio, index) => [
      `m=audio ${ports[index]} RTP/AVP ${audio.formats.join(' ')}`,
      ...audio.lines.filter((line) => line.startsWith('a=rtpmap:') || line.startsWith('a=fmtp:')),
      'a=recvonly',
      `a=rtcp:${ports[index]! + 1}`,
    ]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function listen(
  socket: Socket,
  side: MediaSide,
  { payloadType, port: sourcePort }: TapStream,
  listener: TapListener,
): void {
  // Where rtpengine advertises another address than its own, its description does not name it.
  let source: string | undefined;
  socket.on('message', (datagram, { address, port }) => {
    const at = performance.now();
    if (port !== sourcePort) return;
    source ??= address;
    if (address !== source) return;
    const packet = readPacket(datagram);
    if (packet?.payloadType === payloadType) listener.packet(side, packet, at);
  });
}

function close(pairs: readonly SocketPair[]): void {
  for (const { rtp, rtcp } of pairs) {
    rtp.close();
    rtcp.close();
  }
}
