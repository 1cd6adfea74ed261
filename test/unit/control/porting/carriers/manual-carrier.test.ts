import { describe, expect, it } from 'vitest';
import { ForgedWebhook } from '../../../../../src/control/porting/carriers/carrier.js';
import { checkByPlan, ManualCarrier } from '../../../../../src/control/porting/carriers/manual-carrier.js';

describe('a check by the numbering plan', () => {
  it('takes a number of a supported country', () => {
    expect(checkByPlan('14155552671', ['US', 'CA'])).toEqual({
      number: '14155552671',
      portable: true,
      numberType: 'unknown',
      pinRequired: false,
      reason: null,
      source: 'numbering_plan',
    });
  });

  it('requires a PIN for a mobile number alone', () => {
    expect(checkByPlan('447911123456', ['GB'])).toMatchObject({ numberType: 'mobile', pinRequired: true });
    expect(checkByPlan('442079460123', ['GB'])).toMatchObject({ numberType: 'landline', pinRequired: false });
    expect(checkByPlan('18005550123', ['US'])).toMatchObject({ numberType: 'toll-free', pinRequired: false });
  });

  it('refuses a number of another country', () => {
    expect(checkByPlan('442079460123', ['US', 'CA'])).toMatchObject({
      portable: false,
      numberType: 'landline',
      reason: 'Numbers of GB cannot be ported; supported countries: US, CA.',
    });
  });

  it('refuses a number of no country', () => {
    expect(checkByPlan('80012345678', ['US'])).toMatchObject({
      portable: false,
      reason: 'Numbers of no country cannot be ported; supported countries: US.',
    });
  });

  it('refuses a number that the plan does not have, whatever its country', () => {
    expect(checkByPlan('11115550100', ['US'])).toMatchObject({
      portable: false,
      reason: 'The numbering plan has no such number. Check its digits.',
    });
  });
});

describe('a port by hand', () => {
  const carrier = new ManualCarrier(['US']);

  it('checks each number in its order', async () => {
    const checks = await carrier.check(['442079460123', '14155552671']);
    expect(checks.map(({ number, portable }) => [number, portable])).toEqual([
      ['442079460123', false],
      ['14155552671', true],
    ]);
  });

  it('has the id of the request as reference, and no state but what an operator says', async () => {
    expect(await carrier.submit({ requestId: 'port_1' })).toBe('port_1');
    expect(await carrier.find()).toBeUndefined();
    expect(await carrier.status()).toBeUndefined();
  });

  it('believes no webhook', () => expect(() => carrier.readWebhook()).toThrow(ForgedWebhook));
});
