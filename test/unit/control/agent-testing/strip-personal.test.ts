import { describe, expect, it } from 'vitest';
import {
  withoutPersonal,
  withoutPersonalText,
} from '../../../../src/control/agent-testing/analysis/strip-personal.js';

describe('what a model reads of a call', () => {
  it.each([
    ['Call +1 312 555 0143.', 'Call [removed].'],
    ['Call (312) 555-0143, please', 'Call [removed], please'],
    ['My number is 3125550143!', 'My number is [removed]!'],
    ['+13125550143', '[removed]'],
    ['Either +1 312 555 0143. Or +1 312 555 0144.', 'Either [removed]. Or [removed].'],
    ['See https://example.com/a?key=1 for it.', 'See [removed] for it.'],
    ['The key is sk-abcdefghijklmnop', 'The key is [removed]'],
  ])('%s: has no part of a phone number, URL or key left', (text, clean) => {
    expect(withoutPersonalText(text)).toBe(clean);
  });

  it.each(['On 2026-11-20.', 'Version 1.2.3 of 12 May', 'It costs 1,250.50 euro', 'Room 4711'])(
    '%s: stays as it is',
    (text) => {
      expect(withoutPersonalText(text)).toBe(text);
    },
  );

  it('has no field named after a number or a secret, at any depth', () => {
    const data = { name: 'Ada', crm: { phoneNumber: 'x', api_key: 'y', note: 'Call +1 312 555 0143.' } };
    expect(withoutPersonal(data)).toEqual({ name: 'Ada', crm: { note: 'Call [removed].' } });
  });
});
