import { expect, it } from 'vitest';
import { parseSessionExpires } from '../../../src/sip/session-expires.js';

it.each([
  ['1800', 1_800, undefined],
  ['1800;refresher=uac', 1_800, 'uac'],
  [' 90 ; Refresher = UAS ', 90, 'uas'],
  ['90;x=1;refresher=uas;y', 90, 'uas'],
  ['90;refresher=uasx', 90, undefined],
  ['90;xrefresher=uas', 90, undefined],
])('reads %s', (value, interval, refresher) => {
  expect(parseSessionExpires(value)).toEqual({ interval, refresher });
});

it.each([undefined, '', 'soon', '-1', '1800 refresher=uac', '9'.repeat(10)])('refuses %s', (value) => {
  expect(parseSessionExpires(value)).toBeUndefined();
});
