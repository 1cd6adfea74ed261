import { describe, expect, it } from 'vitest';
import type { InvalidRequest } from '../../../../src/control/http/validation.js';
import { digitsOf } from '../../../../src/control/numbers/inbound-numbers.js';
import {
  chooseConfiguration,
  isMatch,
  requirePhoneNumber,
  unknownNumber,
} from '../../../../src/control/numbers/number-access.js';
import { DemarcError } from '../../../../src/errors.js';
import { configurationRow, outboundRow } from './configuration-row.js';

function errorOf(work: () => unknown): { code: string; detail: string | undefined } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof DemarcError) return { code: error.code, detail: error.detail };
    throw error;
  }
}

describe('the number of a request', () => {
  it('is read as digits', () => expect(requirePhoneNumber('+1 (415) 555-0100')).toBe('14155550100'));

  it('is refused with its place and text when it is none', () => {
    const faults = (work: () => unknown) => {
      try {
        work();
        return undefined;
      } catch (error) {
        return (error as InvalidRequest).faults.map(({ path, message }) => [path, message]);
      }
    };
    const text = '"reception" is not an E.164 number, such as +14155550100.';
    expect(faults(() => requirePhoneNumber('reception'))).toEqual([['phone_number', text]]);
    expect(faults(() => requirePhoneNumber('reception', 'after'))).toEqual([['after', text]]);
    expect(faults(() => digitsOf(['+14155550100', 'reception']))).toEqual([['inbound_numbers.1', text]]);
  });

  it('has no configuration when it is not of the organization', () =>
    expect(unknownNumber('14155550100')).toMatchObject({
      code: 'NOT_FOUND',
      detail: '+14155550100 has no SIP configuration',
    }));
});

describe('the version that a change is for', () => {
  it.each<[string, boolean]>([
    ['"7"', true],
    [' "7" ', true],
    ['"6", "7"', true],
    ['"7","8"', true],
    ['*', true],
    ['"1", *', true],
    ['"8"', false],
    ['7', false],
    ['W/"7"', false],
    ['"77"', false],
    ['', false],
  ])('%s matches "7": %s', (header, matches) => expect(isMatch(header, '"7"')).toBe(matches));
});

describe('the configuration that a request means', () => {
  const rows = [configurationRow({ id: 'in_1' }), outboundRow({ id: 'out_1' }), outboundRow({ id: 'out_2' })];

  it('is the only one of its direction, or the one with the id', () => {
    expect(chooseConfiguration(rows, 'inbound', undefined).id).toBe('in_1');
    expect(chooseConfiguration(rows, 'inbound', 'in_1').id).toBe('in_1');
    expect(chooseConfiguration(rows, 'outbound', 'out_2').id).toBe('out_2');
  });

  it('is not found in the other direction, with another id, or where there is none', () => {
    expect(errorOf(() => chooseConfiguration(rows, 'inbound', 'out_1'))).toEqual({
      code: 'NOT_FOUND',
      detail: 'the number has no inbound configuration out_1',
    });
    expect(errorOf(() => chooseConfiguration([], 'outbound', undefined))).toEqual({
      code: 'NOT_FOUND',
      detail: 'the number has no outbound configuration',
    });
  });

  it('is ambiguous when there are several', () =>
    expect(errorOf(() => chooseConfiguration(rows, 'outbound', undefined))).toEqual({
      code: 'AMBIGUOUS_CONFIGURATION',
      detail: '2 configurations are outbound: pass an id',
    }));
});
