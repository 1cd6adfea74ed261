import { describe, expect, it } from 'vitest';
import {
  confidenceOf,
  distributionOf,
  overallStatistics,
  type SimulatedRun,
  statisticsOf,
} from '../../../../src/control/agent-testing/simulation/statistics.js';
import { wilsonInterval } from '../../../../src/control/agent-testing/statistics/wilson-interval.js';

/** Alternating values around a first one, as NIST's data sets for numerical accuracy are made. */
const around = (first: number, low: number, high: number): number[] => [
  first,
  ...Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? low : high)),
];

describe('the distribution of scores', () => {
  // NIST StRD, univariate summary statistics: certified means and standard deviations.
  it.each([
    ['NumAcc1', [10_000_001, 10_000_003, 10_000_002], 10_000_002, 1],
    ['NumAcc2', around(1.2, 1.1, 1.3), 1.2, 0.1],
    ['NumAcc3', around(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1],
    ['NumAcc4', around(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 0.1],
  ])('of %s has the certified mean and standard deviation', (_, values, mean, stddev) => {
    const found = distributionOf(values);
    expect(found.mean! / mean).toBeCloseTo(1, 14);
    expect(found.stddev! / stddev).toBeCloseTo(1, 7);
    expect(found.median).toBeCloseTo(mean, 8);
  });

  it('has the median between the two in the middle, and no deviation of one value', () => {
    expect(distributionOf([4, 1, 3, 2])).toMatchObject({ mean: 2.5, median: 2.5, min: 1, max: 4 });
    expect(distributionOf([4, 1, 3, 2]).stddev).toBeCloseTo(1.2909944487358056, 15);
    expect(distributionOf([0.5])).toEqual({ mean: 0.5, median: 0.5, stddev: null, min: 0.5, max: 0.5 });
    expect(distributionOf([])).toEqual({ mean: null, median: null, stddev: null, min: null, max: null });
  });
});

describe('the interval of a pass rate', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i is the published one', (passed, runs, lower, upper) => {
    const interval = wilsonInterval(passed, runs)!;
    expect(interval.lower).toBeCloseTo(lower, 4);
    expect(interval.upper).toBeCloseTo(upper, 4);
  });

  it('is that of the failures turned round, and ends at 0 and 1', () => {
    expect(wilsonInterval(20, 20)!.upper).toBe(1);
    expect(wilsonInterval(20, 20)!.lower).toBeCloseTo(1 - 0.1611, 4);
    expect(wilsonInterval(0, 0)).toBeUndefined();
  });

  it('decides the confidence by its width, as the documentation says', () => {
    const by = (passed: number, runs: number) => confidenceOf(wilsonInterval(passed, runs));
    expect([by(5, 5), by(6, 6), by(15, 15), by(16, 16)]).toEqual(['low', 'medium', 'medium', 'high']);
    expect([by(10, 20), by(10, 21), by(46, 92), by(46, 93)]).toEqual(['low', 'medium', 'medium', 'high']);
    expect(confidenceOf(undefined)).toBe('low');
  });
});

const run = (id: string, status: SimulatedRun['status'], score: number | null, ...failures: string[]) => ({
  id,
  status,
  score,
  failures,
});

describe('the statistics of a scenario', () => {
  it('call it flaky when some runs pass and some fail, and name the worst run and why runs failed', () => {
    const found = statisticsOf([
      run('a', 'PASSED', 1),
      run('b', 'FAILED', 0.5, 'Says goodbye', 'Names the price'),
      run('c', 'FAILED', 0.5, 'Says goodbye'),
      run('d', 'PASSED', 0.5),
      run('e', 'ERROR', null, 'The model did not answer.'),
    ]);
    expect(found).toMatchObject({
      total_runs: 5,
      passed: 2,
      failed: 2,
      errors: 1,
      pass_rate: 0.5,
      is_flaky: true,
      worst_run_id: 'b',
      confidence: 'low',
      common_failure_modes: [
        'Says goodbye (2 of 5 runs)',
        'Names the price (1 of 5 runs)',
        'The model did not answer. (1 of 5 runs)',
      ],
    });
    expect(found.scores.mean).toBe(0.625);
  });

  it('take no error for a failure of the agent', () => {
    const found = statisticsOf([run('a', 'PASSED', 1), run('b', 'ERROR', null, 'Timeout')]);
    expect(found).toMatchObject({ pass_rate: 1, is_flaky: false, errors: 1 });
    expect(statisticsOf([run('b', 'ERROR', null)])).toMatchObject({
      pass_rate: null,
      pass_rate_interval: null,
      worst_run_id: null,
    });
  });

  it('count flaky and reliable scenarios, of which one with an error is neither', () => {
    const overall = overallStatistics([
      statisticsOf([run('a', 'PASSED', 1), run('b', 'PASSED', 1)]),
      statisticsOf([run('c', 'PASSED', 1), run('d', 'FAILED', 0)]),
      statisticsOf([run('e', 'PASSED', 1), run('f', 'ERROR', null)]),
      statisticsOf([]),
    ]);
    expect(overall).toEqual({ avg_pass_rate: 2.5 / 3, flaky_count: 1, reliable_count: 1, total_runs: 6 });
  });
});
