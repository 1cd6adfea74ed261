import { expect, it } from 'vitest';
import { needlessSpreads } from '../../../dev/gate/needless-spreads.mjs';

const dots = '.'.repeat(3);

it.each([
  ['an object literal in an object literal', `f({\n  ${dots}{ a, b },\n  c,\n});`],
  ['an object literal as attributes of JSX', `<\nInput {${dots}{ id: 'a' }} />`],
])('reports the line of a spread of %s', (_, text) => {
  expect(needlessSpreads('a.tsx', text)).toEqual(['a.tsx:2: write the fields without the spread']);
});

it.each([`f({ ${dots}rest, c });`, `f({ ${dots}(isNew && { a }) });`, `<Input {${dots}described} />`])(
  'accepts %s',
  (text) => {
    expect(needlessSpreads('a.tsx', text)).toEqual([]);
  },
);
