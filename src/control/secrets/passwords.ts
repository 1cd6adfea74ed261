import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { FairSemaphore } from '../../base/fair-semaphore.js';
import { DemarcError } from '../../errors.js';

/** Long passwords are good; without a bound they cost time to hash. */
const longest = 256;
const shortest = 12;

/** NIST SP 800-63B §3.1.1.2: a minimum length and no rules of composition; Unicode in one normal form. */
export const passwordSchema = z
  .string()
  .max(longest, `password must have at most ${longest} characters.`)
  .transform((text) => text.normalize('NFKC'))
  .refine((text) => [...text].length >= shortest, {
    error: `password must have at least ${shortest} characters.`,
  })
  .meta({
    description: `The password, ${shortest}–${longest} characters.`,
    examples: ['correct horse battery staple'],
  });

/** For a password to compare: whatever is too short or too long is wrong, not invalid. */
export const givenPasswordSchema = z
  .string()
  .min(1)
  .max(longest)
  .transform((text) => text.normalize('NFKC'));

export interface PasswordCost {
  /** Base-2 logarithm of N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's parameters for 32 MB of memory: a quarter of a second of one core. */
const usual: PasswordCost = { logN: 15, r: 8, p: 3 };
const saltOctets = 16;
const hashOctets = 32;

/** Hashes that run at once: each takes 32 MB and a thread of the pool that DNS lookups and file reads share. */
const strangers = new FairSemaphore(2);
/** Queue for browsers in which the person has signed in before: floods from unknown browsers do not delay them. */
const knownBrowsers = new FairSemaphore(1);
const patienceMilliseconds = 10_000;
const maximumWaiting = 100;

async function derive(
  password: string,
  salt: Buffer,
  { logN, r, p }: PasswordCost,
  octets: number,
  hashing: FairSemaphore,
): Promise<Buffer> {
  if (hashing.waiting >= maximumWaiting || !(await hashing.enter(patienceMilliseconds))) {
    throw new DemarcError('SERVICE_UNAVAILABLE', { operatorDetail: 'too many sign-ins at once' });
  }
  try {
    const N = 2 ** logN;
    return await new Promise((resolve, reject) => {
      scrypt(password, salt, octets, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
        error === null ? resolve(key) : reject(error),
      );
    });
  } finally {
    hashing.leave();
  }
}

const stored = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/** Hashes passwords of people and compares with them: `$scrypt$ln=15,r=8,p=3$salt$hash`, both in base64. */
export class Passwords {
  private readonly prefix: string;
  /** A hash of nothing: comparing with it takes as long as comparing with a person's. */
  private readonly ofNoPerson: string;

  /** @param cost of new hashes; those of another cost remain valid. Lower ones are for tests, which hash thousands of times */
  constructor(private readonly cost: PasswordCost = usual) {
    this.prefix = `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$`;
    this.ofNoPerson = this.stored(Buffer.alloc(saltOctets), Buffer.alloc(hashOctets));
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltOctets);
    return this.stored(salt, await derive(password, salt, this.cost, hashOctets, strangers));
  }

  /**
   * Takes the same time whether or not there is a hash to compare with.
   * @param hash undefined: there is no such person
   * @param isKnownBrowser true: does not wait behind other browsers
   */
  async matches(password: string, hash: string | undefined, isKnownBrowser = false): Promise<boolean> {
    const [, logN, r, p, salt, expected] = stored.exec(hash ?? this.ofNoPerson) ?? [];
    if (salt === undefined || expected === undefined) throw new Error('a stored password hash is malformed');
    const expectedHash = Buffer.from(expected, 'base64');
    const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
    const hashing = isKnownBrowser ? knownBrowsers : strangers;
    const found = await derive(password, Buffer.from(salt, 'base64'), cost, expectedHash.length, hashing);
    return timingSafeEqual(found, expectedHash) && hash !== undefined;
  }

  /** Whether the hash was made at another cost than new ones. */
  isOutdated(hash: string): boolean {
    return !hash.startsWith(this.prefix);
  }

  private stored(salt: Buffer, hash: Buffer): string {
    return `${this.prefix}${salt.toString('base64')}$${hash.toString('base64')}`;
  }
}
