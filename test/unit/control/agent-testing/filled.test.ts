import { describe, expect, it } from 'vitest';
import { filled } from '../../../../src/control/agent-testing/conversation/spoken-turn.js';

describe('a text with variables', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['Hello {{name}}.', { name: 'Ada' }, 'Hello Ada.'],
    ['{{ name }}, {{name}}', { name: 'Ada' }, 'Ada, Ada'],
    ['{{age}} {{vip}}', { age: 0, vip: false }, '0 false'],
    ['{{name}}', { name: '' }, ''],
    // What has no value stays, so that a reader sees what is missing.
    ['Hello {{name}}.', {}, 'Hello {{name}}.'],
    ['Hello {{name}}.', { name: null }, 'Hello {{name}}.'],
    // Names of every object are no variables.
    ['{{constructor}}', {}, '{{constructor}}'],
    ['{{1st}} {name}', { '1st': 'x', name: 'y' }, '{{1st}} {name}'],
  ])('%s with %j is "%s"', (text, variables, expected) => {
    expect(filled(text, variables)).toBe(expected);
  });
});
