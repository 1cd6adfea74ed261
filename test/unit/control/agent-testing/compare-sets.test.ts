import { describe, expect, it } from 'vitest';
import { compareSets } from '../../../../src/control/agent-testing/simulation/compare-sets.js';
import type { WholeSimulationSet } from '../../../../src/control/agent-testing/simulation/simulation-storage.js';
import { fisherExact, holm } from '../../../../src/control/agent-testing/statistics/fisher-exact.js';

describe('Fisher’s exact test', () => {
  it.each([
    // The lady tasting tea (R. A. Fisher, The Design of Experiments, 1935): 34 of 70.
    [3, 1, 1, 3, 34 / 70],
    [1, 9, 11, 3, 0.0027594561852],
    [19, 1, 12, 8, 0.0196560197],
    [9, 1, 5, 5, 0.140866873],
    [5, 0, 5, 0, 1],
  ])('of %i:%i and %i:%i', (passed, failed, otherPassed, otherFailed, expected) => {
    const left = { passed, failed };
    const right = { passed: otherPassed, failed: otherFailed };
    expect(fisherExact(left, right)).toBeCloseTo(expected, 8);
    expect(fisherExact(right, left)).toBeCloseTo(expected, 8);
  });

  it('is corrected by Holm', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holm([])).toEqual([]);
  });
});

/** A set in which each scenario passes and fails so often. */
function set(
  id: string,
  version: number,
  results: Record<string, readonly [number, number]>,
): WholeSimulationSet {
  const runs = Object.entries(results).flatMap(([scenario, [passed, failed]]) =>
    Array.from({ length: passed + failed }, (_, at) => ({
      id: `${scenario} ${at}`,
      scenario_id: scenario,
      scenario_name: scenario.toUpperCase(),
      status: at < passed ? ('PASSED' as const) : ('FAILED' as const),
      variation: null,
      version_number: version,
      agent_model: 'rules',
      is_stand_in: false,
      score: null,
      failures: [],
    })),
  );
  const row = { id, scenario_ids: Object.keys(results) } as unknown as WholeSimulationSet['set'];
  return { set: row, runs, usage: { tokens: 0, cost: null } };
}

describe('a comparison of two sets', () => {
  it('is worse when one scenario is, whatever the others are, and says nothing of differences by chance', () => {
    const found = compareSets(
      set('new', 2, { price: [20, 0], hours: [4, 16], name: [9, 1], refund: [0, 0], later: [1, 0] }),
      set('old', 1, { price: [5, 15], hours: [19, 1], name: [5, 5], refund: [3, 0], before: [1, 0] }),
    );
    expect(found.scenarios.map(({ scenario_id: id, verdict }) => [id, verdict])).toEqual([
      ['price', 'better'],
      ['hours', 'worse'],
      ['name', 'not_shown'],
      ['refund', 'no_runs'],
    ]);
    expect(found).toMatchObject({ verdict: 'worse', only_set: ['later'], only_other: ['before'] });
    expect(found.set).toEqual({ id: 'new', versions: [2], agent_models: ['rules'], is_stand_in: false });
  });

  it('is better only where the difference is no chance', () => {
    const old = set('old', 1, { price: [12, 8] });
    expect(compareSets(set('new', 2, { price: [19, 1] }), old).verdict).toBe('better');
    expect(compareSets(set('new', 2, { price: [15, 5] }), old).verdict).toBe('not_shown');
    expect(compareSets(set('new', 2, { price: [0, 0] }), old).verdict).toBe('no_runs');
  });
});
