import { describe, expect, it } from 'vitest';

interface TableOwners {
  tableProblems(
    sources: ReadonlyMap<string, string>,
    order: Readonly<Record<string, readonly string[]>>,
    areas: readonly string[],
  ): string[];
}
const { tableProblems } = (await import(
  new URL('../../../dev/gate/table-owners.mjs', import.meta.url).href
)) as TableOwners;

const declare = (kind: string, name: string): string =>
  `declare module '../database/tables.js' {\n  interface ${kind} {\n    ${name}: Table;\n  }\n}\n`;
const declarations = {
  'numbers/tables.ts': declare('Database', 'numbers'),
  'calls/history/tables.ts': declare('Database', 'calls') + declare('Views', 'ended_calls'),
};
const order = { database: [], numbers: [], session: [], calls: ['numbers'], noc: ['numbers', 'calls'] };
const check = (path: string, text: string): string[] =>
  tableProblems(new Map(Object.entries({ ...declarations, [path]: text })), order, ['calls', 'noc', 'usage']);

describe('owners of tables', () => {
  it.each([
    ['its own table', 'calls/orders/order.ts', "database.selectFrom('calls')"],
    ['a table of a lower folder that it lists', 'calls/orders/order.ts', "database.selectFrom('numbers')"],
    ['a view of a lower area', 'noc/figures.ts', "database.selectFrom('ended_calls as c')"],
    ['a view of a lower area in SQL', 'noc/figures.ts', 'sql`select from ended_calls c`'],
    [
      'the same word in a sentence',
      'session/view.ts',
      "const text = 'Numbers taken from calls and numbers.';",
    ],
    ['the same word in a comment', 'session/view.ts', '/** `select from calls` is slow. */'],
    ['the same word as a column', 'session/view.ts', "database.selectFrom('sessions').select('calls')"],
    ['all tables in migrations', 'database/migrations/0001-calls.ts', 'sql`alter table calls add a text`'],
  ])('let a folder use %s', (_, path, text) => {
    expect(check(path, text)).toEqual([]);
  });

  it.each([
    ['a query', "database.selectFrom('calls')"],
    ['a query with an alias', "database.selectFrom('calls as c')"],
    ['a query of several tables', "database.selectFrom(['numbers', 'calls'])"],
    ['a join', "database.selectFrom('numbers').leftJoin('calls', 'calls.number', 'numbers.number')"],
    ['an insertion', "database.insertInto('calls')"],
    ['an update', "database.updateTable('calls')"],
    ['a deletion', "database.deleteFrom('calls')"],
    ['a subquery', "query.where(({ exists, selectFrom }) => exists(eb.selectFrom('calls')))"],
    ['a property that names a table', "const subject = { versionTable: 'calls' };"],
    ['SQL', `sql\`select from calls where number = \${number}\``],
    ['SQL with several tables', 'sql`select from numbers n, calls c`'],
    ['SQL behind an expression', `sql\`select \${column} from numbers join calls using (number)\``],
    ['an update in SQL', `sql\`update calls set number = \${number}\``],
    ['a template without a tag', 'client.query(`select from calls`)'],
    ['a string', "client.query('delete from calls')"],
  ])('reject %s that names a table of another area', (_, text) => {
    expect(check('noc/figures.ts', text)).toEqual([
      'src/control/noc/figures.ts: use calls/index.ts or a view of calls instead of its table calls',
    ]);
  });

  it.each([
    ['a table of a higher folder', 'numbers/state.ts', "database.selectFrom('calls')"],
    ['a view of a higher folder', 'session/tokens.ts', "database.selectFrom('ended_calls')"],
    [
      'a table of a lower folder that its entry does not list',
      'session/tokens.ts',
      'sql`select from numbers`',
    ],
    ['any other table in a folder without an entry', 'usage/days.ts', "database.selectFrom('numbers')"],
    ['any table in a file of control itself without an entry', 'areas.ts', "database.selectFrom('numbers')"],
  ])('reject %s', (_, path, text) => {
    expect(check(path, text)).toEqual([expect.stringContaining('dev/gate/folder-ranks.mjs')]);
  });
});
