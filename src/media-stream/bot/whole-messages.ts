import { isUtf8 } from 'node:buffer';

export interface MessageOutput {
  /** False: the library has not read all that came before. */
  mayTake(): boolean;
  /** @param data valid until the call returns */
  message(data: Buffer, isBinary: boolean): void;
  /** Octets for the library, valid until the call returns. */
  octets(octets: Buffer): void;
}

/** FIN and no extension (RFC 6455 §5.2). */
const text = 0x81;
const binary = 0x82;
const ping = 0x89;
const pong = 0x8a;
const shortHeader = 2;
const longHeader = 4;
/** In place of a length: it is in the two octets that follow. Higher values have a mask or a longer length. */
const lengthFollows = 126;
/** Of a control frame (§5.5). */
const longestControl = 125;
const nothing = Buffer.alloc(0);

/**
 * Picks the messages that came in one frame, and whole, from what a server sends: nearly all of a call are such. The library reads
 * everything else, and once a frame is not plain, all that follows: it alone judges what is an error.
 */
export class WholeMessages {
  /** Octets of the current frame that are still to come, for the library. */
  private left = 0;
  private isPlain = true;
  /** The beginning of a header. */
  private held: Buffer = nothing;

  constructor(private readonly output: MessageOutput) {}

  /** Takes the octets that follow those before, which begin with a frame. */
  read(chunk: Buffer): void {
    const { output } = this;
    const octets = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    this.held = nothing;
    /** What comes before has been taken. */
    let taken = 0;
    // The library reports an error of a message after this turn: until then it gets what follows, too.
    let isMixed = this.left > 0;
    for (let at = 0; at < octets.length; ) {
      if (!this.isPlain) break;
      if (this.left > 0) {
        const piece = Math.min(this.left, octets.length - at);
        this.left -= piece;
        at += piece;
        continue;
      }
      const first = octets[at]!;
      const length = octets[at + 1];
      const header = length === lengthFollows ? longHeader : shortHeader;
      if (octets.length - at < header) {
        if (at > taken) output.octets(octets.subarray(taken, at));
        this.held = Buffer.from(octets.subarray(at));
        return;
      }
      const isMessage = first === text || first === binary;
      const isControl = first === ping || first === pong;
      if (length! > (isMessage ? lengthFollows : longestControl) || !(isMessage || isControl)) {
        this.isPlain = false;
        break;
      }
      const start = at + header;
      const end = start + (header === longHeader ? octets.readUInt16BE(at + shortHeader) : length!);
      if (!isMessage || isMixed || end > octets.length || !output.mayTake()) {
        this.left = end - at;
        isMixed ||= isMessage;
        continue;
      }
      const data = octets.subarray(start, end);
      if (first === text && !isUtf8(data)) {
        this.isPlain = false;
        break;
      }
      if (at > taken) output.octets(octets.subarray(taken, at));
      output.message(data, first === binary);
      at = end;
      taken = end;
    }
    if (taken < octets.length) output.octets(taken === 0 ? octets : octets.subarray(taken));
  }
}
