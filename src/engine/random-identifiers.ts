import { randomBytes, randomUUID } from 'node:crypto';
import type { Identifiers } from './dialog/identifiers.js';

const poolSize = 4096;
const tagBytes = 8;

/** Unguessable identifiers; random octets are fetched in bulk, because one call for each costs more than the octets. */
export class RandomIdentifiers implements Identifiers {
  private pool = Buffer.alloc(0);
  private at = 0;

  transactionId(): string {
    return randomUUID();
  }

  tag(): string {
    return this.take(tagBytes).toString('hex');
  }

  callId(): string {
    return randomUUID();
  }

  /** Low enough to count up for the life of a dialog. */
  sequence(): number {
    return 1 + (this.take(4).readUInt32BE() & 0x3fff_ffff);
  }

  fraction(): number {
    return this.take(4).readUInt32BE() / 0x1_0000_0000;
  }

  private take(length: number): Buffer {
    if (this.at + length > this.pool.length) {
      this.pool = randomBytes(poolSize);
      this.at = 0;
    }
    const bytes = this.pool.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }
}
