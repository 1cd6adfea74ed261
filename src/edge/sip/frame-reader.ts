const hash = 35;
const zero = 48;
const nine = 57;
/** Octets. The dialogs of a lost edge come in one frame: some hundred octets each. */
const maximumFrame = 64 * 1024 * 1024;
const maximumDigits = 8;

/** Where the payload begins after `LENGTH "#"`; 0: not all of the prefix is there; -1: it is no length. */
function endOfPrefix(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const octet = bytes[at]!;
    if (octet === hash) return at > from ? at + 1 : -1;
    if (octet < zero || octet > nine || at - from >= maximumDigits) return -1;
  }
  return 0;
}

/** Reads the engine's frames `LENGTH "#" PAYLOAD`, however they are split. */
export class FrameReader {
  /** Octets of a frame that is not complete. */
  private chunks: Buffer[] = [];
  private buffered = 0;
  /** Octets of payload and prefix until the frame in progress is complete; 0: unknown. */
  private needed = 0;

  /** @param onFrame takes each whole frame, and where its payload begins */
  constructor(private readonly onFrame: (frame: Buffer, payloadStart: number) => void) {}

  /** False: there is a frame without a usable length, so the connection is of no more use. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered < this.needed) return true;
    const bytes = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.buffered);
    this.keep([], 0, 0);
    let at = 0;
    while (at < bytes.length) {
      const start = endOfPrefix(bytes, at);
      const length = start > 0 ? Number(bytes.toString('latin1', at, start - 1)) : 0;
      if (start < 0 || (start > 0 && (length === 0 || length > maximumFrame))) return false;
      if (start === 0 || start + length > bytes.length) {
        this.keep([bytes.subarray(at)], bytes.length - at, start === 0 ? 0 : start + length - at);
        return true;
      }
      this.frame(bytes.subarray(at, start + length), start - at);
      at = start + length;
    }
    return true;
  }

  private keep(chunks: Buffer[], buffered: number, needed: number): void {
    this.chunks = chunks;
    this.buffered = buffered;
    this.needed = needed;
  }

  private frame(frame: Buffer, payloadStart: number): void {
    try {
      this.onFrame(frame, payloadStart);
    } catch (error) {
      // A defect loses the frame that caused it, not those behind it.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}
