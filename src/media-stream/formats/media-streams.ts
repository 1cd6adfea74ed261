import { decode, encodeALaw, encodeMuLaw, type G711 } from '../../rtp/g711.js';
import { readOrder } from './bot-orders.js';
import type { BotFormat, BotListener, NoticeFields, StreamFacts } from './format.js';

/**
 * The public message shapes of Twilio Media Streams, bidirectional: JSON texts, μ-law at 8000 Hz in base64. `sequenceNumber`,
 * `chunk` and `timestamp` are strings.
 */

/** Octets of one message of a bot; larger ones end its connection before. */
const maximumMessage = 256 * 1_024;
const maximumMarkName = 500;

const tableOf = (from: G711, to: (sample: number) => number): Uint8Array => {
  const samples = decode(
    from,
    Uint8Array.from({ length: 256 }, (_, octet) => octet),
  );
  return Uint8Array.from({ length: 256 }, (_, octet) => to(samples[octet]!));
};
const muLawOfALaw = tableOf('PCMA', encodeMuLaw);
const aLawOfMuLaw = tableOf('PCMU', encodeALaw);

/** Shared by all calls: a message is decoded and taken in one turn. */
const decoded = Buffer.allocUnsafeSlow(maximumMessage);
const converted = Buffer.allocUnsafeSlow(160);

export class MediaStreamsFormat implements BotFormat {
  readonly subprotocol = undefined;
  private streamSid = '';
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

  media(octets: Uint8Array, milliseconds: number): string {
    let muLaw = octets;
    if (this.codec === 'PCMA') {
      for (let index = 0; index < octets.length; index++) converted[index] = muLawOfALaw[octets[index]!]!;
      muLaw = converted.subarray(0, octets.length);
    }
    const payload = Buffer.from(muLaw.buffer, muLaw.byteOffset, muLaw.length).toString('base64');
    this.chunk += 1;
    this.sequence += 1;
    return `{"event":"media","sequenceNumber":"${this.sequence}","media":{"track":"inbound","chunk":"${this.chunk}","timestamp":"${milliseconds}","payload":"${payload}"},"streamSid":"${this.streamSid}"}`;
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
    const payload = quickPayload(data);
    if (payload !== undefined) {
      this.audio(payload, listener);
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
      if (typeof payload === 'string' && isBase64(payload)) this.audio(payload, listener);
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

  private audio(payload: string, listener: BotListener): void {
    const length = decoded.write(payload, 0, 'base64');
    const octets = decoded.subarray(0, length);
    if (this.codec === 'PCMA')
      for (let index = 0; index < length; index++) octets[index] = aLawOfMuLaw[octets[index]!]!;
    if (length > 0) listener.audio(octets);
  }

  private nextSequence(): string {
    this.sequence += 1;
    return String(this.sequence);
  }
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);

const mediaEvent = /"event"\s*:\s*"media"/;
const quote = 0x22;
const payloadName = '"payload"';
/** The keys around a payload, of which every bot has its own order and blanks. */
const aroundPayload = 512;

/**
 * The payload of a media event, without parsing JSON: nearly all messages of a call are such. Undefined for anything that is not
 * plainly one, which is then parsed. In JSON an unescaped `"event":"media"` can only be a name and its value.
 */
export function quickPayload(data: Buffer): string | undefined {
  const name = data.indexOf(payloadName);
  if (name < 0 || name > aroundPayload) return undefined;
  let start = name + payloadName.length;
  while (start < data.length && data[start] !== quote) {
    const octet = data[start]!;
    if (octet !== 0x3a && octet !== 0x20 && octet !== 0x09 && octet !== 0x0a && octet !== 0x0d)
      return undefined;
    start++;
  }
  start += 1;
  const end = data.indexOf(quote, start);
  if (end < 0 || data.length - end > aroundPayload) return undefined;
  const around = data.toString('latin1', 0, name) + data.toString('latin1', end);
  if (!mediaEvent.test(around) || around.includes('\\')) return undefined;
  const payload = data.toString('latin1', start, end);
  return isBase64(payload) ? payload : undefined;
}
