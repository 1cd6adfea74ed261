import { describe, expect, it } from 'vitest';
import { sankeyOf } from '../../../../src/control/agent-testing/analytics/flow.js';
import {
  blameOf,
  healthScore,
  reliabilityScore,
  weakestLink,
  weeklyTrend,
} from '../../../../src/control/agent-testing/analytics/scores.js';

const today = '2026-11-22';
const day = (date: string, passed: number, runs: number) => ({ date: `2026-11-${date}`, passed, runs });

describe('health', () => {
  it('counts results of a week ago half, and the mean score by 30 %', () => {
    expect(healthScore([day('22', 4, 4)], null, today)).toBe(1);
    // 4 of 4 today, 0 of 4 a week ago: 4 / (4 + 2).
    expect(healthScore([day('15', 0, 4), day('22', 4, 4)], null, today)).toBeCloseTo(2 / 3, 12);
    expect(healthScore([day('22', 1, 2)], 0.9, today)).toBeCloseTo(0.7 * 0.5 + 0.3 * 0.9, 12);
    expect(healthScore([], 0.9, today)).toBeNull();
  });
});

describe('reliability', () => {
  it('is the chance that two runs of a scenario with the same version end alike', () => {
    expect(reliabilityScore([{ runs: 5, passed: 5 }])).toBe(1);
    expect(reliabilityScore([{ runs: 5, passed: 0 }])).toBe(1);
    // Of the six pairs of PPFF, two are equal.
    expect(reliabilityScore([{ runs: 4, passed: 2 }])).toBeCloseTo(1 / 3, 12);
    expect(reliabilityScore([{ runs: 1, passed: 1 }])).toBeNull();
    expect(
      reliabilityScore([
        { runs: 2, passed: 1 },
        { runs: 6, passed: 6 },
      ]),
    ).toBe(0.75);
  });
});

describe('the trend', () => {
  it('needs a difference of five points between two weeks with runs', () => {
    expect(weeklyTrend([day('10', 50, 100), day('20', 55, 100)], today)).toBe('improving');
    expect(weeklyTrend([day('10', 55, 100), day('20', 50, 100)], today)).toBe('declining');
    expect(weeklyTrend([day('10', 50, 100), day('20', 54, 100)], today)).toBe('stable');
    expect(weeklyTrend([day('20', 100, 100)], today)).toBe('stable');
    // The 16th is the seventh day, the 15th the eighth, the 8th out of both weeks.
    expect(weeklyTrend([day('08', 0, 100), day('15', 90, 100), day('16', 90, 100)], today)).toBe('stable');
  });
});

describe('the weakest link', () => {
  const node = (node_id: string, runs: number, failed: number, failedHere = 0) => ({
    node_id,
    runs,
    failed,
    failedHere,
  });

  const weakest = (nodes: readonly ReturnType<typeof node>[], total: { runs: number; failed: number }) => {
    const link = weakestLink(
      nodes.map((each) => blameOf(each, total)),
      (id) => id === 'end',
    );
    return link === null ? null : [link.found.node.node_id, link.reason];
  };

  it('is the node whose visitors fail more than other runs, not the start that all visit', () => {
    const nodes = [node('start', 100, 20), node('payment', 30, 18), node('rare', 1, 1)];
    expect(weakest(nodes, { runs: 100, failed: 20 })).toEqual(['payment', 'visitors_fail_more']);
    const { blame, rateElsewhere, interval } = blameOf(nodes[1]!, { runs: 100, failed: 20 });
    expect(blame).toBeCloseTo(18 / 30 - 2 / 70, 12);
    expect(rateElsewhere).toBeCloseTo(2 / 70, 12);
    expect([interval.lower, interval.upper].map((end) => end.toFixed(2))).toEqual(['0.42', '0.75']);
  });

  it('blames no node of a path that every run takes to its end', () => {
    const nodes = [node('start', 26, 12), node('confirm', 26, 12), node('end', 26, 12, 12)];
    expect(weakest(nodes, { runs: 26, failed: 12 })).toBeNull();
    expect(nodes.map((each) => blameOf(each, { runs: 26, failed: 12 }).blame)).toEqual([null, null, null]);
  });

  it('is where failed runs stopped when no node stands out', () => {
    const nodes = [node('start', 10, 10), node('price', 10, 10, 7), node('end', 10, 10, 3)];
    expect(weakest(nodes, { runs: 10, failed: 10 })).toEqual(['price', 'failed_runs_stop']);
    // One more failure among three visitors than among the others is luck.
    expect(weakest([node('start', 9, 3), node('price', 3, 2)], { runs: 9, failed: 3 })).toBeNull();
  });

  it('does not exist without failures', () => {
    expect(weakest([node('start', 10, 0)], { runs: 10, failed: 0 })).toBeNull();
  });
});

describe('the flow', () => {
  it('adds runs up from scenarios over nodes to outcomes', () => {
    const step = (
      source: string | null,
      target: string | null,
      status: 'PASSED' | 'FAILED',
      runs: number,
    ) => ({
      scenario_id: 's',
      source,
      target,
      status,
      runs,
    });
    const flow = sankeyOf(
      [
        step(null, 'a', 'PASSED', 3),
        step('a', null, 'PASSED', 3),
        step(null, 'a', 'FAILED', 1),
        step('a', null, 'FAILED', 1),
        step(null, null, 'FAILED', 2),
      ],
      { scenarios: new Map([['s', 'Refund']]), nodes: new Map([['a', 'Ask']]), finalNodes: new Set(['a']) },
    );
    expect(flow.nodes).toEqual([
      { id: 'scenario:s', name: 'Refund', type: 'scenario', category: 'start' },
      { id: 'node:a', name: 'Ask', type: 'node', category: 'end' },
      { id: 'outcome:passed', name: 'Passed', type: 'outcome', category: 'end' },
      { id: 'outcome:failed', name: 'Failed', type: 'outcome', category: 'error' },
    ]);
    expect(flow.links).toEqual([
      { source: 'scenario:s', target: 'node:a', value: 4, pass_count: 3, fail_count: 1 },
      { source: 'node:a', target: 'outcome:passed', value: 3, pass_count: 3, fail_count: 0 },
      { source: 'node:a', target: 'outcome:failed', value: 1, pass_count: 0, fail_count: 1 },
      { source: 'scenario:s', target: 'outcome:failed', value: 2, pass_count: 0, fail_count: 2 },
    ]);
  });
});
