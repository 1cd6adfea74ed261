import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** Of what is encrypted at once; an opened segment is authenticated before any of it is passed on. */
const segmentOctets = 64 * 1024;
const tagOctets = 16;
const algorithm = 'aes-256-gcm';

/** A key for one document alone. */
export const newDocumentKey = (): Buffer => randomBytes(32);

/** The position of a segment, and whether it is the last one: segments cannot be moved, left out or cut off. */
function nonceOf(position: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(position, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts a stream into segments of a fixed length; the last one may be shorter, and is there even when it is empty. */
abstract class Segments extends Transform {
  private waiting: Buffer[] = [];
  private length = 0;
  private position = 0;

  constructor(private readonly inputOctets: number) {
    super();
  }

  protected abstract convert(segment: Buffer, nonce: Buffer): Buffer;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.waiting.push(chunk);
    this.length += chunk.length;
    try {
      // One octet more: else this could be the last segment.
      while (this.length > this.inputOctets) this.next(false);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.next(true);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  private next(isLast: boolean): void {
    const all = Buffer.concat(this.waiting);
    const segment = all.subarray(0, this.inputOctets);
    const rest = all.subarray(this.inputOctets);
    this.waiting = [rest];
    this.length = rest.length;
    this.push(this.convert(segment, nonceOf(this.position, isLast)));
    this.position++;
  }
}

/** Encrypts a stream with AES-256-GCM, segment by segment (the STREAM construction: Hoang et al., 2015). */
export class SealingStream extends Segments {
  constructor(private readonly key: Buffer) {
    super(segmentOctets);
  }

  protected convert(segment: Buffer, nonce: Buffer): Buffer {
    const cipher = createCipheriv(algorithm, this.key, nonce, { authTagLength: tagOctets });
    const text = Buffer.concat([cipher.update(segment), cipher.final()]);
    return Buffer.concat([text, cipher.getAuthTag()]);
  }
}

/** Decrypts what `SealingStream` wrote. Fails for octets that were changed, moved or cut off. */
export class OpeningStream extends Segments {
  constructor(private readonly key: Buffer) {
    super(segmentOctets + tagOctets);
  }

  protected convert(segment: Buffer, nonce: Buffer): Buffer {
    const end = segment.length - tagOctets;
    if (end < 0) throw new Error('A stored document is cut off.');
    const decipher = createDecipheriv(algorithm, this.key, nonce, { authTagLength: tagOctets });
    decipher.setAuthTag(segment.subarray(end));
    return Buffer.concat([decipher.update(segment.subarray(0, end)), decipher.final()]);
  }
}
