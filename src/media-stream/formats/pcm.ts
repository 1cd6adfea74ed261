import { endianness } from 'node:os';
import { decodingTable, encodingTable, type G711, samplesPerPacket } from '../../rtp/g711.js';
import { Downsampler, Upsampler } from '../audio/resampling.js';
import { readOrder } from './bot-orders.js';
import type { BotFormat, BotListener, NoticeFields, StreamFacts } from './format.js';

/**
 * Control in JSON texts, audio in binary messages: signed 16-bit little-endian samples, one channel, at 8, 16 or 24 kHz
 * (`docs/agent-websocket.md`). With the preamble `listen` the first text is the one that bots for jambonz `listen` read, and their
 * `killAudio`, `clearMarks` and `disconnect` are understood.
 */

export interface PcmTerms {
  readonly sampleRate: 8_000 | 16_000 | 24_000;
  readonly preamble: 'demarc' | 'listen';
}

const maximumMarkName = 500;
const frameMilliseconds = 20;
/** Samples that are converted in one step; a message may have many. */
const portion = 480;
const isBigEndian = endianness() === 'BE';

/** Shared by all calls: a message is converted and taken in one turn. */
const input = new Int16Array(portion);
/** The same memory. */
const inputOctets = Buffer.from(input.buffer);
const narrow = new Int16Array(portion);
const converted = new Uint8Array(portion);
const heard = new Int16Array(samplesPerPacket);

export class PcmFormat implements BotFormat {
  readonly subprotocol: string;
  readonly hasTextAudio = false;
  private readonly up: Upsampler | undefined;
  private readonly down: Downsampler | undefined;
  private encoding: Uint8Array;
  private decoding: Int16Array;
  private readonly out: Int16Array;
  /** The same memory. */
  private readonly outOctets: Buffer;
  /** The first half of a sample whose other half is in the next message. */
  private half: number | undefined;

  constructor(
    codec: G711,
    private readonly terms: PcmTerms,
  ) {
    const { sampleRate, preamble } = terms;
    this.subprotocol = preamble === 'listen' ? 'audio.jambonz.org' : 'demarc.pcm.v1';
    this.up = sampleRate === 8_000 ? undefined : new Upsampler(sampleRate);
    this.down = sampleRate === 8_000 ? undefined : new Downsampler(sampleRate);
    this.encoding = encodingTable(codec);
    this.decoding = decodingTable(codec);
    this.out = new Int16Array((sampleRate / 1_000) * frameMilliseconds);
    this.outOctets = Buffer.from(this.out.buffer);
  }

  useCodec(codec: G711): void {
    this.encoding = encodingTable(codec);
    this.decoding = decodingTable(codec);
  }

  opening(facts: StreamFacts): readonly string[] {
    const { sampleRate, preamble } = this.terms;
    if (preamble === 'listen')
      return [
        JSON.stringify({
          callSid: facts.callSid,
          accountSid: facts.accountSid,
          callId: facts.sipCallId,
          from: facts.from,
          to: facts.to,
          direction: facts.direction,
          sampleRate,
          mixType: 'mono',
          ...(facts.isReconnected ? { reconnected: true } : {}),
          sip: { headers: facts.headers },
          metadata: { ...facts.agent, ...facts.parameters },
          ...facts.parameters,
        }),
      ];
    return [
      JSON.stringify({
        event: 'start',
        version: 1,
        stream_id: facts.streamSid,
        call_id: facts.callSid,
        account_id: facts.accountSid,
        from: facts.from,
        to: facts.to,
        direction: facts.direction,
        sip_call_id: facts.sipCallId,
        reconnected: facts.isReconnected,
        media: { encoding: 'pcm_s16le', sample_rate: sampleRate, channels: 1, frame_ms: frameMilliseconds },
        ...(facts.agent === undefined ? {} : { agent: facts.agent }),
        headers: facts.headers,
        parameters: facts.parameters,
      }),
    ];
  }

