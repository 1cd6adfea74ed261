import { describe, expect, it } from 'vitest';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import type { NumberCheck } from '../../../../src/control/porting/carriers/carrier.js';
import {
  readPortNumbers,
  refuseUnportable,
  withForeign,
} from '../../../../src/control/porting/port-checks.js';

const check = (number: string, fields: Partial<NumberCheck> = {}): NumberCheck => ({
  number,
  portable: true,
  numberType: 'unknown',
  pinRequired: false,
  reason: null,
  source: 'carrier',
  ...fields,
});

/** Path and message of each fault; undefined: none. */
function faultsOf(work: () => unknown): readonly (readonly [string | undefined, string])[] | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.faults.map(({ path, message }) => [path, message] as const);
  }
}

describe('the numbers of a port order', () => {
  it('are read as digits, in their order', () => {
    expect(readPortNumbers(['+1 415 555 0100', '(415) 555-0101'.replace('(', '+1 (')])).toEqual([
      '14155550100',
      '14155550101',
    ]);
  });

  it('are refused when one is no number', () => {
    const faults = faultsOf(() => readPortNumbers(['+14155550100', 'reception']))!;
    expect(faults.map(([path]) => path)).toEqual(['phone_numbers.1']);
  });

  it('are refused when one is listed twice, whatever it is written like', () => {
    expect(faultsOf(() => readPortNumbers(['+14155550100', '+14155550101', '1 (415) 555-0100']))).toEqual([
      ['phone_numbers.2', '+14155550100 is listed twice.'],
    ]);
  });
});

describe('numbers that another organization has', () => {
  it('cannot be ported, whatever the carrier says', () => {
    const checks = [check('14155550100'), check('14155550101', { numberType: 'mobile', pinRequired: true })];
    expect(withForeign(checks, new Set(['14155550101']))).toEqual([
      check('14155550100'),
      check('14155550101', {
        portable: false,
        numberType: 'mobile',
        pinRequired: true,
        reason: 'The number is attached by another organization of this service.',
      }),
    ]);
  });

  it('keep the reason of the carrier where it refuses them itself', () => {
    const refused = check('14155550100', { portable: false, reason: 'No agreement.' });
    expect(withForeign([refused], new Set(['14155550100']))).toEqual([refused]);
  });
});

describe('a port order that the carrier cannot carry out', () => {
  const order = (pin?: string, account_number?: string) => ({
    pin,
    losing_carrier_information: { account_number },
  });

  it('is refused with one fault for each number that cannot be ported', () => {
    const checks = [
      check('14155550100', { portable: false, reason: 'No agreement.' }),
      check('14155550101'),
      check('14155550102', { portable: false }),
    ];
    expect(faultsOf(() => refuseUnportable(checks, order('1234', '998877')))).toEqual([
      ['phone_numbers.0', '+14155550100 cannot be ported: No agreement.'],
      ['phone_numbers.2', '+14155550102 cannot be ported: the carrier gives no reason.'],
    ]);
  });

  it('is accepted without PIN and account number when no carrier asks for them', () => {
    expect(faultsOf(() => refuseUnportable([check('14155550100')], order()))).toBeUndefined();
    expect(faultsOf(() => refuseUnportable([], order()))).toBeUndefined();
  });

  it('is refused without the PIN or the account number that a carrier asks for', () => {
    const checks = [check('14155550100'), check('14155550101', { pinRequired: true })];
    const asks = 'is required: the carrier of +14155550101 asks for a PIN and the account number.';
    const refusal = (pin?: string, account?: string) =>
      faultsOf(() => refuseUnportable(checks, order(pin, account)));
    expect(refusal()).toEqual([['pin', `pin ${asks}`]]);
    expect(refusal(undefined, '998877')).toEqual([['pin', `pin ${asks}`]]);
    expect(refusal('1234')).toEqual([
      ['losing_carrier_information.account_number', `account_number ${asks}`],
    ]);
    expect(refusal('1234', '998877')).toBeUndefined();
  });

  it('is refused for the numbers first', () => {
    const checks = [check('14155550100', { portable: false, reason: 'No.', pinRequired: true })];
    expect(faultsOf(() => refuseUnportable(checks, order()))).toEqual([
      ['phone_numbers.0', '+14155550100 cannot be ported: No.'],
    ]);
  });
});
