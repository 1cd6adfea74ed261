export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** The 97.5th percentile of the normal distribution: 95 % lie within it on both sides. */
const normal95 = 1.959963984540054;

/**
 * The score interval of a proportion at 95 % (E. B. Wilson, JASA 22, 1927): unlike the textbook's, it stays within 0 and 1 and is
 * right for few runs.
 * @returns undefined: no runs
 */
export function wilsonInterval(passed: number, runs: number): Interval | undefined {
  if (runs === 0) return undefined;
  const rate = passed / runs;
  const square = normal95 ** 2;
  const center = rate + square / (2 * runs);
  const margin = normal95 * Math.sqrt((rate * (1 - rate) + square / (4 * runs)) / runs);
  const scale = 1 + square / runs;
  return {
    lower: passed === 0 ? 0 : (center - margin) / scale,
    upper: passed === runs ? 1 : (center + margin) / scale,
  };
}
