import { describe, expect, it } from 'vitest';
import { dailyRates } from '../../../../../src/dashboard/pages/testing/charts/daily-rates.js';
import { heatStep } from '../../../../../src/dashboard/pages/testing/charts/heat.js';
import { histogramOf } from '../../../../../src/dashboard/pages/testing/charts/histogram.js';
import {
  layoutSankey,
  type SankeyLink,
  type SankeyNode,
} from '../../../../../src/dashboard/pages/testing/charts/sankey-layout.js';
import { timelineOf } from '../../../../../src/dashboard/pages/testing/charts/voice-timeline.js';

const node = (id: string, category: SankeyNode['category']): SankeyNode => ({ id, name: id, category });
const link = (source: string, target: string, passed: number, failed: number): SankeyLink => ({
  source,
  target,
  value: passed + failed,
  pass_count: passed,
  fail_count: failed,
});

describe('a Sankey diagram', () => {
  const nodes = [
    node('happy', 'start'),
    node('angry', 'start'),
    node('greet', 'middle'),
    node('calm', 'middle'),
    node('pass', 'end'),
    node('fail', 'error'),
  ];
  const links = [
    link('happy', 'greet', 8, 2),
    link('angry', 'greet', 2, 3),
    link('greet', 'calm', 2, 3),
    link('greet', 'pass', 8, 0),
    link('greet', 'fail', 0, 2),
    link('calm', 'pass', 2, 0),
    link('calm', 'fail', 0, 3),
  ];

  it('has the outcomes in its last column and heights in proportion to the runs', () => {
    const { boxes } = layoutSankey(nodes, links);
    const boxOf = (id: string) => boxes.find((box) => box.node.id === id)!;
    expect(boxOf('pass').x).toBe(boxOf('fail').x);
    expect(boxOf('pass').isLast).toBe(true);
    expect(boxOf('greet').x).toBeLessThan(boxOf('calm').x);
    expect(boxOf('happy').height).toBeCloseTo(2 * boxOf('angry').height);
    expect(boxOf('greet').value).toBe(15);
  });

  it('splits a link by the outcome of its runs, and fills no box beyond its height', () => {
    const { bands, boxes } = layoutSankey(nodes, links);
    const first = bands.filter(({ source }) => source === 'happy');
    expect(first.map(({ outcome, value }) => [outcome, value])).toEqual([
      ['pass', 8],
      ['fail', 2],
    ]);
    for (const { node: of, value } of boxes) {
      const sum = (end: 'source' | 'target'): number =>
        bands.reduce((total, band) => total + (band[end] === of.id ? band.value : 0), 0);
      expect(Math.max(sum('source'), sum('target'))).toBe(value);
    }
  });

  it('has the last node of a conversation before its outcome', () => {
    const all = [node('happy', 'start'), node('bye', 'end'), node('pass', 'end'), node('fail', 'error')];
    const { boxes } = layoutSankey(all, [
      link('happy', 'bye', 2, 1),
      link('bye', 'pass', 2, 0),
      link('bye', 'fail', 0, 1),
    ]);
    const [, bye, pass, fail] = boxes;
    expect(bye!.x).toBeLessThan(pass!.x);
    expect(pass!.x).toBe(fail!.x);
  });

  it('draws a cycle, and leaves out what has no value or no node', () => {
    const drawn = layoutSankey(nodes, [
      link('happy', 'greet', 1, 0),
      link('greet', 'calm', 2, 0),
      link('calm', 'greet', 1, 0),
      link('calm', 'pass', 1, 0),
      link('calm', 'missing', 1, 0),
      link('angry', 'greet', 0, 0),
    ]);
    expect(drawn.bands).toHaveLength(4);
    expect(drawn.boxes.map(({ node: { id } }) => id)).toEqual(['happy', 'greet', 'calm', 'pass']);
    expect(drawn.bands.every(({ path }) => !path.includes('NaN'))).toBe(true);
    expect(layoutSankey(nodes, []).boxes).toEqual([]);
  });
});

describe('the daily pass rates', () => {
  it('cover all days up to today, so that the plot of one day has an axis', () => {
    const rates = [{ date: '2026-11-21', rate: 0.5, count: 2 }];
    const { times, values } = dailyRates(rates, 3, Date.parse('2026-11-22T15:00:00Z'));
    expect(times).toEqual(['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z']);
    expect(values).toEqual([null, 50, null]);
  });
});

describe('a histogram of scores', () => {
  const scored = (score: number, isPassed = true) => ({ score, isPassed });

  it('counts each bound once, and a full score in the last bin', () => {
    const bins = histogramOf([0, 0.1, 0.3, 0.29, 0.999, 1].map((score) => scored(score)));
    expect(bins.map(({ passed }) => passed)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 2]);
  });

  it('separates passed from failed, and ignores what is no score', () => {
    const bins = histogramOf([scored(0.5), scored(0.55, false), scored(Number.NaN)], 2);
    expect(bins).toEqual([
      { from: 0, to: 0.5, passed: 0, failed: 0 },
      { from: 0.5, to: 1, passed: 1, failed: 1 },
    ]);
  });
});

describe('the heat of failures', () => {
  it('has a step without colour for no failure alone', () => {
    expect([0, 0.004, 0.1, 0.3, 0.5, 0.75, 1].map(heatStep)).toEqual([0, 1, 2, 3, 4, 5, 5]);
  });
});

describe('the timeline of a call', () => {
  const said = (speaker: 'tester' | 'agent', start_ms: number, end_ms: number) => ({
    speaker,
    start_ms,
    end_ms,
  });

  it('finds talk-over, silence, and how long the agent took to answer', () => {
    const timeline = timelineOf(
      [
        said('tester', 0, 1_000),
        said('agent', 1_600, 4_000),
        said('tester', 3_500, 5_000),
        said('agent', 8_000, 9_000),
      ],
      { duration_ms: 12_000 },
    );
    expect(timeline.overlaps).toEqual([{ start_ms: 3_500, end_ms: 4_000 }]);
    // After the agent's last words the caller thinks.
    expect(timeline.silences).toEqual([{ start_ms: 5_000, end_ms: 8_000 }]);
    expect(timeline.latencies.map(({ latency_ms }) => latency_ms)).toEqual([600, 3_000]);
    expect(timeline.ticks.at(-1)).toBe(12_000);
  });

  it('takes no pause of the caller for silence of the agent, as the measurements do not', () => {
    const timeline = timelineOf(
      [
        said('agent', 2_500, 3_000),
        said('tester', 7_000, 8_000),
        said('tester', 11_000, 12_000),
        said('agent', 12_400, 13_000),
        said('agent', 16_000, 17_000),
      ],
      { duration_ms: 30_000 },
    );
    expect(timeline.silences).toEqual([
      { start_ms: 0, end_ms: 2_500 },
      { start_ms: 8_000, end_ms: 11_000 },
      { start_ms: 13_000, end_ms: 16_000 },
    ]);
  });

  it('gives no latency to a line that the agent interrupts or never answers', () => {
    const timeline = timelineOf([
      said('tester', 0, 2_000),
      said('agent', 1_500, 3_000),
      said('tester', 4_000, 5_000),
    ]);
    expect(timeline.latencies).toEqual([]);
  });

  it('has an axis for a call without any speech, and none for nothing', () => {
    expect(timelineOf([], { duration_ms: 3_000 }).silences).toEqual([{ start_ms: 0, end_ms: 3_000 }]);
    expect(timelineOf([]).ticks).toEqual([]);
  });
});
