import { describe, expect, it } from 'vitest';
import { completedNumber } from '../../../src/contract/local-number.js';

describe('a local number', () => {
  it.each([
    ['follows its context', '4155550100', '1', '14155550100'],
    ['follows an area, also with a 0', '0199', '1415555', '14155550199'],
    ['loses the trunk prefix', '0301234567', '49', '49301234567'],
    ['loses the trunk prefix of North America', '14155550100', '1', '14155550100'],
    [
      'loses the international prefix before the country of its context',
      '0049301234567',
      '49',
      '49301234567',
    ],
    ['loses the international prefix before another country', '0014155550100', '49', '14155550100'],
    ['loses the international prefix of North America', '01149301234567', '1', '49301234567'],
    ['loses the international prefix of Australia', '001149301234567', '61', '49301234567'],
    ['keeps the 0 of Italy', '0612345678', '39', '390612345678'],
    ['keeps the 0 where there is no trunk prefix', '0707123456', '225', '2250707123456'],
  ])('%s: %s in %s', (_what, local, context, digits) => expect(completedNumber(local, context)).toBe(digits));

  it.each([
    ['0049', '49'],
    ['0112', '49'],
    ['000', '49'],
    ['0', '49'],
    ['1234', '1'],
  ])('%s in %s is none', (local, context) => expect(completedNumber(local, context)).toBeUndefined());

  it('follows a context that is no country', () => expect(completedNumber('0888', '999')).toBe('9990888'));
});
