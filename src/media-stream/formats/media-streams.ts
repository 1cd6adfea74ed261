import { decode, encodeALaw, encodeMuLaw, type G711, samplesPerPacket } from '../../rtp/g711.js';
import { readBase64, writeBase64 } from './base64.js';
import { readOrder } from './bot-orders.js';
import type { BotFormat, BotListener, NoticeFields, StreamFacts } from './format.js';

/**
 * The public message shapes of Twilio Media Streams, bidirectional: JSON texts, μ-law at 8000 Hz in base64. `sequenceNumber`,
 * `chunk` and `timestamp` are strings.
 */

/** Octets of one message of a bot; larger ones end its connection before. */
const maximumMessage = 256 * 1_024;
const maximumMarkName = 500;
const zero = 0x30;

const tableOf = (from: G711, to: (sample: number) => number): Uint8Array => {
  const samples = decode(
    from,
    Uint8Array.from({ length: 256 }, (_, octet) => octet),
  );
  return Uint8Array.from({ length: 256 }, (_, octet) => to(samples[octet]!));
};
const muLawOfALaw = tableOf('PCMA', encodeMuLaw);
const aLawOfMuLaw = tableOf('PCMU', encodeALaw);

/** Shared by all calls: a message is read, or copied into a frame, in one turn. */
const decoded = new Uint8Array(maximumMessage);
const converted = new Uint8Array(samplesPerPacket);
const text = Buffer.allocUnsafeSlow(1_024);
/** Its beginnings, by length. */
const texts: Buffer[] = [];

/** What precedes the values of a media event. */
const before = {
  sequence: Buffer.from('{"event":"media","sequenceNumber":"'),
  chunk: Buffer.from('","media":{"track":"inbound","chunk":"'),
  timestamp: Buffer.from('","timestamp":"'),
  payload: Buffer.from('","payload":"'),
} as const;

/** Writes a whole number below 2^31. Returns the place behind it. */
function writeNumber(value: number, into: Uint8Array, place: number): number {
  let end = place + 1;
  for (let limit = 10; value >= limit; limit *= 10) end++;
  let rest = value;
  for (let at = end - 1; at >= place; at--) {
    const tens = (rest / 10) | 0;
    into[at] = zero + rest - tens * 10;
    rest = tens;
  }
  return end;
}

export class MediaStreamsFormat implements BotFormat {
  readonly subprotocol = undefined;
  readonly hasTextAudio = true;
  private streamSid = '';
  /** What follows the payload. */
  private end = Buffer.from('"},"streamSid":""}');
  private readonly shape = new MediaShape();
  private callSid = '';
  private accountSid = '';
  private sequence = 0;
  private chunk = 0;

  constructor(private codec: G711) {}

  useCodec(codec: G711): void {
    this.codec = codec;
  }

