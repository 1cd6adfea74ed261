import { randomUUID } from 'node:crypto';

const digits = 12;

/** Ids of the frames between application and engine, in the form of UUIDs: they pair a reply with its frame and are no secret, so they count. */
export class FrameIds {
  private readonly prefix = randomUUID().slice(0, -digits);
  private count = 0;

  next(): string {
    this.count++;
    return this.prefix + this.count.toString(16).padStart(digits, '0');
  }
}
