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

/** The order in which the sides are asked for, and described. */
const sides = ['trunk', 'agent'] as const satisfies readonly MediaSide[];

/**
 * A copy of a session's audio from both sides, which rtpengine sends to this process (`subscribe request`). The session itself does
 * not change. Audio in other codecs than G.711 is converted by rtpengine for the copy.
 */
export class MediaTap {
  private constructor(
    private readonly session: MediaSession,
    private readonly pairs: readonly SocketPair[],
    readonly codecs: Readonly<Record<MediaSide, G711>>,
  ) {}

  /** Throws `MediaUnavailable` where rtpengine gives no copy. */
  static async open(session: MediaSession, address: string, listener: TapListener): Promise<MediaTap> {
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
      return new MediaTap(session, pairs, { trunk: streams.trunk.codec, agent: streams.agent.codec });
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
