import { type MediaDescription, parse, type SharedAttributes } from 'sdp-transform';

/** One media description of an SDP body, for display (RFC 8866, RFC 4568). */
export interface MediaLine {
  /** Empty: the `m=` line could not be parsed. */
  readonly kind: string;
  /** 0: media refused. */
  readonly port: number;
  readonly address: string;
  readonly codecs: readonly string[];
  readonly isEncrypted: boolean;
  readonly suites: readonly string[];
  readonly direction: NonNullable<SharedAttributes['direction']>;
}

/** RFC 3551 §6. */
const staticCodecs: Readonly<Record<string, string>> = {
  '0': 'PCMU',
  '3': 'GSM',
  '8': 'PCMA',
  '9': 'G722',
  '13': 'comfort noise',
  '18': 'G729',
};

export function readMediaLines(sdp: string): readonly MediaLine[] {
  const session = parse(sdp);
  return session.media.map((media) => ({
    kind: typeof media.port === 'number' ? String(media.type) : '',
    port: Number(media.port) || 0,
    address: String(media.connection?.ip ?? session.connection?.ip ?? ''),
    codecs: codecsOf(media),
    isEncrypted: String(media.protocol).includes('SAVP'),
    suites: (media.crypto ?? []).map(({ suite }) => String(suite)).filter((suite) => suite !== ''),
    direction: media.direction ?? session.direction ?? 'sendrecv',
  }));
}

/** Despite its types, sdp-transform returns a number for every field that looks like one, for example a single payload type. */
function codecsOf({ payloads = '', rtp }: MediaDescription): readonly string[] {
  const names = new Map(rtp.map(({ payload, codec }) => [String(payload), String(codec)]));
  const types = String(payloads)
    .split(/\s+/)
    .filter((type) => type !== '');
  return types.map((type) => nameOf(names.get(type) ?? staticCodecs[type] ?? type));
}

const nameOf = (codec: string): string => (codec.toLowerCase() === 'telephone-event' ? 'DTMF' : codec);

const directionWords: Readonly<Record<MediaLine['direction'], string>> = {
  sendrecv: '',
  sendonly: ', on hold (sends only)',
  recvonly: ', receives only',
  inactive: ', on hold (silent both ways)',
};

export function describeMediaLine(line: MediaLine): string {
  if (line.kind === '') return 'a media line that could not be read';
  if (line.port === 0) return `${line.kind}: refused`;
  const security = line.isEncrypted
    ? line.suites.length > 0
      ? `SRTP ${line.suites.join(', ')}`
      : 'SRTP without a key'
    : 'not encrypted (RTP)';
  return `${line.kind} at ${line.address} port ${line.port}: ${line.codecs.join(', ')}; ${security}${directionWords[line.direction]}`;
}
