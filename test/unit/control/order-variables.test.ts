import { describe, expect, it } from 'vitest';
import { maximumVariableLength } from '../../../src/contract/commands.js';
import { orderVariables } from '../../../src/control/calls/orders/order-variables.js';
import { InvalidRequest } from '../../../src/control/http/validation.js';

const read = (requestData: Record<string, unknown>, names = ['crm']) =>
  orderVariables(names, requestData, 'calls.2.');

describe('the variables of an order', () => {
  it('are only what a header mapping reads', () => {
    expect(read({ crm: 'c-1', secret: 'x' })).toEqual({ crm: 'c-1' });
  });

  it('leave out what is absent or null', () => {
    expect(read({ crm: null })).toEqual({});
    expect(read({})).toEqual({});
  });

  it('never come from the prototype', () => {
    expect(read({}, ['toString', '__proto__', 'constructor'])).toEqual({});
  });

  it('are text for numbers and booleans', () => {
    expect(read({ crm: 7, vip: false }, ['crm', 'vip'])).toEqual({ crm: '7', vip: 'false' });
  });

  it.each([
    ['a line break, which would begin another header', 'a\r\nX-Evil: 1'],
    ['an object', {}],
    ['a list', ['a']],
    ['too many characters', 'x'.repeat(maximumVariableLength + 1)],
  ])('refuse %s', (_name, crm) => {
    expect(() => read({ crm })).toThrow(InvalidRequest);
    expect(() => read({ crm })).toThrow(/calls\.2\.request_data\.crm/);
  });

  it('take the longest value that is allowed', () => {
    const crm = 'x'.repeat(maximumVariableLength);
    expect(read({ crm })).toEqual({ crm });
  });
});
