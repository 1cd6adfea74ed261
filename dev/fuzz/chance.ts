import { createHash } from 'node:crypto';
import { seededRandom } from '../../src/base/seeded-random.js';

/** Decisions that are the same for the same seed. */
export class Chance {
  private readonly random: () => number;

  constructor(private readonly seed: string) {
    this.random = seededRandom(createHash('sha256').update(seed).digest().readInt32BE(0));
  }

  /** Independent decisions: what one party decides does not depend on how often others did. */
  derive(name: string): Chance {
    return new Chance(`${this.seed} ${name}`);
  }

  happens(probability: number): boolean {
    return this.random() < probability;
  }

  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  /** Letters and digits, different at every call. */
  token(): string {
    return this.between(0, 0xffff_ffff).toString(36) + this.between(0, 0xffff_ffff).toString(36);
  }
}
