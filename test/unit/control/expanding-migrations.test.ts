import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/control/database/migrations.js';

const folder = new URL('../../../src/control/database/migrations/', import.meta.url);
/** Released without this rule. */
const lastOfRelease01 = '0215';

/** SQL that the release before could not run beside; undefined: none. */
function contractionIn(text: string): string | undefined {
  const found =
    /\b(drop table|drop column|rename (column|to)|alter column \w+ (type|set not null)|set data type)\b/i.exec(
      text,
    );
  if (found !== null) return found[0];
  // A column that the release before does not write needs a default or takes null.
  const required = /add column \w+ (?:(?!,|`)[^\n])*not null(?!(?:(?!,|`)[^\n])*default)/i.exec(text);
  return required !== null && !/default/i.test(required[0]) ? required[0] : undefined;
}

describe('a step of the schema', () => {
  it.each([
    ['alter table a drop column b', true],
    ['alter table a rename column b to c', true],
    ['alter table a alter column b set not null', true],
    ['alter table a add column b text not null', true],
    ['alter table a add column b text not null default 0', false],
    ['alter table a add column b bigint default 0 not null', false],
    ['alter table a add column b text', false],
    ['create table a (b text not null)', false],
  ])('%s: contracts %s', (text, contracts) => {
    expect(contractionIn(text) !== undefined).toBe(contracts);
  });

  it('only expands it, unless its name says that it contracts', () => {
    const names = readdirSync(folder).filter((name) => name > lastOfRelease01 && /^\d{4}-/.test(name));
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      if (/^\d{4}-contract-/.test(name)) continue;
      expect(contractionIn(readFileSync(new URL(name, folder), 'utf8')), name).toBeUndefined();
    }
  });

  it('has the name of its file', () => {
    const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ''));
    for (const name of Object.keys(migrations)) expect(files).toContain(name);
  });
});
