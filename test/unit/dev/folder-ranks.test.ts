import { describe, expect, it } from 'vitest';

interface FolderRanks {
  rankProblems(
    folder: string,
    sources: ReadonlyMap<string, string>,
    order: Readonly<Record<string, readonly string[]>>,
  ): string[];
}
const { rankProblems } = (await import(
  new URL('../../../dev/gate/folder-ranks.mjs', import.meta.url).href
)) as FolderRanks;

const order = { api: [], parts: ['api'], pages: ['parts'], app: ['parts', 'pages'], '': ['app'] };
const check = (files: Record<string, string>): string[] =>
  rankProblems('src/dashboard', new Map(Object.entries(files)), order);

describe('ranks of folders', () => {
  it('let a folder import its own files and those that its entry lists', () => {
    expect(
      check({
        'parts/panel.tsx': "import { query } from '../api/client.js';\nimport { Icon } from './icons.js';",
        'app/pages.tsx': "const page = () => import('../pages/call/call-page.js');",
        'main.tsx': "import './app/app.js';",
      }),
    ).toEqual([]);
  });

  it.each([
    ['a higher folder', 'api/client.ts', "import { Panel } from '../parts/panel.js';"],
    ['a lower folder that its entry does not list', 'pages/call/page.tsx', "import '../../api/client.js';"],
    [
      'any other folder when it has no entry',
      'charts/line.tsx',
      "import type { Call } from '../api/calls.js';",
    ],
    ['a higher folder by a dynamic import', 'parts/panel.tsx', "await import('../app/app.js');"],
    ['a file of the folder itself that no entry lists', 'app/app.tsx', "import '../main.js';"],
  ])('reject an import of %s', (_, path, text) => {
    expect(check({ [path]: text })).toEqual([expect.stringContaining(`src/dashboard/${path}: `)]);
  });

  it('give a file of the folder itself its own entry', () => {
    const withFile = { http: [], 'area.ts': ['http'], calls: ['area.ts'], '': [] };
    const files = { 'area.ts': "import './http/query.js';", 'calls/index.ts': "import '../area.js';" };
    expect(rankProblems('src', new Map(Object.entries(files)), withFile)).toEqual([]);
    const upward = { 'http/query.ts': "import '../area.js';", 'calls/order.ts': "import '../main.js';" };
    expect(rankProblems('src', new Map(Object.entries(upward)), withFile)).toHaveLength(2);
  });

  it('reject an entry that lists a folder of the same or a higher rank', () => {
    expect(rankProblems('src', new Map(), { a: ['b'], b: ['c'] })).toEqual([
      'src: the entry of a lists b, which is not below it',
      'src: the entry of b lists c, which is not below it',
    ]);
  });
});
