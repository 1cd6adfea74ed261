import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { zone } from '../../../../src/dashboard/parts/format.js';
import { Plot } from '../../../../src/dashboard/parts/plot.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';
import type { PageElement } from './page-document.js';

// biome-ignore lint/suspicious/noExplicitAny: The options of the library, as far as a test reads them.
type Options = any;

/** Draws nothing, and keeps its options and data. */
class Drawing {
  static all: Drawing[] = [];
  static readonly paths = { bars: (shape: object) => shape };
  readonly cursor: { idx: number | null | undefined } = { idx: undefined };
  readonly over = new EventTarget();
  isDestroyed = false;
  width = 0;

  constructor(
    readonly options: Options,
    readonly data: readonly (readonly number[])[],
    readonly element: PageElement,
  ) {
    Drawing.all.push(this);
  }

  setSize({ width }: { width: number }): void {
    this.width = width;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

class Observer {
  static watched: PageElement[] = [];
  constructor(readonly onResize: () => void) {}
  observe(element: PageElement): void {
    Observer.watched.push(element);
    this.onResize();
  }
  disconnect(): void {
    Observer.watched.pop();
  }
}

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  Drawing.all = [];
  Observer.watched = [];
  zone.value = 'utc';
  vi.stubGlobal('ResizeObserver', Observer);
  vi.stubGlobal('devicePixelRatio', 2);
  vi.stubGlobal('getComputedStyle', ({ style }: PageElement) => ({
    color: style.color ?? '',
    fontFamily: 'Inter',
  }));
});
afterEach(() => {
  closePages();
  vi.useRealTimers();
  zone.value = 'local';
});

const times = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'];

const open = (properties: Partial<Parameters<typeof Plot>[0]> = {}): Promise<OpenedPage> =>
  OpenedPage.open(
    api,
    '/',
    () => (
      <Plot
        label="Calls by hour"
        axis="Calls"
        times={times}
        bucketSeconds={3_600}
        format={(value) => `${value} calls`}
        series={[
          { name: 'Answered', values: [3, 5], colour: 'good', kind: 'bars' },
          { name: 'Failed', values: [1, 2], colour: 'bad', kind: 'line' },
        ]}
        {...properties}
      />
    ),
    '/',
    { origin: 'https://demarc.example', pathname: '/', search: '', hash: '' },
    async () => Drawing as never,
  );

describe('a drawn plot', () => {
  it('has each value in the middle of its interval', async () => {
    await open();
    const [{ data, options }] = Drawing.all as [Drawing];
    const hour = Date.parse(times[0]!) / 1_000 + 1_800;
    expect(data).toEqual([
      [hour, hour + 3_600],
      [3, 5],
      [1, 2],
    ]);
    expect(options.series.slice(1)).toEqual([
      {
        stroke: 'var(--good)',
        fill: 'var(--good)',
        width: 0,
        paths: { size: [0.7, 24] },
        points: { show: false },
      },
      { stroke: 'var(--bad)', width: 2, points: { size: 5, fill: 'var(--bad)' } },
    ]);
    expect(options.scales.x.range(null, 100, 200)).toEqual([-1_700, 2_000]);
    expect(options.scales.y.range(null, 0, 10)).toEqual([0, 11]);
    expect(options.scales.y.range(null, 0, null)).toEqual([0, 1]);
    expect(options.axes[1].values(null, [1, 2])).toEqual(['1 calls', '2 calls']);
  });

  it('puts bars on each other', async () => {
    await open({ isStacked: true });
    expect(Drawing.all[0]!.data.slice(1)).not.toEqual([
      [3, 5],
      [1, 2],
    ]);
  });

  it('leads from the interval under the pointer to its page', async () => {
    const page = await open({ hrefOf: (index) => (index === 1 ? '/calls?hour=11' : undefined) });
    const [drawing] = Drawing.all as [Drawing];
    for (const index of [undefined, null, 0]) {
      drawing.cursor.idx = index;
      drawing.over.dispatchEvent(new Event('click'));
    }
    expect(page.led).toEqual([]);
    drawing.cursor.idx = 1;
    drawing.over.dispatchEvent(new Event('click'));
    expect(page.led).toEqual(['/calls?hour=11']);
  });

  it('shows the values under the pointer as text', async () => {
    const page = await open();
    await page.point(() => Drawing.all[0]!.options.hooks.setCursor[0]({ cursor: { idx: 0 } }));
    expect(page.all('figcaption')).toEqual(['Answered 3 callsFailed 1 callsin 1 hour from 20 Nov 10:00']);
    await page.point(() => Drawing.all[0]!.options.hooks.setCursor[0]({ cursor: { idx: null } }));
    expect(page.all('figcaption')).toEqual(['Answered 5 callsFailed 2 callsin 1 hour from 20 Nov 11:00']);
  });

  it('ends with its page, and with what watched its width', async () => {
    const page = await open();
    const [drawing] = Drawing.all as [Drawing];
    expect([drawing.isDestroyed, Observer.watched.length]).toEqual([false, 1]);
    // The elements that resolved its colours are gone.
    expect(drawing.element.within.some(({ localName }) => localName === 'i')).toBe(false);
    await page.point(() => page.close());
    expect([drawing.isDestroyed, Observer.watched.length]).toEqual([true, 0]);
  });

  it.each([
    ['before its first interval', 0, []],
    ['after its last one', 4_000, []],
    ['at its beginning', 1_000, ['now']],
    ['at its end', 3_000, ['now']],
  ])('marks the present: %s', async (_where, seconds, texts) => {
    await open();
    vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1_000 });
    const done: string[] = [];
    const written: string[] = [];
    const note = (name: string) => () => void done.push(name);
    const ctx = {
      save: note('save'),
      restore: note('restore'),
      setLineDash: note('dash'),
      beginPath: note('begin'),
      moveTo: note('move'),
      lineTo: note('line'),
      stroke: note('stroke'),
      fillText: (text: string) => void written.push(text),
    };
    const mark = Drawing.all[0]!.options.hooks.draw[0];
    const plot = { ctx, bbox: { top: 0, height: 100 }, valToPos: () => 50 };
    mark({ ...plot, scales: { x: { min: 1_000, max: 3_000 } } });
    expect(written).toEqual(texts);
    expect(done).toEqual(
      texts.length === 0 ? [] : ['save', 'dash', 'begin', 'move', 'line', 'stroke', 'restore'],
    );
    for (const x of [undefined, { min: 1_000, max: null }, { min: null, max: 3_000 }])
      mark({ ...plot, scales: { x } });
    expect(written).toEqual(texts);
  });
});
