import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawnDocument } from '../../../../src/dashboard/pages/pathways/drawn-document.js';
import { PathwayGraph } from '../../../../src/dashboard/pages/pathways/pathway-graph.js';
import type { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';
import type { PageElement } from './page-document.js';

const node = (id: string, position: object) => ({ id, name: id, type: 'default', prompt: 'Hello', position });
const document = drawnDocument({
  start_node_id: 'a',
  nodes: [node('a', { x: 0, y: 0 }), node('b', { x: 0, y: 200 })],
  edges: [{ id: 'ab', source: 'a', target: 'b', label: 'then' }],
} as never);
const onMove = vi.fn();
const onSelect = vi.fn();
let page: OpenedPage;
beforeEach(async () => {
  for (const spy of [onMove, onSelect]) spy.mockClear();
  page = await OpenedPage.open({ sent: [] } as unknown as ExampleApi, '/graph', () => (
    <PathwayGraph document={document} label="Graph" selected="a" onSelect={onSelect} onMove={onMove} />
  ));
  // Two pixels of the screen are one of the picture.
  for (const svg of page.elements('svg')) Object.assign(svg, { getScreenCTM: () => ({ a: 2 }) });
});
afterEach(closePages);

const box = (id: string): PageElement =>
  page.elements('g').find((each) => each.getAttribute('data-node') === id)!;
const placeOf = (id: string): string | null => box(id).getAttribute('transform');
const hold = (id: string, fields: object = {}): Promise<void> =>
  page.dispatch(box(id), 'pointerdown', {
    button: 0,
    pointerType: 'mouse',
    clientX: 100,
    clientY: 100,
    ...fields,
  });
const pointTo = (clientX: number, clientY: number): Promise<void> =>
  page.dispatchAtWindow('pointermove', { clientX, clientY });

describe('a node of a pathway', () => {
  it('follows the pointer at the scale of the picture, and stays where it is let go', async () => {
    await hold('b');
    await pointTo(180, 60);
    expect([placeOf('a'), placeOf('b')]).toEqual(['translate(0 0)', 'translate(40 180)']);
    expect(onMove).not.toHaveBeenCalled();
    await pointTo(200, 60);
    await page.dispatchAtWindow('pointerup');
    expect(onMove.mock.calls).toEqual([['b', { x: 50, y: 180 }]]);
    // The document did not change, so it is drawn where it was.
    expect(placeOf('b')).toBe('translate(0 200)');
    await pointTo(300, 300);
    await page.dispatchAtWindow('pointerup');
    expect(onMove).toHaveBeenCalledTimes(1);
  });

  it('does not move with a click', async () => {
    await hold('b');
    await pointTo(102, 101);
    expect(placeOf('b')).toBe('translate(0 200)');
    await page.dispatchAtWindow('pointerup');
    expect(onMove).not.toHaveBeenCalled();
  });

  it.each<[string, object]>([
    ['keydown', { key: 'Escape' }],
    ['pointercancel', {}],
  ])('returns with %s', async (event, fields) => {
    await hold('b');
    await pointTo(180, 60);
    await page.dispatchAtWindow('keydown', { key: 'a' });
    expect(placeOf('b')).toBe('translate(40 180)');
    await page.dispatchAtWindow(event, fields);
    expect(placeOf('b')).toBe('translate(0 200)');
    await page.dispatchAtWindow('pointerup');
    expect(onMove).not.toHaveBeenCalled();
  });

  it('is not held by another button, and by a finger only where it is selected', async () => {
    await hold('b', { button: 2 });
    await pointTo(180, 60);
    await hold('b', { pointerType: 'touch' });
    await pointTo(180, 60);
    expect(placeOf('b')).toBe('translate(0 200)');
    await hold('a', { pointerType: 'touch' });
    await pointTo(180, 60);
    expect(placeOf('a')).toBe('translate(40 -20)');
  });

  it('moves by arrow keys where it is selected, and is selected by Enter and Space', async () => {
    await page.dispatch(box('a'), 'keydown', { key: 'ArrowRight' });
    await page.dispatch(box('b'), 'keydown', { key: 'ArrowRight' });
    expect(onMove.mock.calls).toEqual([['a', { x: 10, y: 0 }]]);
    for (const key of ['Enter', ' ', 'x']) await page.dispatch(box('b'), 'keydown', { key });
    await page.dispatch(box('b'), 'click');
    expect(onSelect.mock.calls).toEqual([['b'], ['b'], ['b']]);
  });
});
