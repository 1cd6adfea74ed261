import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../../../src/dashboard/api/client.js';
import type { Resource } from '../../../../src/dashboard/api/resource.js';
import { TimeAxis, TimeChart } from '../../../../src/dashboard/pages/call/time-chart.js';
import { Choice } from '../../../../src/dashboard/parts/choice.js';
import { Empty, Loaded } from '../../../../src/dashboard/parts/notice.js';
import { Panel, TableHead } from '../../../../src/dashboard/parts/panel.js';
import { Sparkline, Trend } from '../../../../src/dashboard/parts/sparkline.js';
import { NamedState } from '../../../../src/dashboard/parts/state.js';
import { Elapsed, now } from '../../../../src/dashboard/parts/time.js';
import { Untrusted } from '../../../../src/dashboard/parts/untrusted.js';
import { type Rendered, rendered } from '../rendered.js';

describe('a sparkline', () => {
  const bars = (...values: [all: number, bad: number][]): string[] => {
    const { html } = rendered(<Sparkline label="x" bars={values.map(([all, bad]) => ({ all, bad }))} />);
    return [...html.matchAll(/class="(all|bad)"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)].map(
      ([, name, y, height]) => `${name} ${y}+${height}`,
    );
  };

  it('has bars by their share of the highest', () => {
    expect(bars([10, 5], [5, 0])).toEqual(['all 0+20', 'bad 10+10', 'all 10+10', 'bad 20+0']);
  });

  it('keeps one bad call of many visible, and draws nothing for none', () => {
    expect(bars([1_000, 1])).toEqual(['all 0+20', 'bad 18+2']);
    expect(bars([0, 0])).toEqual(['all 20+0', 'bad 20+0']);
  });

  it('is as wide as its bars', () => {
    expect(
      rendered(
        <Sparkline
          label="x"
          bars={[
            { all: 1, bad: 0 },
            { all: 1, bad: 0 },
          ]}
        />,
      ).html,
    ).toContain('width="11"');
  });
});

describe('a trend', () => {
  const path = (
    values: readonly (number | null)[],
    bounds: { least?: number; most?: number } = {},
  ): string | undefined =>
    / d="([^"]*)"/.exec(rendered(<Trend label="x" values={values} {...bounds} />).html)?.[1];

  it('needs two values', () => {
    expect(path([1])).toBeUndefined();
    expect(path([1, null])).toBeUndefined();
    expect(path([1, null, 2])).toBeDefined();
  });

  it('runs from the lowest to the highest', () => {
    expect(path([0, 10])).toBe('M1.0 19.0L119.0 1.0');
    expect(path([5, 10], { least: 0 })).toBe('M1.0 10.0L119.0 1.0');
    expect(path([0, 5], { most: 10 })).toBe('M1.0 19.0L119.0 10.0');
    expect(path([5, 5])).toBe('M1.0 19.0L119.0 19.0');
  });

  it('has a gap where nothing is known', () => {
    expect(path([0, null, 5, 10])?.replace(/[\d. ]+/g, '')).toBe('MML');
  });
});

describe('a chart over the time of a call', () => {
  const span = { from: 0, to: 10_000 };
  const chart = (points: readonly (readonly [at: number, value: number])[][], limit?: number): string[] => {
    const stretches = points.map((stretch) => stretch.map(([at, value]) => ({ at, value })));
    const { html } = rendered(
      <TimeChart
        label="x"
        span={span}
        stretches={stretches}
        least={0}
        most={100}
        limit={limit}
        isBad={false}
      />,
    );
    return [...html.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d!);
  };

  it('draws lines for stretches, and dots for single values', () => {
    expect(
      chart([
        [
          [0, 0],
          [10_000, 100],
        ],
      ]),
    ).toEqual(['M2.0 34.0L398.0 2.0']);
    expect(chart([[[5_000, 50]]])).toEqual(['M200.0 18.0h0', 'M200.0 18.0h0']);
  });

  it('draws the limit where there is one', () => {
    expect(chart([], 50)).toEqual(['M0 18.0H400']);
  });

  it('marks the messages within its time, and has ticks in minutes after the first', () => {
    const axis = (to: number, ...messages: number[]): Rendered =>
      rendered(<TimeAxis span={{ from: 0, to }} messages={messages} />);
    expect(axis(10_000, -1, 0, 10_000, 10_001).html.match(/<path/g)).toHaveLength(2);
    expect(axis(150_000).all('.time-ticks')).toEqual(['0 s30 s1:001:302:002:30']);
  });
});

