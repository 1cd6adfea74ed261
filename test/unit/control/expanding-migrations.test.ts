import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/control/database/migrations.js';

const folder = new URL('../../../src/control/database/migrations/', import.meta.url);
/** Released without this rule. */
const lastOfRelease01 = '0215';

/** What the release before could not run beside. */
const contractions = [
  /\bdrop\s+(table|column|view|type|schema)\b/i,
  /\balter\s+table\s+\S+\s+drop\s+(?!(constraint|column)\b)\S+/i,
  /\brename\b/i,
  /\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
  /\badd\s+constraint\s+\S+\s+(check|unique)\b/i,
  // One that gives way needs values that the release before does not write.
  /\badd\s+constraint\s+\S+\s+foreign\b(?![^;`]*\bon\s+delete\s+set\s+null\b)/i,
  /\.(dropColumn|dropTable|dropView|renameTo|renameColumn|setDataType|setNotNull)\(/,
];
/** A column that the release before does not write needs a default or takes null. */
const newColumn = /\badd\s+(?!constraint\b)(column\s+)?(if\s+not\s+exists\s+)?\S+\s+[^,;`]*/gi;

/** Undefined: the step only adds to the schema. */
function contractionIn(text: string): string | undefined {
  for (const contraction of contractions) {
    const found = contraction.exec(text);
    if (found !== null) return found[0];
  }
  for (const [column] of text.matchAll(newColumn))
    if (/\bnot\s+null\b/i.test(column) && !/\bdefault\b/i.test(column)) return column;
  return undefined;
}

const indexed =
  /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\S+\s+on\s+"?(\w+)|\.on\('(\w+)'\)/gi;
const created = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)|\.createTable\('(\w+)'\)/gi;

/** Tables that had rows before the step, and get an index in it: until its transaction ends, nothing can write to them. */
function tablesKeptFromWriters(text: string): string[] {
  const tables = (pattern: RegExp): string[] =>
    Array.from(text.matchAll(pattern), ([, inSql, inBuilder]) => inSql ?? inBuilder!);
  const own = tables(created);
  return tables(indexed).filter((table) => !own.includes(table));
}

const stepsSinceRelease01 = readdirSync(folder).filter(
  (name) => name > lastOfRelease01 && /^\d{4}-/.test(name),
);

describe('a step of the schema', () => {
  it.each([
    ['alter table a drop column b', true],
    ['alter table a rename column b to c', true],
    ['alter table a alter column b set not null', true],
    ['alter table a add column b text not null', true],
    ['alter table a add b text not null', true],
    ['alter table a add column if not exists\n  "b" text not null', true],
    ['alter table a drop b', true],
    ['alter table a rename b to c', true],
    ['alter table a alter column "b" type bigint', true],
    ['alter table a add constraint c check (b > 0)', true],
    ['alter table a add constraint c foreign key (b) references d (b)', true],
    ['drop view v', true],
    ["schema.alterTable('a').dropColumn('b')", true],
    ['drop index i', false],
    ['create index i on a (b)', false],
    ['alter table a add b uuid, add constraint c foreign key (b) references d (b) on delete set null', false],
    ['alter table a add column b text not null default 0', false],
    ['alter table a add column b bigint default 0 not null', false],
    ['alter table a add column b text', false],
    ['create table a (b text not null)', false],
  ])('%s: contracts %s', (text, contracts) => {
    expect(contractionIn(text) !== undefined).toBe(contracts);
  });

  it('only expands it, unless its name says that it contracts', () => {
    expect(stepsSinceRelease01.length).toBeGreaterThan(2);
    for (const name of stepsSinceRelease01) {
      if (/^\d{4}-contract-/.test(name)) continue;
      expect(contractionIn(readFileSync(new URL(name, folder), 'utf8')), name).toBeUndefined();
    }
  });

  it.each([
    ['create index i on calls (b)', ['calls']],
    ['create unique index if not exists i\n on "calls" (b)', ['calls']],
    ["schema.createIndex('i').on('calls').column('b')", ['calls']],
    ['create table a (b text); create index i on a (b)', []],
    ["schema.createTable('a').execute(); schema.createIndex('i').on('a').column('b')", []],
    ['drop index i', []],
  ])('%s: keeps writers from %j', (text, tables) => {
    expect(tablesKeptFromWriters(text)).toEqual(tables);
  });

  it('indexes its own new tables only; `large-indexes.ts` has the others, which are built beside writers', () => {
    for (const name of stepsSinceRelease01)
      expect(tablesKeptFromWriters(readFileSync(new URL(name, folder), 'utf8')), name).toEqual([]);
  });

  it('has the name of its file', () => {
    const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ''));
    for (const name of Object.keys(migrations)) expect(files).toContain(name);
  });
});
