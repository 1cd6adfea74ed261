import { describe, expect, it } from 'vitest';
import { written } from '../../../../../src/dashboard/api/request.js';
import { changeOf, Results } from '../../../../../src/dashboard/pages/trunks/several-numbers.js';
import { rendered } from '../../rendered.js';

const sent = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const { method, path, body } = written(changeOf(form));
  return [`${method} ${path}`, JSON.parse(body!)];
};

describe('a change of several numbers', () => {
  const numbers = '+14155550100\n+14155550101, +14155550102';
  const phone_numbers = ['+14155550100', '+14155550101', '+14155550102'];

  it.each([
    ['agent', { type: 'inbound', agent: 'sip:a@x' }],
    ['server', { type: 'outbound', sip_endpoint: 'sip:a@x' }],
  ])('sets the %s of all', (change, updates) => {
    expect(sent({ numbers, change, value: ' sip:a@x ' })).toEqual([
      'POST /v1/sip/numbers/update',
      { phone_numbers, updates },
    ]);
  });

  it('detaches them in both directions', () => {
    expect(sent({ numbers, change: 'detach' })).toEqual([
      'POST /v1/sip/numbers/detach',
      { phone_numbers, directions: [{ type: 'inbound' }, { type: 'outbound' }], service: 'sip' },
    ]);
  });

  it('names those that were not changed, with the reason', () => {
    const failed = [{ phone_number: '+14155550101', message: 'Not found.' }];
    const shown = rendered(<Results result={{ done: ['+14155550100'], failed }} />);
    expect(shown.text).toMatch(/^1 number changed\. 1 number not changed/);
    expect(shown.all('li')).toEqual(['+14155550101: Not found.']);
    expect(rendered(<Results result={{ done: [], failed: [] }} />).text).toBe('0 numbers changed.');
  });
});
