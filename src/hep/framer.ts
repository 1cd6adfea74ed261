import { magic, packetHeadBytes } from './format.js';

const empty: Buffer = Buffer.alloc(0);

/** Cuts a stream into HEP3 packets; each one states its length. */
export class HepFramer {
  private rest = empty;

  /** The packets that are complete now. Undefined: this isn't HEP3, and nothing after it can be read. */
  push(chunk: Buffer): Buffer[] | undefined {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const packets: Buffer[] = [];
    let at = 0;
    while (bytes.length - at >= packetHeadBytes) {
      if (bytes.readUInt32BE(at) !== magic) return undefined;
      const length = bytes.readUInt16BE(at + 4);
      if (length < packetHeadBytes) return undefined;
      if (bytes.length - at < length) break;
      // A separate copy: a call's first message must not keep the chunk's other calls in memory.
      const packet = Buffer.allocUnsafeSlow(length);
      bytes.copy(packet, 0, at, at + length);
      packets.push(packet);
      at += length;
    }
    this.rest = bytes.subarray(at);
    return packets;
  }
}
