import { expect, it } from 'vitest';
import { vagueNames } from '../../../dev/gate/vague-names.mjs';

it.each([
  ['a variable', 'const one = 1;'],
  ['the rest of a destructuring', 'const { a, ...others } = b;'],
  ['a variable with another key', 'const { a: other } = b;'],
  ['a default in a list', 'const [a, other = 1] = b;'],
  ['a parameter', 'const isSame = (one: number) => one === 1;'],
  ['a parameter of a type', 'type Compare = (a: number, other: number) => number;'],
  ['a property by a parameter', 'class A { constructor(private readonly other: number) {} }'],
  ['a function', 'function away() {}'],
  ['a method', 'class A { others() {} }'],
  ['a field', 'class A { told = false; }'],
  ['a member of a type', 'interface A { readonly theirs: number }'],
  ['what is imported', "import { anew } from './a.js';"],
  ['what is caught', 'try { f(); } catch (other) { f(); }'],
  ['what a loop goes through', 'for (const other of all) f(other);'],
])('rejects as the name of %s', (_, text) => {
  expect(vagueNames('a.ts', `f();\n${text}`)).toEqual([
    expect.stringMatching(/^a\.ts:2: "(one|others?|told|anew|away|theirs)" does not say what it is \(/),
  ]);
});

it.each([
  "// one other\nconst text = 'one, other: away';",
  'const share = run({ one: 30, other: 60 }).one;',
  'const otherSide = isOther(oneOf(a));',
])('accepts %s', (text) => {
  expect(vagueNames('a.ts', text)).toEqual([]);
});
