import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainEnglishProblems } from '../../../dev/gate/plain-english.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'demarc-english-'));
  for (const folder of [
    'docs',
    'clients',
    'src/contract',
    'src/control',
    'src/dashboard',
    'src/edge',
    'src/launcher',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['README.md', 'src/engine/README.md', 'src/errors.ts', 'src/cli.ts']) write(file, '');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

it.each([
  ['docs/alerts.md', 'An alert.\nWhile Redis is away, calls wait.', 'docs/alerts.md:2: "is away"'],
  ['src/edge/log.ts', "log.info('The call goes on.');", 'src/edge/log.ts:1: "goes on"'],
  ['src/dashboard/page.tsx', '<p>\n  Nobody is on the phone\n</p>', 'src/dashboard/page.tsx:2: "Nobody"'],
])('%s with an old phrase is reported with its line', (file, text, problem) => {
  write(file, text);
  expect(plainEnglishProblems(root)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  ['docs/api.md', 'Put the call on hold. The role goes on hold.'],
  ['src/edge/log.ts', '// Nobody reads this: only texts are checked.\nconst isToldAbove = true;'],
])('%s without one passes', (file, text) => {
  write(file, text);
  expect(plainEnglishProblems(root)).toEqual([]);
});

it('no text of this repository has one', () => {
  expect(plainEnglishProblems(join(import.meta.dirname, '..', '..', '..'))).toEqual([]);
});
