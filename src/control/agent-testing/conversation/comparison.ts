import type { Comparison } from '../../pathways/index.js';
import { textOf } from './evidence.js';

/** Whether a comparison of a variable holds. Text is compared without case; an unset variable equals nothing. */
export function holds(
  { variable, operator, value }: Comparison,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  const actual = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
  const isSet = actual !== undefined && actual !== null && actual !== '';
  if (operator === 'is_set') return isSet;
  if (operator === 'is_not_set') return !isSet;
  if (operator === 'not_equals') return !isSet || !isEqual(actual, value);
  if (!isSet) return false;
  switch (operator) {
    case 'equals':
      return isEqual(actual, value);
    case 'contains':
      return folded(actual).includes(folded(value));
    case 'greater_than':
      return Number(actual) > Number(value);
    case 'less_than':
      return Number(actual) < Number(value);
  }
}

const folded = (value: unknown): string => textOf(value).trim().toLowerCase();

/** 5 and "5.0" are equal as numbers, "05" and "5" as well; other values as text. */
function isEqual(actual: unknown, expected: unknown): boolean {
  const [left, right] = [folded(actual), folded(expected)];
  if (left === right) return true;
  return left !== '' && right !== '' && Number(left) === Number(right);
}
