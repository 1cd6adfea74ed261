import { expect, it } from 'vitest';
import { numbersOf } from '../../../dev/mutants/numbers.js';

it.each([
  ['3', [3]],
  ['3,7,3', [3, 7]],
  ['10-12,1', [10, 11, 12, 1]],
  ['4-4', [4]],
])('reads the numbers of mutants %s', (text, numbers) => {
  expect([...numbersOf(text)]).toEqual(numbers);
});

it.each(['', '0', '3,', '12-10', '0-3', 'a', '1-2-3', '1 2', '-3', '1234567'])('rejects %j', (text) => {
  expect(() => numbersOf(text)).toThrow('Numbers from 1 and ranges, such as 3,7,10-12.');
});
