/** Values between 0 and 1 by size. */

export interface Bin {
  /** 0 to 1; the last bin includes its upper bound. */
  readonly from: number;
  readonly to: number;
  readonly passed: number;
  readonly failed: number;
}

export interface Scored {
  /** 0 to 1. */
  readonly score: number;
  readonly isPassed: boolean;
}

export function histogramOf(values: readonly Scored[], binCount = 10): readonly Bin[] {
  const bins = Array.from({ length: binCount }, (_, index) => ({
    from: index / binCount,
    to: (index + 1) / binCount,
    passed: 0,
    failed: 0,
  }));
  for (const { score, isPassed } of values) {
    if (!Number.isFinite(score)) continue;
    // 0.3 * 10 is 3 but 0.29 / 0.1 is not 2.9 in binary: multiply, and forgive the last digit.
    const index = Math.min(binCount - 1, Math.max(0, Math.floor(score * binCount + 1e-9)));
    bins[index]![isPassed ? 'passed' : 'failed']++;
  }
  return bins;
}
