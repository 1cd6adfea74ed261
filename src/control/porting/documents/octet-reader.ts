import { DocumentRefused } from './document-refused.js';

/** What a parser wants next of a stream of octets. */
export type Wish =
  /** So many octets, at most 64 KiB. */
  | { readonly take: number }
  | { readonly skip: number }
  /** Everything up to and with the next octet of this value. */
  | { readonly skipTo: number }
  /** Everything to the end of the stream; the parser is resumed at the end with how many octets that were. */
  | 'rest';

/** Gets the octets that it asked for; an empty buffer for the other wishes. */
export type OctetParser<Result> = Generator<Wish, Result, Buffer>;

/** Runs a parser on a stream, chunk by chunk; holds no more octets than the parser takes at once. */
export class OctetReader<Result> {
  private buffered: Buffer = Buffer.alloc(0);
  private wish: Wish;
  private restLength = 0;
  private left = 0;
  private result: Result | undefined;
  private isDone = false;

  constructor(private readonly parser: OctetParser<Result>) {
    this.wish = 'rest';
    this.resume(Buffer.alloc(0));
  }

  write(chunk: Buffer): void {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    while (!this.isDone && this.serve());
    if (this.isDone) this.buffered = Buffer.alloc(0);
  }

  /** Throws `DocumentRefused` when the stream ends before its parser. */
  end(): Result {
    if (!this.isDone && this.wish === 'rest') {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Math.min(this.restLength, 0xffff_ffff));
      this.resume(length);
    }
    if (!this.isDone) throw new DocumentRefused('The file is cut off: its end is missing. Upload it again.');
    return this.result as Result;
  }

  /** True: something was consumed. */
  private serve(): boolean {
    const { wish, buffered } = this;
    if (wish === 'rest') {
      this.restLength += buffered.length;
      this.buffered = Buffer.alloc(0);
      return false;
    }
    if ('take' in wish) {
      if (buffered.length < wish.take) return false;
      this.buffered = buffered.subarray(wish.take);
      this.resume(buffered.subarray(0, wish.take));
      return true;
    }
    if ('skip' in wish) {
      const length = Math.min(this.left, buffered.length);
      this.left -= length;
      this.buffered = buffered.subarray(length);
      if (this.left > 0) return false;
      this.resume(Buffer.alloc(0));
      return true;
    }
    const at = buffered.indexOf(wish.skipTo);
    this.buffered = at < 0 ? Buffer.alloc(0) : buffered.subarray(at + 1);
    if (at < 0) return false;
    this.resume(Buffer.alloc(0));
    return true;
  }

  private resume(octets: Buffer): void {
    const step = this.parser.next(octets);
    if (step.done === true) {
      this.result = step.value;
      this.isDone = true;
      return;
    }
    this.wish = step.value;
    if (this.wish !== 'rest' && 'skip' in this.wish) this.left = this.wish.skip;
  }
}
