import { expect, it } from 'vitest';
import { smallFiles } from '../../../dev/gate/small-files.mjs';

const small = 'export const a = 1;\n';
const problem =
  'src/a.ts: at most 25 lines, and only src/b.ts imports it: move it there (dev/gate/small-files.mjs)';

const problems = (sources: Readonly<Record<string, string>>, exceptions = {}) =>
  smallFiles(new Map(Object.entries(sources)), exceptions);

it.each([
  "import { a } from './a.js';",
  "const { a } = await import('./a.js');",
  "new URL('./a.js', import.meta.url);",
])('rejects a file of a few lines whose only importer has %s', (text) => {
  expect(problems({ 'src/a.ts': small, 'src/b.ts': text })).toEqual([problem]);
});

it.each([
  ['has 26 lines', { 'src/a.ts': small.repeat(26), 'src/b.ts': "import './a.js';" }],
  ['two files import', { 'src/a.ts': small, 'src/b.ts': "import './a.js';", 'src/c.ts': "import './a.js';" }],
  [
    'a test imports',
    { 'src/a.ts': small, 'src/b.ts': "import './a.js';", 'test/a.test.ts': "import '../src/a.js';" },
  ],
  ['no file imports', { 'src/a.ts': small }],
  ['is a migration', { 'src/migrations/0001-a.ts': small, 'src/b.ts': "import './migrations/0001-a.js';" }],
  ['a thread loads', { 'src/a-worker.ts': small, 'src/b.ts': "new URL('./a-worker.js', import.meta.url)" }],
])('accepts one that %s', (_, sources) => {
  expect(problems(sources)).toEqual([]);
});

it('accepts an exception, and rejects it when it is no longer needed', () => {
  const exceptions = { 'src/a.ts': 'a reason' };
  expect(problems({ 'src/a.ts': small, 'src/b.ts': "import './a.js';" }, exceptions)).toEqual([]);
  expect(problems({ 'src/a.ts': small }, exceptions)).toEqual([
    'dev/gate/small-files.mjs: src/a.ts needs no exception any more',
  ]);
});