describe('a resource that is drawn', () => {
  const failed = (status: number): ApiFailure => new ApiFailure('Redis is down.', { status, code: 'X' });
  const loaded = (fields: Partial<Resource<string>>): Rendered =>
    rendered(
      <Loaded
        what="calls"
        from={{
          data: undefined,
          failure: undefined,
          isLoading: false,
          at: undefined,
          reload: () => {},
          ...fields,
        }}
      >
        {(data) => <p class="data">{data}</p>}
      </Loaded>,
    );

  it('is loading, or there', () => {
    expect(loaded({}).text).toContain('Loading calls …');
    expect(loaded({ data: 'x' }).text).toBe('x');
  });

  it('says what failed, and can be tried again, except where there is nothing', () => {
    const shown = loaded({ failure: failed(503) });
    expect(shown.text).toContain('Redis is down.');
    expect(shown.all('button')).toEqual(['Try again']);
    expect(shown.all('.data')).toEqual([]);
    expect(loaded({ failure: failed(404) }).all('button')).toEqual([]);
    expect(loaded({ failure: failed(503), isLoading: true }).html).toMatch(/<button[^>]* disabled/);
  });

  it('keeps the last answer, with its age', () => {
    const shown = loaded({ data: 'x', failure: failed(503), at: now.value - 60_000 });
    expect(shown.all('.problem-title')).toEqual(['This is calls of 1 min ago']);
    expect(shown.all('.data')).toEqual(['x']);
  });
});

describe('small parts', () => {
  it('name known states, and spell out others', () => {
    expect(rendered(<NamedState name="failed" />).html).toContain('class="state bad"');
    const spelled = rendered(<NamedState name="held_by_peer" />);
    expect(spelled.text).toBe('held by peer');
    expect(spelled.html).toContain('class="state idle"');
  });

  it('draw what a panel was given, and nothing else', () => {
    expect(rendered(<Panel title="T">x</Panel>).html).not.toMatch(/panel-aside|class="note"/);
    const full = rendered(
      <Panel title="T" aside="A" note="N">
        x
      </Panel>,
    );
    expect(full.text).toBe('T A N x');
    expect(rendered(<Empty title="T" />).html).not.toContain('note');
    expect(rendered(<TableHead columns={{ A: '', B: 'number' }} />).html).toMatch(
      /<th scope="col">A.*class="number"/,
    );
  });

  it('mark the chosen option', () => {
    const options = [
      ['a', 'A'],
      ['b', 'B'],
    ] as const;
    const { html } = rendered(<Choice label="L" value="b" options={options} onChange={() => {}} />);
    expect(html.match(/<input[^>]*value="(\w)"[^>]* checked/)?.[1]).toBe('b');
    expect(html.match(/ checked/g)).toHaveLength(1);
  });

  it('count the time since a moment', () => {
    const since = (milliseconds: number): string =>
      rendered(<Elapsed since={new Date(now.value - milliseconds).toISOString()} />).text;
    expect([since(-5_000), since(9_900), since(10_000), since(61_000)]).toEqual([
      '0 s',
      '9 s',
      '10 s',
      '1:01',
    ]);
  });

  it('show hidden characters of a peer by their code', () => {
    expect(rendered(<Untrusted text="Ada" />).html).toBe('<bdi>Ada</bdi>');
    expect(rendered(<Untrusted text={'A\u202eB'} />).text).toMatch(/^AU\+202EB$/);
  });
});
