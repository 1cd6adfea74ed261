import type { Interval } from './wilson-interval.js';

/** Verdicts of a judge and of a person on the same conversations. */
export interface Comparison {
  readonly bothPassed: number;
  readonly bothFailed: number;
  readonly onlyJudgePassed: number;
  readonly onlyPersonPassed: number;
}

const normal95 = 1.959963984540054;

/**
 * Cohen's kappa (Educational and Psychological Measurement 20, 1960): agreement beyond chance. 1 is complete agreement, 0 what two
 * would reach who decide by lot with the same pass rates.
 * @returns undefined: nothing to compare, or both gave one verdict alone, so that chance explains everything
 */
export function cohensKappa({
  bothPassed,
  bothFailed,
  onlyJudgePassed,
  onlyPersonPassed,
}: Comparison): { readonly kappa: number; readonly interval: Interval } | undefined {
  const count = bothPassed + bothFailed + onlyJudgePassed + onlyPersonPassed;
  if (count === 0) return undefined;
  const observed = (bothPassed + bothFailed) / count;
  const judge = (bothPassed + onlyJudgePassed) / count;
  const person = (bothPassed + onlyPersonPassed) / count;
  const chance = judge * person + (1 - judge) * (1 - person);
  if (chance === 1) return undefined;
  const kappa = (observed - chance) / (1 - chance);
  const margin = normal95 * Math.sqrt((observed * (1 - observed)) / (count * (1 - chance) ** 2));
  return { kappa, interval: { lower: Math.max(-1, kappa - margin), upper: Math.min(1, kappa + margin) } };
}
