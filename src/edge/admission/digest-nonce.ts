import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

export type NonceState = 'good' | 'expired' | 'foreign';

interface Used {
  /** Highest nonce count seen. */
  count: number;
  /** When the nonce was made, seconds. */
  readonly made: number;
}

const stampLength = 4;
const saltLength = 9;
const macLength = 20;
const length = stampLength + saltLength + macLength;

/** Verified nonces remembered for replay checks: 60 s of 800 authenticated calls a second. */
const maximumUsed = 50_000;

/**
 * Nonces verifiably made by the holders of a key, for one source address and a short time (RFC 7616 §5.4): time, random
 * salt and an HMAC over both and the address. A nonce takes no memory until an answer to it was verified. Several edges share
 * the key, because the engine may give the answer to a challenge to another edge than the first request; each of them counts
 * the uses of a nonce separately.
 */
export class NonceKeeper {
  private readonly used = new Map<string, Used>();
  /** Nonces made up to this second are refused: their replay state had to be forgotten, or an earlier process had it. */
  private forgottenUpTo: number;

  constructor(
    private readonly lifeSeconds: number,
    /** Unix milliseconds: other processes read the nonces. */
    private readonly now: () => number,
    private readonly key: KeyObject = createSecretKey(randomBytes(32)),
  ) {
    this.forgottenUpTo = this.seconds() - 1;
  }

  make(source: string): string {
    const bytes = Buffer.allocUnsafe(length);
    bytes.writeUInt32BE(this.seconds(), 0);
    randomBytes(saltLength).copy(bytes, stampLength);
    this.mac(bytes, source).copy(bytes, stampLength + saltLength);
    return bytes.toString('base64url');
  }

  /** `foreign`: forged, made for another source, or with another key. */
  check(nonce: string, source: string): NonceState {
    const bytes = Buffer.from(nonce, 'base64url');
    // Base64 has several spellings of the same octets; only ours counts, or the replay check could be bypassed.
    if (bytes.length !== length || bytes.toString('base64url') !== nonce) return 'foreign';
    if (!timingSafeEqual(this.mac(bytes, source), bytes.subarray(stampLength + saltLength))) return 'foreign';
    const made = bytes.readUInt32BE(0);
    const isYoung = this.seconds() - made < this.lifeSeconds;
    return isYoung && made > this.forgottenUpTo ? 'good' : 'expired';
  }

  /**
   * Notes that an answer with this nonce count was verified. False: the count was used before (a replay). Call it only
   * after the digest was found right, so that an attacker cannot use up counts.
   */
  use(nonce: string, count: number): boolean {
    const used = this.used.get(nonce);
    if (used !== undefined) {
      if (count <= used.count) return false;
      used.count = count;
      return true;
    }
    this.forgetOld();
    this.used.set(nonce, { count, made: Buffer.from(nonce, 'base64url').readUInt32BE(0) });
    return true;
  }

  /** Nonces now remembered. */
  get remembered(): number {
    return this.used.size;
  }

  private forgetOld(): void {
    const oldest = this.seconds() - this.lifeSeconds;
    for (const [nonce, { made }] of this.used) {
      // In order of first use, which is nearly the order of creation: the rest is removed in a later round.
      if (made >= oldest) break;
      this.used.delete(nonce);
    }
    if (this.used.size < maximumUsed) return;
    for (const [nonce, { made }] of this.used) {
      this.used.delete(nonce);
      this.forgottenUpTo = Math.max(this.forgottenUpTo, made);
      break;
    }
  }

  private mac(bytes: Buffer, source: string): Buffer {
    return createHmac('sha256', this.key)
      .update(bytes.subarray(0, stampLength + saltLength))
      .update(source)
      .digest()
      .subarray(0, macLength);
  }

  private seconds(): number {
    return Math.floor(this.now() / 1000);
  }
}
