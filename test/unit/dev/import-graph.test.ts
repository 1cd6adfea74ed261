import { expect, it } from 'vitest';
import { ImportGraph } from '../../../dev/mutants/import-graph.js';

const graph = new ImportGraph(
  new Map([
    ['src/a.ts', "import { b } from './b.js';"],
    ['src/b.ts', "export * from './part/c.js';\nimport { a } from './a.js';"],
    ['src/part/c.tsx', "import { z } from 'zod';"],
    ['src/lone.ts', ''],
    ['test/unit/a.test.ts', "const a = await import('../../src/a.js');"],
    ['test/unit/lone.test.ts', "import { lone } from '../../src/lone.js';"],
  ]),
);

it('finds what imports a file, through others and in circles', () => {
  expect([...graph.reaching('src/part/c.tsx')].sort()).toEqual([
    'src/a.ts',
    'src/b.ts',
    'test/unit/a.test.ts',
  ]);
  expect([...graph.reaching('src/lone.ts')]).toEqual(['test/unit/lone.test.ts']);
  expect([...graph.reaching('test/unit/a.test.ts')]).toEqual([]);
});
