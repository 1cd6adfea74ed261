import { describe, expect, it } from 'vitest';
import { readPhoneNumber } from '../../../src/control/http/phone-number.js';

describe('phone numbers', () => {
  it.each([
    ['+14155550100', '14155550100'],
    ['14155550100', '14155550100'],
    [' 14155550100', '14155550100'],
    ['+1 (415) 555-0100', '14155550100'],
    ['+44 20 7946 0123', '442079460123'],
    ['+8613800138000', '8613800138000'],
    ['+12025550100', '12025550100'],
  ])('reads %s as %s', (text, digits) => {
    expect(readPhoneNumber(text)).toBe(digits);
  });

  it.each([
    '',
    '+',
    '+1415',
    '4155550100x',
    '+0123456789',
    '+999123456789',
    '+1415555010000000',
    '+١٤١٥٥٥٥٠١٠٠',
    'sip:1@x',
  ])('rejects %s', (text) => {
    expect(readPhoneNumber(text)).toBeUndefined();
  });
});
