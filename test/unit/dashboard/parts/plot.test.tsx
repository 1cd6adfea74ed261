import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zone } from '../../../../src/dashboard/parts/format.js';
import { Plot } from '../../../../src/dashboard/parts/plot.js';
import { type Rendered, rendered } from '../rendered.js';

beforeEach(() => {
  zone.value = 'utc';
});
afterEach(() => {
  zone.value = 'local';
});

const times = ['2019-11-20T10:00:00Z', '2019-11-20T11:00:00Z'];
const plot = (properties: Partial<Parameters<typeof Plot>[0]> = {}): Rendered =>
  rendered(
    <Plot
      label="Calls by hour"
      axis="Calls"
      times={times}
      bucketSeconds={3_600}
      format={(value) => (value === null ? 'none' : `${value} calls`)}
      series={[
        { name: 'Answered', values: [3, 5], colour: 'good', kind: 'bars' },
        { name: 'Failed', values: [null, 1], colour: 'bad', kind: 'line' },
      ]}
      {...properties}
    />,
  );

describe('a plot', () => {
  it('shows the values of the last interval as text', () => {
    const { all } = plot();
    expect(all('figcaption')).toEqual(['Answered 5 callsFailed 1 callsin 1 hour from 20 Nov 11:00']);
  });

  it('shows the sums of counts, as the newest interval says little of them', () => {
    expect(plot({ isStacked: true }).all('figcaption')).toEqual(['Answered 8 callsFailed 1 callsin all']);
  });

  it('has every value in a table', () => {
    const { all } = plot();
    expect(all('th')).toEqual(['From', 'Answered', 'Failed', '20 Nov 10:00', '20 Nov 11:00']);
    expect(all('td')).toEqual(['3 calls', 'none', '5 calls', '1 calls']);
  });

  it('shows the values as they are where its bars stand on each other', () => {
    expect(plot({ isStacked: true }).all('td')).toEqual(['3 calls', 'none', '5 calls', '1 calls']);
  });

  it('links the intervals about which there is a page', () => {
    const { elements, html } = plot({ hrefOf: (index) => (index === 1 ? '/calls?x=1' : undefined) });
    expect(elements('a').map(({ href }) => href)).toEqual(['/calls?x=1']);
    expect(html).toMatch(/role="img"[^>]*class="clickable"/);
    expect(plot().html).not.toContain('clickable');
  });

  it('without values says nothing of an interval', () => {
    const empty = plot({
      times: [],
      series: [{ name: 'Answered', values: [], colour: 'good', kind: 'bars' }],
    });
    expect(empty.all('figcaption')).toEqual(['Answered none']);
    expect(empty.all('td')).toEqual([]);
  });
});
