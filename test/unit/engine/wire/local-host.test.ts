import { expect, test } from 'vitest';
import { bracketed, substituteLocalHost } from '../../../../src/engine/dialog/local-host.js';
import { repairRouteUrl } from '../../../../src/engine/dialog/route-set.js';

const host = '192.0.2.10:5060';

test.each([
  ['<sip:a@localhost>', '<sip:a@192.0.2.10:5060>'],
  ['sip:a@localhost', '<sip:a@192.0.2.10:5060>'],
  ['sip:a@localhost;tag=1', '<sip:a@192.0.2.10:5060>;tag=1'],
  ['"N" <sip:a@localhost;transport=tls>;p=1', '"N" <sip:a@192.0.2.10:5060;transport=tls>;p=1'],
  ['<sip:a@localhost:7777>', '<sip:a@192.0.2.10:5060>'],
  ['<sips:a@LocalHost>', '<sips:a@192.0.2.10:5060>'],
  ['<sip:localhost>', '<sip:localhost>'],
  ['<sip:a@my.localhost>', '<sip:a@my.localhost>'],
  ['<sip:a@localhost.example.com>', '<sip:a@localhost.example.com>'],
  ['"x@localhost" <sip:a@localhost>', '"x@localhost" <sip:a@192.0.2.10:5060>'],
  ['<sip:a@localhost>, <sip:b@localhost>', '<sip:a@192.0.2.10:5060>, <sip:b@192.0.2.10:5060>'],
])('%s becomes %s', (value, expected) => {
  expect(bracketed(substituteLocalHost(value, host))).toBe(expected);
});

test.each([
  ['sip:203.0.113.40:5061;transport=tls', 'sip:203.0.113.40:5061;transport=tls'],
  ['sip:2001:db8::1:5061;transport=tls', 'sip:[2001:db8::1]:5061;transport=tls'],
  ['sip:[2001:db8::1]:5061', 'sip:[2001:db8::1]:5061'],
  ['203.0.113.40:5060', 'sip:203.0.113.40:5060'],
  ['sip:user@example.com', 'sip:user@example.com'],
])('next hop %s is read as %s', (url, expected) => {
  expect(repairRouteUrl(url)).toBe(expected);
});
