/** Passed and failed runs of one side. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** ln n! of 0 to `most`. */
function logFactorials(most: number): number[] {
  const sums = [0];
  for (let factor = 1; factor <= most; factor++) sums.push(sums[factor - 1]! + Math.log(factor));
  return sums;
}

/**
 * Fisher's exact test of two pass rates, two-sided: the chance of a table at least as unlikely as this one if both sides pass alike
 * (R. A. Fisher, JRSS 85, 1922). Right for few runs, where the normal approximation is not.
 */
export function fisherExact(left: Tally, right: Tally): number {
  const [ofLeft, ofRight] = [left.passed + left.failed, right.passed + right.failed];
  const passed = left.passed + right.passed;
  const whole = ofLeft + ofRight;
  const factorials = logFactorials(whole);
  const logFactorial = (count: number): number => factorials[count]!;
  const fixed =
    logFactorial(ofLeft) +
    logFactorial(ofRight) +
    logFactorial(passed) +
    logFactorial(whole - passed) -
    logFactorial(whole);
  const chance = (count: number): number =>
    Math.exp(
      fixed -
        logFactorial(count) -
        logFactorial(ofLeft - count) -
        logFactorial(passed - count) -
        logFactorial(ofRight - passed + count),
    );
  const found = chance(left.passed);
  let sum = 0;
  for (let count = Math.max(0, passed - ofRight); count <= Math.min(ofLeft, passed); count++) {
    const own = chance(count);
    // Equal chances differ by rounding.
    if (own <= found * (1 + 1e-9)) sum += own;
  }
  return Math.min(1, sum);
}

/** Holm's correction (Scandinavian Journal of Statistics 6, 1979): of many comparisons, one in twenty would else differ by chance. */
export function holm(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const corrected = new Array<number>(values.length).fill(1);
  let highest = 0;
  for (const [rank, { value, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, value * (values.length - rank)));
    corrected[index] = highest;
  }
  return corrected;
}
