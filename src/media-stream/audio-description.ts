import type { G711 } from '../rtp/g711.js';
import {
  answerDirection,
  codecsOf,
  connectionAddress,
  type Direction,
  directionOf,
  type MediaDescription,
  readSession,
  type SessionDescription,
} from '../sdp/sdp.js';

interface UdpAddress {
  readonly address: string;
  readonly port: number;
}

/** The negotiated audio, from our side. */
export interface AgreedAudio {
  readonly codec: G711;
  readonly payloadType: number;
  /** Payload type of telephone-event at 8000 Hz; undefined: the peer does not support it. */
  readonly eventPayloadType: number | undefined;
  /** Where the peer receives media; undefined: nowhere (hold with 0.0.0.0). */
  readonly remote: (UdpAddress & { readonly rtcp: UdpAddress }) | undefined;
  /** The agent's direction. */
  readonly direction: Direction;
}

/** The agent's local audio endpoint. */
export interface LocalAudio {
  readonly address: string;
  readonly port: number;
  /** `o=` session id, the same for the whole call. */
  readonly sessionId: number;
  /** `o=` session version: incremented for each changed description (RFC 3264 §8). */
  readonly version: number;
}

export interface AnsweredOffer {
  readonly sdp: string;
  readonly agreed: AgreedAudio;
}

/** Answers an offer; undefined when it has no G.711 audio over plain RTP. Other media are rejected with port 0. */
export function answerOffer(
  offer: string,
  local: LocalAudio,
  direction: Direction,
): AnsweredOffer | undefined {
  const session = readSession(offer);
  const audio = session?.media.find(isUsableAudio);
  if (session === undefined || audio === undefined) return undefined;
  const agreed = agree(session, audio, answerDirection(directionOf(session, audio), direction));
  if (agreed === undefined) return undefined;
  const sections = session.media.map((media) =>
    media === audio
      ? audioLines(local, agreed)
      : [`m=${media.kind} 0 ${media.protocol} ${media.formats.join(' ')}`],
  );
  return { sdp: description(local, sections.flat()), agreed };
}

/** An offer from the agent: G.711 in both laws and DTMF events. */
export function makeOffer(local: LocalAudio, direction: Direction): string {
  const lines = [
    `m=audio ${local.port} RTP/AVP 0 8 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    ...eventLines(101),
    'a=ptime:20',
    `a=${direction}`,
  ];
  return description(local, lines);
}

/** Parses the answer to `makeOffer`; undefined when it rejects the audio. */
export function readAnswer(answer: string, direction: Direction): AgreedAudio | undefined {
  const session = readSession(answer);
  const audio = session?.media.find(isUsableAudio);
  if (session === undefined || audio === undefined) return undefined;
  return agree(session, audio, answerDirection(directionOf(session, audio), direction));
}

const isUsableAudio = ({ kind, port, protocol }: MediaDescription): boolean =>
  kind === 'audio' && port > 0 && (protocol === 'RTP/AVP' || protocol === 'RTP/AVPF');

function agree(
  session: SessionDescription,
  audio: MediaDescription,
  direction: Direction,
): AgreedAudio | undefined {
  const codecs = codecsOf(audio).filter(({ clockRate }) => clockRate === 8_000);
  const voice = codecs.find(({ name }) => g711Of(name) !== undefined);
  if (voice === undefined) return undefined;
  const event = codecs.find(({ name }) => name.toLowerCase() === 'telephone-event');
  const address = connectionAddress(session, audio);
  const isNowhere = address === undefined || address === '0.0.0.0' || address === '::';
  return {
    codec: g711Of(voice.name)!,
    payloadType: Number(voice.payloadType),
    eventPayloadType: event === undefined ? undefined : Number(event.payloadType),
    remote: isNowhere ? undefined : { address, port: audio.port, rtcp: rtcpOf(audio, address) },
    direction,
  };
}

/** The port above RTP's, unless the peer specifies another (RFC 3605 §2.1). */
function rtcpOf(audio: MediaDescription, address: string): UdpAddress {
  const line = audio.lines.find((candidate) => candidate.startsWith('a=rtcp:'));
  const [, port, own] = /^a=rtcp:(\d{1,5})(?: IN IP[46] (\S+))?/.exec(line ?? '') ?? [];
  const number = Number(port);
  return number > 0 && number <= 65_535
    ? { address: own ?? address, port: number }
    : { address, port: audio.port + 1 };
}

function g711Of(name: string): G711 | undefined {
  const upper = name.toUpperCase();
  return upper === 'PCMU' || upper === 'PCMA' ? upper : undefined;
}

function audioLines(local: LocalAudio, agreed: AgreedAudio): string[] {
  const { codec, payloadType, eventPayloadType, direction } = agreed;
  const events = eventPayloadType === undefined ? [] : eventLines(eventPayloadType);
  return [
    `m=audio ${local.port} RTP/AVP ${payloadType}${eventPayloadType === undefined ? '' : ` ${eventPayloadType}`}`,
    `a=rtpmap:${payloadType} ${codec}/8000`,
    ...events,
    'a=ptime:20',
    `a=${direction}`,
  ];
}

const eventLines = (payloadType: number): string[] => [
  `a=rtpmap:${payloadType} telephone-event/8000`,
  `a=fmtp:${payloadType} 0-16`,
];

function description(local: LocalAudio, media: readonly string[]): string {
  const family = local.address.includes(':') ? 'IP6' : 'IP4';
  const lines = [
    'v=0',
    `o=- ${local.sessionId} ${local.version} IN ${family} ${local.address}`,
    's=Demarc',
    `c=IN ${family} ${local.address}`,
    't=0 0',
    ...media,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
