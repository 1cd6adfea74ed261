/** A frame of the wire protocol: `LENGTH "#" PAYLOAD`, LENGTH in octets (wire protocol §2). Payloads are byte strings. */
export function encodeFrame(payload: string): string {
  return `${payload.length}#${payload}`;
}

/** The peer does not speak the protocol, or exceeds its bounds; its connection is unusable from here on. */
export class FrameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FrameError';
  }
}

const hash = 35;
const maximumDigits = 8;

/** Takes the octets of a connection and returns complete payloads. */
export class FrameDecoder {
  private chunks: Buffer[] = [];
  private buffered = 0;
  /** Octets until the frame in progress is complete; its prefix is stripped. -1: the prefix is not complete. */
  private expected = -1;

  /** `maximumFrame`: octets of a payload. */
  constructor(private readonly maximumFrame: number) {}

  /** The payloads completed by these octets. Throws FrameError. */
  push(chunk: Buffer): string[] {
    const payloads: string[] = [];
    // A large frame arrives in many segments, which are joined only once it is complete.
    if (this.expected >= 0 && this.buffered + chunk.length < this.expected) {
      this.keep(chunk);
      return payloads;
    }
    const bytes = this.chunks.length === 0 ? chunk : Buffer.concat([...this.chunks, chunk]);
    this.chunks = [];
    this.buffered = 0;
    let at = 0;
    for (;;) {
      if (this.expected < 0) {
        const start = this.readPrefix(bytes, at);
        if (start < 0) break;
        at = start;
      }
      if (bytes.length - at < this.expected) break;
      payloads.push(bytes.toString('latin1', at, at + this.expected));
      at += this.expected;
      this.expected = -1;
    }
    if (at < bytes.length) this.keep(Buffer.from(bytes.subarray(at)));
    return payloads;
  }

  private keep(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
  }

  /** Reads a length; returns where the payload begins, or -1 while the prefix is incomplete. */
  private readPrefix(bytes: Buffer, from: number): number {
    let length = 0;
    for (let at = from; at < bytes.length; at++) {
      const octet = bytes[at]!;
      if (octet === hash && at > from) {
        if (length === 0 || length > this.maximumFrame)
          throw new FrameError(`frame of ${length} bytes refused`);
        this.expected = length;
        return at + 1;
      }
      if (octet < 48 || octet > 57 || at - from >= maximumDigits)
        throw new FrameError('malformed frame length');
      length = length * 10 + (octet - 48);
    }
    return -1;
  }
}
