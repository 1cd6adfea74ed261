import { describe, expect, it } from 'vitest';

interface ControlAreas {
  areaProblems(sources: ReadonlyMap<string, string>, layers: readonly string[]): string[];
}
const { areaProblems } = (await import(
  new URL('../../../dev/gate/control-areas.mjs', import.meta.url).href
)) as ControlAreas;

const check = (files: Record<string, string>): string[] =>
  areaProblems(new Map(Object.entries({ 'http/server.ts': '', ...files })), ['http']);

describe('areas of control', () => {
  it('may import shared layers, their own files and the index of other areas', () => {
    expect(
      check({
        'calls/index.ts': "export { order } from './orders/order.js';",
        'calls/orders/order.ts': "import { server } from '../../http/server.js';",
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
    const problems = check({ 'calls/index.ts': '', 'calls/order.ts': '', 'batches/index.ts': text });
    expect(problems).toEqual([
      'src/control/batches/index.ts: import calls/index.js instead of calls/order.ts',
    ]);
  });

  it('must not be known to a shared layer, nor entered from outside the areas', () => {
    const calls = { 'calls/index.ts': '', 'calls/order.ts': '' };
    expect(check({ ...calls, 'http/server.ts': "import '../calls/index.js';" })).toHaveLength(1);
    expect(check({ ...calls, 'control.ts': "import './calls/order.js';" })).toHaveLength(1);
  });

  it('need an index', () => {
    expect(check({ 'calls/order.ts': '' })[0]).toContain('src/control/calls');
  });
});
