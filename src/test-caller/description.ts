import type { G711 } from '../rtp/g711.js';
import { codecsOf, connectionAddress, cryptoLinesOf, directionOf, readSession } from '../sdp/sdp.js';
import { acceptableKey, srtpSuite } from '../sdp/srtp-key.js';

/** What the edge agreed to. */
export interface AgreedAudio {
  readonly codec: G711;
  readonly payloadType: number;
  readonly address: string;
  readonly port: number;
  readonly rtcpPort: number;
  /** Key and salt with which the edge encrypts; secret. */
  readonly master: Buffer;
  /** Of its `a=crypto`, which an answer repeats. */
  readonly keyTag: string;
  /** Of telephone events at 8000 Hz; undefined: keys cannot be pressed. */
  readonly eventPayloadType: number | undefined;
  /** False: on hold. */
  readonly maySend: boolean;
}

/** The caller's own end. */
export interface LocalAudio {
  readonly address: string;
  readonly port: number;
  /** Key and salt with which we encrypt; secret. */
  readonly master: Buffer;
  /** Of the description in `o=`. */
  readonly version: number;
}

const events = 101;
const names: Readonly<Record<string, G711>> = { PCMU: 'PCMU', PCMA: 'PCMA' };

/** G.711 in both laws over SRTP, as a trunk offers it. */
export function offer(
  { address, port, master, version }: LocalAudio,
  direction: 'sendrecv' | 'sendonly' = 'sendrecv',
): string {
  const family = address.includes(':') ? 'IP6' : 'IP4';
  return lines([
    'v=0',
    `o=- 1 ${version} IN ${family} ${address}`,
    's=Demarc test caller',
    `c=IN ${family} ${address}`,
    't=0 0',
    `m=audio ${port} RTP/SAVP 0 8 ${events}`,
    `a=crypto:1 ${srtpSuite} inline:${master.toString('base64')}`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    `a=rtpmap:${events} telephone-event/8000`,
    `a=fmtp:${events} 0-15`,
    'a=ptime:20',
    `a=${direction}`,
  ]);
}

/** The answer to an offer of the edge during the call: the codec stays. */
export function answerTo(
  local: LocalAudio,
  { codec, payloadType, keyTag, eventPayloadType, maySend }: AgreedAudio,
): string {
  const family = local.address.includes(':') ? 'IP6' : 'IP4';
  return lines([
    'v=0',
    `o=- 1 ${local.version} IN ${family} ${local.address}`,
    's=Demarc test caller',
    `c=IN ${family} ${local.address}`,
    't=0 0',
    `m=audio ${local.port} RTP/SAVP ${payloadType}${eventPayloadType === undefined ? '' : ` ${eventPayloadType}`}`,
    `a=crypto:${keyTag} ${srtpSuite} inline:${local.master.toString('base64')}`,
    `a=rtpmap:${payloadType} ${codec}/8000`,
    ...(eventPayloadType === undefined
      ? []
      : [`a=rtpmap:${eventPayloadType} telephone-event/8000`, `a=fmtp:${eventPayloadType} 0-15`]),
    'a=ptime:20',
    `a=${maySend ? 'sendrecv' : 'recvonly'}`,
  ]);
}

/** Undefined: no G.711 over SRTP with our suite. */
export function readAnswer(sdp: string): AgreedAudio | undefined {
  const session = readSession(sdp);
  const audio = session?.media.find(
    ({ kind, port, protocol }) => kind === 'audio' && port > 0 && protocol === 'RTP/SAVP',
  );
  if (session === undefined || audio === undefined) return undefined;
  const codecs = codecsOf(audio);
  const keys = codecs.find(
    ({ name, clockRate }) => clockRate === 8_000 && name.toLowerCase() === 'telephone-event',
  );
  const voice = codecs.find(
    ({ name, clockRate }) => clockRate === 8_000 && names[name.toUpperCase()] !== undefined,
  );
  const address = connectionAddress(session, audio);
  const key = cryptoLinesOf(audio).find(
    (line) => line.suite === srtpSuite && acceptableKey(line) !== undefined,
  );
  const master = Buffer.from(
    /^inline:([A-Za-z0-9+/]{40})/.exec(key?.keyParameters ?? '')?.[1] ?? '',
    'base64',
  );
  if (voice === undefined || address === undefined || master.length === 0) return undefined;
  const direction = directionOf(session, audio);
  const rtcp = Number(
    /^a=rtcp:(\d{1,5})/.exec(audio.lines.find((line) => line.startsWith('a=rtcp:')) ?? '')?.[1],
  );
  return {
    codec: names[voice.name.toUpperCase()]!,
    payloadType: Number(voice.payloadType),
    address,
    port: audio.port,
    rtcpPort: rtcp > 0 && rtcp <= 65_535 ? rtcp : audio.port + 1,
    master,
    keyTag: key!.tag,
    eventPayloadType: keys && Number(keys.payloadType),
    maySend: direction === 'sendrecv' || direction === 'recvonly',
  };
}

const lines = (all: readonly string[]): string => `${all.join('\r\n')}\r\n`;