  opening(facts: StreamFacts): readonly string[] {
    const { streamSid, callSid, accountSid } = facts;
    this.streamSid = streamSid;
    this.callSid = callSid;
    this.accountSid = accountSid;
    this.end = Buffer.from(`"},"streamSid":"${streamSid}"}`);
    return [
      JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }),
      JSON.stringify({
        event: 'start',
        sequenceNumber: this.nextSequence(),
        start: {
          accountSid,
          streamSid,
          callSid,
          tracks: ['inbound'],
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
          customParameters: {
            from_number: facts.from,
            to_number: facts.to,
            From: facts.from,
            To: facts.to,
            direction: facts.direction,
            sipCallId: facts.sipCallId,
            ...(facts.isReconnected ? { reconnected: 'true' } : {}),
            ...facts.headers,
            ...facts.agent,
            ...facts.parameters,
          },
          ...(facts.isReconnected ? { reconnected: true } : {}),
        },
        streamSid,
      }),
    ];
  }

  media(octets: Uint8Array, milliseconds: number): Buffer {
    let muLaw = octets;
    if (this.codec === 'PCMA') {
      for (let index = 0; index < octets.length; index++) converted[index] = muLawOfALaw[octets[index]!]!;
      muLaw = converted;
    }
    this.chunk += 1;
    this.sequence += 1;
    text.set(before.sequence);
    let at = writeNumber(this.sequence, text, before.sequence.length);
    text.set(before.chunk, at);
    at = writeNumber(this.chunk, text, at + before.chunk.length);
    text.set(before.timestamp, at);
    at = writeNumber(milliseconds, text, at + before.timestamp.length);
    text.set(before.payload, at);
    at = writeBase64(muLaw, text, at + before.payload.length);
    text.set(this.end, at);
    const length = at + this.end.length;
    texts[length] ??= text.subarray(0, length);
    return texts[length];
  }

  digit(digit: string): string {
    return `{"event":"dtmf","streamSid":"${this.streamSid}","sequenceNumber":"${this.nextSequence()}","dtmf":{"track":"inbound_track","digit":"${digit}"}}`;
  }

  /** Marks come back at a `clear` too, and look the same: bots of this format expect that. */
  mark(name: string): string {
    return JSON.stringify({
      event: 'mark',
      sequenceNumber: this.nextSequence(),
      streamSid: this.streamSid,
      mark: { name },
    });
  }

  notice(event: string, fields: NoticeFields): string {
    return JSON.stringify({
      event,
      sequenceNumber: this.nextSequence(),
      streamSid: this.streamSid,
      [event]: fields,
    });
  }

  ending(): string {
    const { accountSid, callSid, streamSid } = this;
    return JSON.stringify({
      event: 'stop',
      sequenceNumber: this.nextSequence(),
      stop: { accountSid, callSid },
      streamSid,
    });
  }

  cleared(): void {}

  read(data: Buffer, isBinary: boolean, listener: BotListener): void {
    if (isBinary) {
      listener.unknown('a binary message: audio is base64 in media events');
      return;
    }
    const length = this.shape.decode(data, decoded);
    if (length >= 0) {
      this.audio(length, listener);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(data.toString('utf8'));
    } catch {
      listener.unknown('a text that is not JSON');
      return;
    }
    if (typeof message !== 'object' || message === null) {
      listener.unknown('JSON that is not an object');
      return;
    }
    this.readMessage(message, listener);
  }

  private readMessage(message: object, listener: BotListener): void {
    const { event, media, mark } = message as { event?: unknown; media?: unknown; mark?: unknown };
    if (event === 'media') {
      const { payload } = (media ?? {}) as { payload?: unknown };
      const octets = typeof payload === 'string' ? Buffer.from(payload) : undefined;
      const length = octets === undefined ? -1 : readBase64(octets, 0, octets.length, decoded);
      if (length >= 0) this.audio(length, listener);
      else listener.unknown('media without a payload in base64');
    } else if (event === 'mark') {
      const { name } = (mark ?? {}) as { name?: unknown };
      if (typeof name === 'string' && name.length <= maximumMarkName) listener.mark(name);
      else listener.unknown('mark without a name');
    } else if (event === 'clear') listener.clear();
    else if (typeof event !== 'string') listener.unknown('a message without an event');
    else {
      const read = readOrder(event, message);
      if (read === undefined) listener.unknown(`event ${event.slice(0, 40)}`);
      else if ('problem' in read) listener.unknown(read.problem);
      else listener.order(read.order);
    }
  }

  /** @param length octets of `decoded` */
  private audio(length: number, listener: BotListener): void {
    if (this.codec === 'PCMA')
      for (let index = 0; index < length; index++) decoded[index] = aLawOfMuLaw[decoded[index]!]!;
    if (length > 0) listener.audio(decoded.subarray(0, length));
  }

  private nextSequence(): string {
    this.sequence += 1;
    return String(this.sequence);
  }
}

const mediaEvent = /"event"\s*:\s*"media"/;
const quote = 0x22;
const payloadName = '"payload"';
/** The keys around a payload, of which every bot has its own order and blanks. */
const aroundPayload = 512;

/**
 * Decodes the payload of a media event, without parsing JSON: nearly all messages of a call are such, and what is around the payload is
 * mostly the same as in the message before.
 */
export class MediaShape {
  private start: Uint8Array = new Uint8Array(0);
  private end: Uint8Array = new Uint8Array(0);

  /** Returns the octets of the payload, or -1: the message is not plainly a media event, and is to be parsed. */
  decode(data: Buffer, into: Uint8Array): number {
    if (this.start.length > 0 && this.isSame(data))
      return readBase64(data, this.start.length, data.length - this.end.length, into);
    const payload = findPayload(data);
    if (payload === undefined) return -1;
    const length = readBase64(data, payload.start, payload.end, into);
    if (length < 0) return -1;
    this.start = new Uint8Array(data.subarray(0, payload.start));
    this.end = new Uint8Array(data.subarray(payload.end));
    return length;
  }

  private isSame(data: Buffer): boolean {
    const { start, end } = this;
    const tail = data.length - end.length;
    if (tail < start.length) return false;
    for (let at = 0; at < start.length; at++) if (data[at] !== start[at]) return false;
    for (let at = 0; at < end.length; at++) if (data[tail + at] !== end[at]) return false;
    return true;
  }
}

/**
 * Where the payload of a media event stands. Undefined for anything that is not plainly one. In JSON an unescaped `"event":"media"` can
 * only be a name and its value.
 */
function findPayload(data: Buffer): { readonly start: number; readonly end: number } | undefined {
  const name = data.indexOf(payloadName);
  if (name < 0) return undefined;
  let start = name + payloadName.length;
  while (start < aroundPayload && data[start] !== quote) {
    const octet = data[start]!;
    if (octet !== 0x3a && octet !== 0x20 && octet !== 0x09 && octet !== 0x0a && octet !== 0x0d)
      return undefined;
    start++;
  }
  if (start >= aroundPayload) return undefined;
  start += 1;
  const end = data.indexOf(quote, start);
  if (end < 0 || data.length - end > aroundPayload) return undefined;
  const around = data.toString('latin1', 0, name) + data.toString('latin1', end);
  return mediaEvent.test(around) && !around.includes('\\') ? { start, end } : undefined;
}
