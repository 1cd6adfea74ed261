import { describe, expect, it } from 'vitest';
import type { NumberCheck } from '../../../../src/control/porting/carriers/carrier.js';
import { checkSchema, checkViews } from '../../../../src/control/porting/check-view.js';

const mobile: NumberCheck = {
  number: '447911123456',
  portable: false,
  numberType: 'mobile',
  pinRequired: true,
  reason: 'Numbers of GB cannot be ported; supported countries: US, CA.',
  source: 'numbering_plan',
};
const local: NumberCheck = {
  number: '14155550100',
  portable: true,
  numberType: 'landline',
  pinRequired: false,
  reason: null,
  source: 'carrier',
};

describe('the answer to a check of portability', () => {
  it('has an entry for each text, in its order, in whatever order the carrier answered', () => {
    expect(checkViews(['+1 415 555 0100', '+447911123456'], [mobile, local])).toEqual([
      {
        phone_number: '+14155550100',
        portable: true,
        number_type: 'landline',
        pin_required: false,
        reason: null,
        source: 'carrier',
      },
      {
        phone_number: '+447911123456',
        portable: false,
        number_type: 'mobile',
        pin_required: true,
        reason: 'Numbers of GB cannot be ported; supported countries: US, CA.',
        source: 'numbering_plan',
      },
    ]);
  });

  it('shows a text that is no number as it was sent, and checks the others', () => {
    const [first, second] = checkViews(['reception', '+14155550100'], [local]);
    expect(first).toEqual({
      phone_number: 'reception',
      portable: false,
      number_type: 'unknown',
      pin_required: false,
      reason: '"reception" is not an E.164 number, such as +14155550100.',
      source: 'numbering_plan',
    });
    expect(second?.portable).toBe(true);
  });

  it('answers a number that was sent twice twice', () => {
    const views = checkViews(['+14155550100', '1 (415) 555-0100'], [local]);
    expect(views.map(({ phone_number }) => phone_number)).toEqual(['+14155550100', '+14155550100']);
  });

  it('is what the description of the API says', () => {
    for (const view of checkViews(['+14155550100', '+447911123456', 'x'], [mobile, local]))
      expect(checkSchema.strict().parse(view)).toEqual(view);
  });
});
