import { describe, expect, it } from 'vitest';

interface ControlAreas {
  areaProblems(sources: ReadonlyMap<string, string>, areas: readonly string[]): string[];
}
const { areaProblems } = (await import(
  new URL('../../../dev/gate/control-areas.mjs', import.meta.url).href
)) as ControlAreas;

const check = (files: Record<string, string>): string[] =>
  areaProblems(new Map(Object.entries(files)), ['calls', 'batches']);
const areas = { 'calls/index.ts': '', 'batches/index.ts': '' };

describe('areas of control', () => {
  it('may import shared folders, their own files and the index of other areas', () => {
    expect(
      check({
        'calls/index.ts': "export { order } from './orders/order.js';",
        'calls/orders/order.ts': "import { answers } from '../../http/envelope.js';",
        'batches/index.ts': "import type { Order } from '../calls/index.js';\nimport '../../errors.js';",
        'areas.ts': "import { calls } from './calls/index.js';",
      }),
    ).toEqual([]);
  });

  it.each([
    ['a file of another area', "import { order } from '../calls/order.js';"],
    ['a type of another area', "import type {\n  Order,\n} from '../calls/order.js';"],
    ['an export of another area', "export * from '../calls/order.js';"],
    ['a dynamic import of another area', "await import('../calls/order.js');"],
  ])('must not import %s', (_, text) => {
    expect(check({ ...areas, 'batches/index.ts': text })).toEqual([
      'src/control/batches/index.ts: import calls/index.js instead of calls/order.ts',
    ]);
  });

  it('must not be entered from outside the areas', () => {
    expect(check({ ...areas, 'control.ts': "import './calls/order.js';" })).toHaveLength(1);
  });

  it('need an index', () => {
    expect(check({ 'calls/order.ts': '', 'batches/index.ts': '' })[0]).toContain('src/control/calls');
  });
});
