export interface Codec {
  /** 0 to 127, as written in the format list. */
  readonly payloadType: string;
  /** As registered, whatever its case was in the description. */
  readonly name: string;
  readonly clockRate: number;
  readonly channels: number;
}

interface Registration {
  readonly name: string;
  readonly clockRates: readonly number[];
  readonly channels: number;
}

const registrations: readonly Registration[] = [
  { name: 'PCMU', clockRates: [8_000], channels: 1 },
  { name: 'PCMA', clockRates: [8_000], channels: 1 },
  // Samples at 16,000 Hz, but its RTP clock is 8,000 Hz (RFC 3551 §4.5.2).
  { name: 'G722', clockRates: [8_000], channels: 1 },
  { name: 'G729', clockRates: [8_000], channels: 1 },
  // Always two channels, for mono too (RFC 7587 §7).
  { name: 'opus', clockRates: [48_000], channels: 2 },
  { name: 'GSM', clockRates: [8_000], channels: 1 },
  { name: 'G723', clockRates: [8_000], channels: 1 },
  { name: 'speex', clockRates: [8_000, 16_000, 32_000], channels: 1 },
  { name: 'CN', clockRates: [8_000], channels: 1 },
  { name: 'telephone-event', clockRates: [8_000, 16_000, 48_000], channels: 1 },
];

const byName = new Map(registrations.map((each) => [each.name.toLowerCase(), each]));

/** Payload types with a special meaning (RFC 3551 §6). */
const staticEncodings: Readonly<Record<string, string>> = {
  '0': 'PCMU/8000',
  '3': 'GSM/8000',
  '4': 'G723/8000',
  '8': 'PCMA/8000',
  '9': 'G722/8000',
  '13': 'CN/8000',
  '15': 'G728/8000',
  '18': 'G729/8000',
};

/** What a payload type means without an `a=rtpmap`, written as an `a=rtpmap` would. */
export const staticEncoding = (payloadType: string): string | undefined => staticEncodings[payloadType];

/** 0 to 127 without leading zeros. */
export const isPayloadType = (format: string): boolean => payloadTypes.has(format);

const payloadTypes: ReadonlySet<string> = new Set(Array.from({ length: 128 }, (_, number) => String(number)));

/**
 * The codec of a payload type by its encoding, `name/clock rate[/channels]` (RFC 4566 §6). Undefined: not registered in
 * this form. rtpengine would build a resampler for any given clock rate, which takes gigabytes.
 */
export function registeredCodec(payloadType: string, encoding: string): Codec | undefined {
  const usual = usualEncodings.get(encoding);
  return usual === undefined ? readCodec(payloadType, encoding) : { payloadType, ...usual };
}

function readCodec(payloadType: string, encoding: string): Codec | undefined {
  // Names are compared without regard to case (RFC 4855 §3).
  const [, name = '', clockRate, channels = '1'] =
    /^([\w.-]+)\/(\d{1,6})(?:\/(\d))?$/.exec(encoding.trim()) ?? [];
  const registration = byName.get(name.toLowerCase());
  if (registration === undefined || !registration.clockRates.includes(Number(clockRate))) return undefined;
  if (Number(channels) !== registration.channels) return undefined;
  return {
    payloadType,
    name: registration.name,
    clockRate: Number(clockRate),
    channels: registration.channels,
  };
}

/** Value of the `a=rtpmap` that describes the codec. */
export const encodingOf = ({ name, clockRate, channels }: Codec): string =>
  channels === 1 ? `${name}/${clockRate}` : `${name}/${clockRate}/${channels}`;

/** Registered encodings as nearly everyone writes them. */
const usualEncodings = new Map(
  registrations.flatMap(({ name, clockRates, channels }) =>
    clockRates.map((clockRate) => {
      const encoding = { name, clockRate, channels };
      return [encodingOf({ payloadType: '', ...encoding }), encoding] as const;
    }),
  ),
);

/** DTMF events in RTP (RFC 4733). */
export const isTelephoneEvent = (codec: Pick<Codec, 'name'>): boolean => codec.name === 'telephone-event';

/** Comfort noise in the pauses of another codec (RFC 3389). */
export const isComfortNoise = (codec: Pick<Codec, 'name'>): boolean => codec.name === 'CN';

/** True: it carries what people say. */
export const isVoice = (codec: Pick<Codec, 'name'>): boolean =>
  !isTelephoneEvent(codec) && !isComfortNoise(codec);
