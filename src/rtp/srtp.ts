import { createCipheriv, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { headerLengthOf } from './packet.js';

/** SRTP and SRTCP with AES_CM_128_HMAC_SHA1_80 (RFC 3711, RFC 4568 §6.2): one direction of a stream. */

const keyLength = 16;
const saltLength = 14;
/** Octets of the master key and salt in `a=crypto` (RFC 4568 §6.1). */
export const masterLength = keyLength + saltLength;
const authenticationKeyLength = 20;
const tagLength = 10;
const rtcpHeaderLength = 8;
const encryptedBit = 0x8000_0000;
const replayWindow = 64n;

const labels = { rtp: 0, rtcp: 3 } as const;

interface SessionKeys {
  readonly cipher: KeyObject;
  readonly authentication: KeyObject;
  readonly salt: Buffer;
}

/** AES in counter mode, whose key stream of the position is added to the octets (RFC 3711 §4.1.1). */
function counterMode(key: KeyObject, initial: Buffer, octets: Buffer): Buffer {
  return createCipheriv('aes-128-ctr', key, initial).update(octets);
}

/** RFC 3711 §4.3.1 with a key derivation rate of 0. */
function derive(master: Buffer, firstLabel: number): SessionKeys {
  const masterKey = createSecretKey(master.subarray(0, keyLength));
  const part = (label: number, length: number): Buffer => {
    const initial = Buffer.alloc(16);
    master.copy(initial, 0, keyLength, masterLength);
    initial[7]! ^= label;
    return counterMode(masterKey, initial, Buffer.alloc(length));
  };
  return {
    cipher: createSecretKey(part(firstLabel, keyLength)),
    authentication: createSecretKey(part(firstLabel + 1, authenticationKeyLength)),
    salt: part(firstLabel + 2, saltLength),
  };
}

/** RFC 3711 §4.1.1: salt, source and packet index. */
function initialCounter(salt: Buffer, source: number, index: bigint): Buffer {
  const initial = Buffer.alloc(16);
  salt.copy(initial);
  initial.writeUInt32BE((initial.readUInt32BE(4) ^ source) >>> 0, 4);
  const low = initial.readBigUInt64BE(8) ^ (index << 16n);
  initial.writeBigUInt64BE(low, 8);
  return initial;
}

interface Reached {
  index: bigint;
  /** Bit n: the packet with index - n was received. */
  window: bigint;
}

/** Protects or opens the packets of one direction; what is not authentic or came before is refused (RFC 3711 §3.3). */
export class SrtpContext {
  private readonly rtp: SessionKeys;
  private readonly rtcp: SessionKeys;
  /** By source. */
  private readonly reached = new Map<number, Reached>();
  private rtcpIndex = 0;

  /** @param master 30 octets, secret */
  constructor(master: Buffer) {
    if (master.length !== masterLength) throw new RangeError(`A master key has ${masterLength} octets.`);
    this.rtp = derive(master, labels.rtp);
    this.rtcp = derive(master, labels.rtcp);
  }

  /** Encrypts and authenticates an RTP packet. */
  protect(packet: Buffer): Buffer {
    const start = headerLengthOf(packet);
    if (start === undefined) throw new RangeError('Not an RTP packet.');
    const source = packet.readUInt32BE(8);
    const index = this.indexOf(source, packet.readUInt16BE(2));
    this.note(source, index);
    const encrypted = this.crypt(this.rtp, packet, start, source, index);
    return Buffer.concat([encrypted, this.rtpTag(encrypted, index)]);
  }

  /** Undefined: forged, damaged or repeated. */
  unprotect(packet: Buffer): Buffer | undefined {
    const end = packet.length - tagLength;
    if (end < 0) return undefined;
    const encrypted = packet.subarray(0, end);
    const start = headerLengthOf(encrypted);
    if (start === undefined) return undefined;
    const source = packet.readUInt32BE(8);
    const index = this.indexOf(source, packet.readUInt16BE(2));
    if (!timingSafeEqual(packet.subarray(end), this.rtpTag(encrypted, index))) return undefined;
    if (!this.note(source, index)) return undefined;
    return this.crypt(this.rtp, encrypted, start, source, index);
  }

  /** Encrypts and authenticates a compound RTCP packet (RFC 3711 §3.4). */
  protectReport(compound: Buffer): Buffer {
    const source = compound.readUInt32BE(4);
    this.rtcpIndex = (this.rtcpIndex + 1) & 0x7fff_ffff;
    const encrypted = this.crypt(this.rtcp, compound, rtcpHeaderLength, source, BigInt(this.rtcpIndex));
    const trailer = Buffer.alloc(4);
    trailer.writeUInt32BE((encryptedBit | this.rtcpIndex) >>> 0);
    const signed = Buffer.concat([encrypted, trailer]);
    return Buffer.concat([signed, tagOf(this.rtcp, signed)]);
  }

  /** Undefined: forged or damaged. */
  unprotectReport(packet: Buffer): Buffer | undefined {
    const end = packet.length - tagLength;
    if (end < rtcpHeaderLength + 4) return undefined;
    if (!timingSafeEqual(packet.subarray(end), tagOf(this.rtcp, packet.subarray(0, end)))) return undefined;
    const trailer = packet.readUInt32BE(end - 4);
    const compound = packet.subarray(0, end - 4);
    if ((trailer & encryptedBit) === 0) return Buffer.from(compound);
    const index = BigInt(trailer & 0x7fff_ffff);
    return this.crypt(this.rtcp, compound, rtcpHeaderLength, packet.readUInt32BE(4), index);
  }

  private crypt(keys: SessionKeys, packet: Buffer, start: number, source: number, index: bigint): Buffer {
    const counter = initialCounter(keys.salt, source, index);
    return Buffer.concat([
      packet.subarray(0, start),
      counterMode(keys.cipher, counter, packet.subarray(start)),
    ]);
  }

  private rtpTag(encrypted: Buffer, index: bigint): Buffer {
    const rollover = Buffer.alloc(4);
    rollover.writeUInt32BE(Number(index >> 16n));
    return tagOf(this.rtp, encrypted, rollover);
  }

  /** The index nearest to the highest one of the source (RFC 3711 §3.3.1). */
  private indexOf(source: number, sequence: number): bigint {
    const reached = this.reached.get(source);
    if (reached === undefined) return BigInt(sequence);
    const highest = Number(reached.index & 0xffffn);
    let rollover = reached.index >> 16n;
    if (sequence - highest > 0x8000 && rollover > 0n) rollover -= 1n;
    else if (highest - sequence > 0x8000) rollover += 1n;
    return (rollover << 16n) | BigInt(sequence);
  }

  /** False: the packet was received before, or is too old to tell (RFC 3711 §3.3.2). */
  private note(source: number, index: bigint): boolean {
    const reached = this.reached.get(source);
    if (reached === undefined) {
      this.reached.set(source, { index, window: 1n });
      return true;
    }
    const ahead = index - reached.index;
    if (ahead > 0n) {
      reached.window = ahead >= replayWindow ? 1n : BigInt.asUintN(64, (reached.window << ahead) | 1n);
      reached.index = index;
      return true;
    }
    const bit = 1n << -ahead;
    if (-ahead >= replayWindow || (reached.window & bit) !== 0n) return false;
    reached.window |= bit;
    return true;
  }
}

function tagOf({ authentication }: SessionKeys, ...signed: readonly Buffer[]): Buffer {
  const hmac = createHmac('sha1', authentication);
  for (const part of signed) hmac.update(part);
  return hmac.digest().subarray(0, tagLength);
}
