import { peerKey } from './connection-table.js';
import type { Target } from './flow.js';

const maximumEntries = 1_024;

/** Remembers targets to which no connection could be opened, so that the next calls try them last. */
export class AvoidedTargets {
  private readonly until = new Map<string, number>();

  constructor(
    private readonly milliseconds: number,
    private readonly now: () => number,
  ) {}

  failed(target: Target): void {
    const key = peerKey(target.protocol, target.address, target.port);
    this.until.delete(key);
    if (this.until.size >= maximumEntries) this.until.delete(this.until.keys().next().value!);
    this.until.set(key, this.now() + this.milliseconds);
  }

  worked(target: Target): void {
    if (this.until.size > 0) this.until.delete(peerKey(target.protocol, target.address, target.port));
  }

  /** The same targets, those that failed lately last. */
  order(targets: readonly Target[]): readonly Target[] {
    if (this.until.size === 0 || targets.length < 2) return targets;
    const failing = targets.filter((target) => this.isAvoided(target));
    if (failing.length === 0 || failing.length === targets.length) return targets;
    return [...targets.filter((target) => !failing.includes(target)), ...failing];
  }

  private isAvoided(target: Target): boolean {
    const key = peerKey(target.protocol, target.address, target.port);
    const until = this.until.get(key);
    if (until === undefined) return false;
    if (this.now() < until) return true;
    this.until.delete(key);
    return false;
  }
}
