import { textOf } from '../conversation/evidence.js';
import { valueAt } from '../conversation/value-at.js';
import { masked } from '../conversation/webhook-arguments.js';
import type { ArgumentCheck } from '../schemas/tool-assertion.js';
import { linearPattern } from './linear-pattern.js';

export interface ArgumentVerdict {
  /** unknown: a part that decides it is masked. */
  readonly result: 'holds' | 'differs' | 'unknown';
  /** `date is "2026-12-01"`; for people. */
  readonly actual: string;
}

/** Whether the arguments of a call are as one check wants them. */
export function matchArgument(
  { path, operator, value: expected }: ArgumentCheck,
  given: Readonly<Record<string, unknown>>,
): ArgumentVerdict {
  const value = path === '' ? given : valueAt(given, path);
  const actual = `${path === '' ? 'arguments' : path} ${value === undefined ? 'absent' : `is ${JSON.stringify(value)}`}`;
  if (operator === 'present' || operator === 'absent') {
    const holds = (value !== undefined && value !== null) === (operator === 'present');
    return { result: holds ? 'holds' : 'differs', actual };
  }
  const holds = value !== undefined && compare(operator, value, expected);
  // What is masked may be anything.
  const isHidden = !holds && value !== undefined && JSON.stringify(value).includes(masked);
  return { result: isHidden ? 'unknown' : holds ? 'holds' : 'differs', actual };
}

function compare(
  operator: Exclude<ArgumentCheck['operator'], 'present' | 'absent'>,
  value: unknown,
  expected: unknown,
): boolean {
  switch (operator) {
    case 'equals':
      return isEqual(value, expected);
    case 'contains':
      return contains(value, expected);
    case 'matches':
      return linearPattern(String(expected))(textOf(value)) !== undefined;
  }
}

function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isEqual(item, expected));
  if (isObject(value) && isObject(expected))
    return Object.entries(expected).every(
      ([name, item]) =>
        Object.hasOwn(value, name) && (isEqual(value[name], item) || holdsObject(value[name], item)),
    );
  if (typeof value === 'object') return false;
  return textOf(value).toLowerCase().includes(textOf(expected).toLowerCase());
}

/** Of an object within an object, the named fields count alone. */
const holdsObject = (value: unknown, expected: unknown): boolean =>
  isObject(value) && isObject(expected) && contains(value, expected);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Equal as JSON: the order of fields does not matter. */
function isEqual(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) || Array.isArray(right))
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index]))
    );
  if (!isObject(left) || !isObject(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}