  media(octets: Uint8Array): Buffer {
    const { up, decoding, out } = this;
    const samples = up === undefined ? out : heard;
    for (let index = 0; index < samplesPerPacket; index++) samples[index] = decoding[octets[index]!]!;
    up?.process(samples, out);
    if (isBigEndian) this.outOctets.swap16();
    return this.outOctets;
  }

  digit(digit: string): string {
    return this.terms.preamble === 'listen'
      ? JSON.stringify({ event: 'dtmf', dtmf: digit })
      : JSON.stringify({ event: 'dtmf', digit });
  }

  mark(name: string, isPlayed: boolean, playedMilliseconds: number): string {
    if (this.terms.preamble === 'listen')
      return JSON.stringify({ type: 'mark', data: { name, event: isPlayed ? 'playout' : 'cleared' } });
    return JSON.stringify({
      event: 'mark',
      name,
      played: isPlayed,
      played_ms: Math.round(playedMilliseconds),
    });
  }

  notice(event: string, fields: NoticeFields): string {
    return JSON.stringify({ event, ...fields });
  }

  ending(reason: string): string | undefined {
    return this.terms.preamble === 'listen' ? undefined : JSON.stringify({ event: 'stop', reason });
  }

  cleared(): void {
    this.down?.reset();
    this.half = undefined;
  }

  read(data: Buffer, isBinary: boolean, listener: BotListener): void {
    if (isBinary) {
      this.audio(data, listener);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(data.toString('utf8'));
    } catch {
      listener.unknown('a text that is not JSON');
      return;
    }
    if (typeof message !== 'object' || message === null) listener.unknown('JSON that is not an object');
    else this.readMessage(message as Record<string, unknown>, listener);
  }

  private readMessage(message: Record<string, unknown>, listener: BotListener): void {
    const { event, name, type } = message;
    if (this.terms.preamble === 'listen' && typeof type === 'string') {
      this.readListen(type, message, listener);
    } else if (event === 'clear') listener.clear();
    else if (event === 'mark') {
      if (typeof name === 'string' && name.length <= maximumMarkName) listener.mark(name);
      else listener.unknown('mark without a name');
    } else if (typeof event !== 'string') listener.unknown('a message without an event');
    else {
      const read = readOrder(event, message);
      if (read === undefined) listener.unknown(`event ${event.slice(0, 40)}`);
      else if ('problem' in read) listener.unknown(read.problem);
      else listener.order(read.order);
    }
  }

  private readListen(type: string, message: Record<string, unknown>, listener: BotListener): void {
    const { name } = (message.data ?? {}) as { name?: unknown };
    if (type === 'killAudio' || type === 'clearMarks') listener.clear();
    else if (type === 'disconnect') listener.order({ kind: 'hangup', reason: undefined });
    else if (type === 'mark' && typeof name === 'string' && name.length <= maximumMarkName)
      listener.mark(name);
    else listener.unknown(`type ${type.slice(0, 40)}`);
  }

  /** Messages of any length: a sample may be split between two. */
  private audio(data: Buffer, listener: BotListener): void {
    for (let at = 0; at < data.length; ) {
      let filled = 0;
      if (this.half !== undefined) {
        inputOctets[filled++] = this.half;
        this.half = undefined;
      }
      const length = data.copy(inputOctets, filled, at);
      at += length;
      filled += length;
      // Only the last piece of a message can be odd.
      if (filled % 2 === 1) this.half = inputOctets[--filled]!;
      if (filled > 0) this.convert(filled, listener);
    }
  }

  /** @param filled octets of whole samples */
  private convert(filled: number, listener: BotListener): void {
    const { down, encoding } = this;
    if (isBigEndian) inputOctets.subarray(0, filled).swap16();
    const samples = input.subarray(0, filled / 2);
    const count = down === undefined ? samples.length : down.process(samples, narrow);
    const source = down === undefined ? samples : narrow;
    for (let index = 0; index < count; index++) converted[index] = encoding[source[index]! & 0xffff]!;
    if (count > 0) listener.audio(converted.subarray(0, count));
  }
}
