import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { smallCompressor } from '../../base/compression.js';
import type { HepPacket } from '../../hep/decode.js';
import { TracedEntry } from '../../hep/trace-frame.js';
import type { CapturedMessage } from './captured-message.js';

/** Messages of one Call-ID repeat most of their text; a higher level takes twice the time for a tenth of the size. */
const compression = { level: 1, ...smallCompressor, chunkSize: 1_024 } as const;
/** Gathers what is compressed: a buffer for each call would take memory until the next collection. */
const scratch = Buffer.allocUnsafeSlow(65_536);
/** Octets of the objects beside a message. */
const overhead = 400;
const packedOverhead = 100;

type PacketFields = Omit<HepPacket, 'payload'>;

/** The messages of one Call-ID in the order in which they were captured; those of a long call compressed. */
export class KeptMessages {
  private whole: CapturedMessage[] = [];
  /**
   * A byte string: V8 moves its strings together, but the C library cannot give back the memory of messages between small buffers that
   * remain for hours.
   */
  private packed: string | undefined;
  private packedCount = 0;

  get length(): number {
    return this.packedCount + this.whole.length;
  }

  /** What they take in memory, about. */
  get octets(): number {
    const packed = this.packed === undefined ? 0 : this.packed.length + packedOverhead;
    return this.whole.reduce((sum, message) => sum + KeptMessages.octetsOf(message), packed);
  }

  static octetsOf(message: CapturedMessage): number {
    return overhead + (message instanceof TracedEntry ? message.octets : message.bytes.length);
  }

  get list(): readonly CapturedMessage[] {
    return this.packed === undefined ? this.whole : [...unpack(this.packed), ...this.whole];
  }

  push(message: CapturedMessage): void {
    this.whole.push(message);
  }

  /** False: it is not among them any more. */
  remove(message: CapturedMessage): boolean {
    const index = this.whole.lastIndexOf(message);
    if (index >= 0) this.whole.splice(index, 1);
    return index >= 0;
  }

  clear(): void {
    this.whole = [];
    this.packed = undefined;
    this.packedCount = 0;
  }

  /**
   * Drops what was read from them, once their call has ended. V8 keeps what an object of an earlier collection refers to until its next
   * full one, although both are garbage: the texts of a call's trace would bring that nearer.
   */
  forgetRead(): void {
    for (const message of this.whole) {
      message.facts = undefined;
      if (message instanceof TracedEntry) message.forgetRead();
    }
  }

  /** Takes some 100 µs. */
  pack(): void {
    const { list } = this;
    if (list.length === 0) return;
    this.packed = deflateRawSync(gathered(list.flatMap(written)), compression).toString('latin1');
    this.packedCount = list.length;
    this.whole = [];
  }
}

/** A line of JSON with the packet's fields and the octets of the message, then the message. */
function written({ packet, bytes }: CapturedMessage): Buffer[] {
  const { payload: _payload, ...fields } = packet;
  return [Buffer.from(`${JSON.stringify({ fields, octets: bytes.length })}\n`), bytes];
}

/** Valid until the next call. */
function gathered(parts: readonly Buffer[]): Buffer {
  const octets = parts.reduce((sum, { length }) => sum + length, 0);
  if (octets > scratch.length) return Buffer.concat(parts, octets);
  let at = 0;
  for (const part of parts) at += part.copy(scratch, at);
  return scratch.subarray(0, octets);
}

function unpack(packed: string): CapturedMessage[] {
  const messages: CapturedMessage[] = [];
  const text = inflateRawSync(Buffer.from(packed, 'latin1'));
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(0x0a, at);
    const head = JSON.parse(text.toString('utf8', at, end)) as { fields: PacketFields; octets: number };
    at = end + 1 + head.octets;
    const bytes = text.subarray(end + 1, at);
    messages.push({ packet: { ...head.fields, payload: bytes }, bytes });
  }
  return messages;
}
