import type { Rate } from './token-buckets.js';

interface Bucket {
  tokens: number;
  /** Monotonic milliseconds. */
  at: number;
}

/** One of those that share a rate. */
interface Member extends Bucket {
  /** Attempts a second, averaged over `demandSeconds`. */
  demand: number;
  demandAt: number;
}

interface Group extends Bucket {
  /** In order of their last attempt. */
  readonly members: Map<string, Member>;
}

/** Long enough to see a source that calls once a second, short enough to give the share of a silent one away. */
const demandSeconds = 2;
/** Below this a member is forgotten: about ten seconds after its last attempt. */
const negligibleDemand = 0.005;
/** Of more sources at a time those longest silent are forgotten, which gives them a full share again. */
const maximumMembers = 64;

/**
 * A token bucket that several members share fairly (max-min): while the total demand is within the rate, each gets what it
 * asks for; beyond that each gets at least its equal share, and unused shares go to the others. So a flood from one source
 * takes nothing from a neighbor that calls occasionally. A member below its share may overdraw the bucket by one burst;
 * members above theirs wait until that is paid back.
 */
export class FairRate {
  private readonly groups = new Map<string, Group>();

  constructor(
    private readonly maximumGroups: number,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {}

  /** Takes one token of the group for this member: 0 when there was one for it, else the seconds until there is. */
  take(key: string, name: string, rate: Rate): number {
    const group = this.groupOf(key, rate);
    this.count(group, name, rate.burst);
    return this.draw(group, name, rate, true) ?? (1 - group.tokens) / rate.perSecond;
  }

  /**
   * The same for a group that gets all its tokens from `deposit`; undefined: it needs some first.
   * @param mayOverdraw there are none to be had for it now
   */
  takeDeposited(key: string, name: string, rate: Rate, mayOverdraw: boolean): number | undefined {
    const group = this.depositedGroup(key);
    this.count(group, name, rate.burst);
    return this.draw(group, name, rate, mayOverdraw);
  }

  /** Tries again what `takeDeposited` could not, without counting another attempt. */
  retryDeposited(key: string, name: string, rate: Rate, mayOverdraw: boolean): number | undefined {
    return this.draw(this.depositedGroup(key), name, rate, mayOverdraw);
  }

  /** Adds tokens to a group, or removes them. */
  deposit(key: string, tokens: number): void {
    this.depositedGroup(key).tokens += tokens;
  }

  /** Of a group with deposits; negative after more than those were taken. */
  tokensOf(key: string): number {
    return this.groups.get(key)?.tokens ?? 0;
  }

  /** Undefined: the group lacks a token for the member. */
  private draw(
    group: Group,
    name: string,
    { perSecond, burst }: Rate,
    mayOverdraw: boolean,
  ): number | undefined {
    const member = group.members.get(name);
    if (member === undefined) return undefined;
    const share = shareOf(group.members.values(), perSecond);
    refill(member, share, Math.max(1, (share * burst) / perSecond), this.now());
    const isAlone = group.members.size === 1;
    const floor = isAlone || member.demand > share || !mayOverdraw ? 1 : 1 - Math.max(1, burst);
    if (group.tokens < floor) return undefined;
    if (!isAlone && member.demand > share && member.tokens < 1) return (1 - member.tokens) / share;
    group.tokens--;
    member.tokens = Math.max(0, member.tokens - 1);
    return 0;
  }

  /** Refunds an unused token. */
  giveBack(key: string, name: string): void {
    const group = this.groups.get(key);
    if (group === undefined) return;
    group.tokens++;
    const member = group.members.get(name);
    if (member !== undefined) member.tokens++;
  }

  /** Seconds until the group has a token; 0: now. Takes none and remembers nothing. */
  wait(key: string, { perSecond, burst }: Rate): number {
    const group = this.groups.get(key);
    if (group === undefined) return 0;
    const tokens = Math.min(burst, group.tokens + ((this.now() - group.at) / 1_000) * perSecond);
    return tokens < 1 ? (1 - tokens) / perSecond : 0;
  }

  get size(): number {
    return this.groups.size;
  }

  private groupOf(key: string, { perSecond, burst }: Rate): Group {
    const now = this.now();
    let group = this.groups.get(key);
    if (group === undefined) {
      group = { tokens: burst, at: now, members: new Map() };
      if (this.groups.size >= this.maximumGroups) this.groups.delete(this.groups.keys().next().value!);
    } else {
      refill(group, perSecond, burst, now);
      this.groups.delete(key);
    }
    this.groups.set(key, group);
    return group;
  }

  private depositedGroup(key: string): Group {
    const now = this.now();
    let group = this.groups.get(key);
    if (group === undefined) {
      group = { tokens: 0, at: now, members: new Map() };
      if (this.groups.size >= this.maximumGroups) this.groups.delete(this.groups.keys().next().value!);
    } else {
      this.groups.delete(key);
    }
    group.at = now;
    this.groups.set(key, group);
    return group;
  }

  /** Counts the member's attempt; the others' demand is brought up to now. */
  private count({ members }: Group, name: string, burst: number): void {
    const now = this.now();
    for (const [candidate, member] of members) {
      member.demand *= Math.exp((member.demandAt - now) / 1_000 / demandSeconds);
      member.demandAt = now;
      if (member.demand < negligibleDemand && candidate !== name) members.delete(candidate);
    }
    let member = members.get(name);
    if (member === undefined) {
      if (members.size >= maximumMembers) members.delete(members.keys().next().value!);
      member = { tokens: burst, at: now, demand: 0, demandAt: now };
    } else {
      members.delete(name);
    }
    member.demand += 1 / demandSeconds;
    members.set(name, member);
  }
}

function refill(bucket: Bucket, perSecond: number, burst: number, now: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
  bucket.at = now;
}

/** The share up to which each member's demand is met (max-min fairness); the whole rate while there is enough for all. */
function shareOf(members: Iterable<Member>, perSecond: number): number {
  const demands = Array.from(members, ({ demand }) => demand).sort((first, second) => first - second);
  let left = perSecond;
  for (const [index, demand] of demands.entries()) {
    const equal = left / (demands.length - index);
    if (demand > equal) return equal;
    left -= demand;
  }
  return perSecond;
}
