import { createCipheriv, createHmac } from 'node:crypto';

/** RFC 3711 §4.3.2: labels of the session keys. */
const labels = { encryption: 0, authentication: 1, salt: 2 } as const;
const tagOctets = 10;
const headerOctets = 12;
const wrap = 65_536;

/** One direction of a stream under AES_CM_128_HMAC_SHA1_80 (RFC 3711, RFC 4568 §6.2), for test media: one SSRC, no replay list. */
export class SrtpStream {
  private readonly key: Buffer;
  private readonly salt: Buffer;
  private readonly authenticationKey: Buffer;
  private rollovers = 0;
  private highest: number | undefined;

  /** @param inline key and salt as in `a=crypto`: 30 octets in base64 */
  constructor(inline: string) {
    const master = Buffer.from(inline, 'base64');
    const derive = (label: number, octets: number): Buffer => {
      const counter = Buffer.alloc(16);
      master.copy(counter, 0, 16, 30);
      counter[7]! ^= label;
      return keystream(master.subarray(0, 16), counter, octets);
    };
    this.key = derive(labels.encryption, 16);
    this.authenticationKey = derive(labels.authentication, 20);
    this.salt = derive(labels.salt, 14);
  }

  protect(packet: Buffer): Buffer {
    const rollovers = this.advance(packet.readUInt16BE(2));
    const body = this.crypt(packet, rollovers);
    return Buffer.concat([body, this.tag(body, rollovers)]);
  }

  /** Undefined: it is not authentic. */
  unprotect(packet: Buffer): Buffer | undefined {
    if (packet.length < headerOctets + tagOctets) return undefined;
    const body = packet.subarray(0, -tagOctets);
    const before = { rollovers: this.rollovers, highest: this.highest };
    const rollovers = this.advance(body.readUInt16BE(2));
    if (this.tag(body, rollovers).equals(packet.subarray(-tagOctets))) return this.crypt(body, rollovers);
    this.rollovers = before.rollovers;
    this.highest = before.highest;
    return undefined;
  }

  /** RFC 3711 §3.3.1: the rollover counter of that sequence number. */
  private advance(sequence: number): number {
    if (this.highest === undefined) {
      this.highest = sequence;
      return this.rollovers;
    }
    const ahead = (sequence - this.highest + wrap) % wrap;
    if (ahead >= wrap / 2) return sequence > this.highest ? this.rollovers - 1 : this.rollovers;
    if (sequence < this.highest) this.rollovers++;
    this.highest = sequence;
    return this.rollovers;
  }

  private crypt(packet: Buffer, rollovers: number): Buffer {
    const counter = Buffer.alloc(16);
    this.salt.copy(counter);
    const mix = (value: number, at: number): void => {
      counter.writeUInt32BE((counter.readUInt32BE(at) ^ value) >>> 0, at);
    };
    mix(packet.readUInt32BE(8), 4);
    mix(rollovers >>> 0, 8);
    mix((packet.readUInt16BE(2) << 16) >>> 0, 12);
    const stream = keystream(this.key, counter, packet.length - headerOctets);
    const result = Buffer.from(packet);
    for (let at = headerOctets; at < packet.length; at++) result[at]! ^= stream[at - headerOctets]!;
    return result;
  }

  private tag(body: Buffer, rollovers: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(rollovers >>> 0);
    return createHmac('sha1', this.authenticationKey)
      .update(body)
      .update(counter)
      .digest()
      .subarray(0, tagOctets);
  }
}

const keystream = (key: Buffer, counter: Buffer, octets: number): Buffer =>
  createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(octets));
