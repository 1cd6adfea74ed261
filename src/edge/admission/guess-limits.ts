import { sourcePrefix } from '../../naming/address-scope.js';
import { TokenBuckets } from './token-buckets.js';

/** One answer to a challenge, before it is known whether it is right. */
export interface Guess {
  /** Address of the source. */
  readonly source: string;
  /** Whose users these are: two organizations may have users of one name. */
  readonly organization: string;
  readonly username: string;
  readonly callId: string;
}

const maximumKeys = 20_000;
/** Of one user name from everywhere, in units of what one source may give. */
const distributedShare = 3;
const wrongOfACall = 2;
/** Source prefixes of one user name that have given right answers. */
const maximumKnown = 16;

/**
 * How many wrong digest answers are checked (RFC 7616 §5.12), so that passwords cannot be guessed, and a PBX with one
 * mistyped password locks out only itself. Four counts, all bounded and per minute: per call, per user name from one source
 * (an IPv4 address or IPv6 /64), of different user names from one source, and of a user name from all sources that never
 * gave a right answer. Existing and unknown users count alike; a difference would reveal which exist.
 */
export class GuessLimits {
  private readonly ofCall: TokenBuckets;
  private readonly ofUserAtSource: TokenBuckets;
  private readonly firstOfUserAtSource: TokenBuckets;
  private readonly ofSource: TokenBuckets;
  private readonly ofUser: TokenBuckets;
  /** By user, in the order of their last right answer. */
  private readonly successes = new Map<string, Set<string>>();

  constructor(
    private readonly perMinute: number,
    now: () => number,
  ) {
    const buckets = (): TokenBuckets => new TokenBuckets(maximumKeys, now);
    this.ofCall = buckets();
    this.ofUserAtSource = buckets();
    this.firstOfUserAtSource = buckets();
    this.ofSource = buckets();
    this.ofUser = buckets();
  }

  /** Why the answer is not checked; undefined: it is. */
  refusal(guess: Guess): string | undefined {
    const { user, prefix, call, name } = keysOf(guess);
    if (this.ofCall.wait(call, rate(wrongOfACall)) > 0) {
      return `${wrongOfACall} wrong digest answers for ${name} in this call: further ones are refused unchecked.`;
    }
    const atSource = this.ofUserAtSource.wait(`${prefix} ${user}`, rate(this.perMinute));
    if (atSource > 0) {
      return `More than ${this.perMinute} wrong digest answers per minute for ${name} from ${prefix}; ${again(atSource)} Other users at that address are not affected.`;
    }
    const ofSource = this.ofSource.wait(prefix, rate(this.perMinute));
    if (ofSource > 0) {
      return `Wrong digest answers for more than ${this.perMinute} users per minute from ${prefix}; ${again(ofSource)}`;
    }
    const total = this.perMinute * distributedShare;
    const ofUser = this.ofUser.wait(user, rate(total));
    if (ofUser > 0 && this.successes.get(user)?.has(prefix) !== true) {
      return `More than ${total} wrong digest answers per minute for ${name} from several sources; sources that answered correctly before are not affected. ${again(ofUser)}`;
    }
    return undefined;
  }

  /** True: it was the last wrong answer of its call that is checked. */
  wrong(guess: Guess): boolean {
    const { user, prefix, call } = keysOf(guess);
    this.ofCall.take(call, rate(wrongOfACall));
    this.ofUserAtSource.take(`${prefix} ${user}`, rate(this.perMinute));
    if (this.firstOfUserAtSource.take(`${prefix} ${user}`, rate(1)) === 0) {
      this.ofSource.take(prefix, rate(this.perMinute));
    }
    if (this.successes.get(user)?.has(prefix) !== true) {
      this.ofUser.take(user, rate(this.perMinute * distributedShare));
    }
    return this.ofCall.wait(call, rate(wrongOfACall)) > 0;
  }

  right(guess: Guess): void {
    const { user, prefix } = keysOf(guess);
    const prefixes = this.successes.get(user) ?? new Set();
    prefixes.delete(prefix);
    prefixes.add(prefix);
    if (prefixes.size > maximumKnown) prefixes.delete(prefixes.values().next().value!);
    this.successes.delete(user);
    this.successes.set(user, prefixes);
    if (this.successes.size > maximumKeys) this.successes.delete(this.successes.keys().next().value!);
  }
}

const rate = (perMinute: number) => ({ perSecond: perMinute / 60, burst: perMinute });

const again = (seconds: number): string => `checked again in ${Math.ceil(seconds)} s.`;

function keysOf({ source, organization, username, callId }: Guess) {
  const prefix = sourcePrefix(source);
  const user = JSON.stringify([organization, username]);
  return { prefix, user, call: `${prefix} ${user} ${callId}`, name: JSON.stringify(username) };
}
