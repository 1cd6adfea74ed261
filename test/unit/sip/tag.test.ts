import { describe, expect, it } from 'vitest';
import { tagOf } from '../../../src/sip/address.js';

describe('the tag of a From or To value', () => {
  it.each([
    ['<sip:a@x>;tag=1', '1'],
    ['<sip:a@x;user=phone>;tag=1;x=2', '1'],
    ['<sip:a@x>;x=2;tag=1', '1'],
    ['sip:a@x;tag=1', '1'],
    ['<sip:a@x>', undefined],
    ['<sip:a@x>;tag=', undefined],
    // What a quoted name holds is no parameter.
    ['"Ada" <sip:a@x>;tag=1', '1'],
    ['"Ada;tag=2" <sip:a@x>;tag=1', '1'],
    ['"Ada> ;tag=2" <sip:a@x>;tag=1', '1'],
    ['"Ada> ;tag=2" <sip:a@x>', undefined],
    ['"A\\";tag=2 <" <sip:a@x>;tag=1', '1'],
    ['"Ada"<sip:a@x>;tag=1', '1'],
    ['<sip:a@x>;x="a;tag=2";tag=1', '1'],
    ['"Ada" <sip:a@x>;x=">;tag=2";tag=1', '1'],
  ])('%s is %s', (value, expected) => {
    expect(tagOf(value)).toBe(expected);
  });
});
