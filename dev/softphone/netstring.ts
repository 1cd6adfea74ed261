/** Frames of the form `<length>:<bytes>,`, used by baresip's control port. */
export class NetstringReader {
  private pending = Buffer.alloc(0);

  /** @returns the payloads that are complete. @throws when the stream is not a sequence of netstrings */
  push(chunk: Buffer): string[] {
    this.pending = Buffer.concat([this.pending, chunk]);
    const payloads: string[] = [];
    for (;;) {
      const colon = this.pending.indexOf(0x3a);
      if (colon < 0) return payloads;
      const length = Number(this.pending.toString('latin1', 0, colon));
      if (!Number.isInteger(length)) throw new Error('This is not a sequence of netstrings.');
      const end = colon + 1 + length;
      if (this.pending.length <= end) return payloads;
      payloads.push(this.pending.toString('utf8', colon + 1, end));
      this.pending = this.pending.subarray(end + 1);
    }
  }
}

export function netstring(payload: string): Buffer {
  const bytes = Buffer.from(payload, 'utf8');
  return Buffer.concat([Buffer.from(`${bytes.length}:`, 'latin1'), bytes, Buffer.from(',', 'latin1')]);
}
