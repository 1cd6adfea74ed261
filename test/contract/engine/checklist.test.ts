import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { knownDifferences } from './known-differences.js';

const here = dirname(fileURLToPath(import.meta.url));
const source = readdirSync(here)
  .filter((file) => /^17-\d.*\.test\.ts$/.test(file))
  .map((file) => readFileSync(join(here, file), 'utf8'))
  .join('\n');

/** Ids given to `row(`, also through a table of rows: a number or a text, then the class. */
const ids = new Set(
  [...source.matchAll(/(?:row\(|\[)\s*(?:(\d{1,3})|'(\d{1,3}[^']*)'),/g)].map(
    ([, number, text]) => number ?? text,
  ),
);

describe('the checklist', () => {
  test('has a test for each of its rows 1 to 104', () => {
    const missing = Array.from({ length: 104 }, (_, i) => String(i + 1)).filter((id) => !ids.has(id));
    expect(missing).toEqual([]);
  });

  test('has a row for each known difference', () => {
    expect(Object.keys(knownDifferences).filter((id) => !ids.has(id))).toEqual([]);
  });
});
