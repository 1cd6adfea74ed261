import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainEnglishProblems } from '../../../dev/gate/plain-english.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'demarc-english-'));
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
  ['src/base/text.ts', '/** Nobody knows. */\nconst a = 1;', 'src/base/text.ts:1: "Nobody"'],
  ['src/base/text.ts', '/**\n * Redis is\n * away.\n */\nconst a = 1;', 'src/base/text.ts:2: "is away"'],
  ['src/edge/leave.lua', 'local a = 1\n-- Nobody has it.', 'src/edge/leave.lua:2: "Nobody"'],
  ['test/unit/a.test.ts', "it('reaches nobody', () => {});", 'test/unit/a.test.ts:1: "nobody"'],
  ['test/unit/a.test.ts', "describe.skipIf(a)('nobody', () => {});", 'test/unit/a.test.ts:1: "nobody"'],
  [
    'test/unit/a.test.ts',
    "it.each([\n  ['nobody asks', 1],\n] as const)('%s', () => {});",
    'test/unit/a.test.ts:2: "nobody"',
  ],
  ['test/unit/a.test.ts', "row(1, 'R', 'it is told', () => {});", 'test/unit/a.test.ts:1: "told"'],
  [
    'test/unit/a.test.ts',
    "it('that fails ends', () => {});",
    'test/unit/a.test.ts:1: begin the title with a verb',
  ],
  [
    'test/unit/a.test.ts',
    "it.each([\n  ['a', 1],\n])('that %s ends', () => {});",
    'test/unit/a.test.ts:3: begin the title with a verb',
  ],
])('reports %s with an old phrase or a title without a verb, and its line', (file, text, problem) => {
  write(file, text);
  expect(plainEnglishProblems(root)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  ['docs/api.md', 'Put the call on hold. The role goes on hold.'],
  ['src/edge/log.ts', 'const isToldAbove = true;'],
  ['src/engine/user.ts', "const name = 'nobody';"],
  ['test/unit/a.test.ts', "it.each([['a name', 'nobody']])('rejects %s', () => call('nobody'));"],
  ['test/unit/a.test.ts', "it.each(['that is empty'])('rejects a name %s', () => {});"],
])('accepts %s without one', (file, text) => {
  write(file, text);
  expect(plainEnglishProblems(root)).toEqual([]);
});
