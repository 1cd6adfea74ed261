import { describe, expect, it } from 'vitest';
import {
  formatAddress,
  parseAddress,
  tagOf,
  withEarlyTag,
  withFirstTagOnly,
  withQuotedNames,
  withTag,
} from '../../../src/sip/address.js';
import { parseCSeq } from '../../../src/sip/cseq.js';
import { parseVia } from '../../../src/sip/via.js';
import { formatVia } from './written.js';

describe('parseAddress', () => {
  it.each([
    ['<sip:a@b>', undefined, 'sip:a@b', {}],
    ['sip:a@b;tag=1', undefined, 'sip:a@b', { tag: '1' }],
    ['<sip:a@b;tag=no>;tag=1', undefined, 'sip:a@b;tag=no', { tag: '1' }],
    ['"A \\"B\\" <c>" <sip:a@b>;x', 'A "B" <c>', 'sip:a@b', { x: undefined }],
    ['A  B-c.d <sip:a@b> ; TAG = 1', 'A  B-c.d', 'sip:a@b', { tag: '1' }],
    ['"" <sip:a@b>', '', 'sip:a@b', {}],
    ['"x"<sip:a@b>;p="q;\\"r"', 'x', 'sip:a@b', { p: '"q;\\"r"' }],
    ['J\xc3\xbcrgen <sip:a@b>', 'J\xc3\xbcrgen', 'sip:a@b', {}],
    ['<tel:+1;x=y>', undefined, 'tel:+1;x=y', {}],
    ['<sip:a@b?x=y,z>', undefined, 'sip:a@b?x=y,z', {}],
    [
      '<sip:a@b>;methods="INVITE,BYE";+sip.instance="<urn:uuid:1>"',
      undefined,
      'sip:a@b',
      {
        methods: '"INVITE,BYE"',
        '+sip.instance': '"<urn:uuid:1>"',
      },
    ],
  ])('reads %s', (value, displayName, uri, parameters) => {
    const address = parseAddress(value);
    expect(address).toEqual({
      ...(displayName === undefined ? {} : { displayName }),
      uri,
      parameters: new Map(Object.entries(parameters)),
    });
    expect(parseAddress(formatAddress(address!))).toEqual(address);
  });

  it.each([
    '',
    ' ',
    '<>',
    '<sip:a@b',
    'sip:a@b>',
    '"x <sip:a@b>',
    '"x" sip:a@b',
    '"x"',
    'a, b <sip:a@b>',
    'a@b <sip:a@b>',
    '< sip:a@b >',
    '<sip:a b>',
    'sip:a@b?x=y',
    'sip:a@b,sip:c@d',
    '<sip:a@b>,<sip:c@d>',
    '<sip:a@b>x',
    '<sip:a@b>;',
    '<sip:a@b>;;x',
    '<sip:a@b>;x=',
    '<sip:a@b>;x="y',
    '<sip:a@b>;(=1',
    '<sip:a<b>',
    'sip:a@b;tag=1>2',
    'sip:a@b;tag=1<2',
    '<sip:a@b>;tag=1;Tag=2',
  ])('refuses %j', (value) => {
    expect(parseAddress(value)).toBeUndefined();
  });
});

describe('tags', () => {
  it.each([
    ['<sip:a@b>;tag=1', '1'],
    ['<sip:a@b>;x=y;tag=1;z', '1'],
    ['<sip:a@b;tag=0>', undefined],
    ['<sip:a@b> ; Tag = 1', '1'],
    ['sip:a@b;tag=1', '1'],
    ['sip:a@b', undefined],
    ['"x;tag=0" <sip:a@b>;tag=1', '1'],
    ['<sip:a@b>;x=">;tag=0";tag=1', '1'],
    ['<sip:a@b>;xtag=0;tag=a=b@c', 'a=b@c'],
    ['<sip:a@b>;tag', undefined],
    ['garbage', undefined],
    ['', undefined],
  ])('of %j', (value, tag) => expect(tagOf(value)).toBe(tag));

  it('are appended, kept or replaced', () => {
    expect(withTag('<sip:a@b>', '1')).toBe('<sip:a@b>;tag=1');
    expect(withTag('sip:a@b', '1')).toBe('sip:a@b;tag=1');
    expect(withTag('<sip:a@b>;tag=1;x', '1')).toBe('<sip:a@b>;tag=1;x');
    expect(withTag('"N" <sip:a@b>;x;tag=1', '2')).toBe('"N" <sip:a@b>;x;tag=2');
  });
});

describe('withQuotedNames', () => {
  it.each([
    ['J\xc3\xbcrgen <sip:a@b>;tag=1', '"J\xc3\xbcrgen" <sip:a@b>;tag=1'],
    ['J\xc3\xbcr M <sip:a@b>;p="q"', '"J\xc3\xbcr M" <sip:a@b>;p="q"'],
    ['"x" <sip:a@b>, \xc3\xbc<sip:c@d>', '"x" <sip:a@b>, "\xc3\xbc" <sip:c@d>'],
    ['a\\b <sip:a@b>', '"a\\\\b" <sip:a@b>'],
  ])('%s', (value, quoted) => expect(withQuotedNames(value)).toBe(quoted));

  it.each([
    'Alice <sip:a@b>',
    '"J\xc3\xbcrgen" <sip:a@b>',
    '<sip:\xc3\xbc@b>',
    'sip:a@b',
    '*',
    '',
    '<sip:a>,<sip:b>',
  ])('leaves %j as it is', (value) => expect(withQuotedNames(value)).toBe(value));
});

describe('withEarlyTag', () => {
  it('moves a tag that follows an unusual value', () => {
    expect(withEarlyTag('"N" <sip:a@b>;x=[::1];tag=1;y')).toBe('"N" <sip:a@b>;tag=1;x=[::1];y');
  });

  it.each([
    '<sip:a@b>;tag=1;x=[::1]',
    '<sip:a@b>;x=y;z="[";tag=1',
    '<sip:a@b>;x=[::1]',
    'sip:a@b',
    'garbage;;',
    '',
  ])('leaves %j as it is', (value) => expect(withEarlyTag(value)).toBe(value));
});

describe('Via', () => {
  it('is read with all its freedoms', () => {
    expect(
      parseVia('sip / 2.0 / tls  first.example.com : 4000 ;ttl=16 ; Branch = z9hG4bKa7c6a8dlze'),
    ).toEqual({
      transport: 'TLS',
      host: 'first.example.com',
      port: 4000,
      branch: 'z9hG4bKa7c6a8dlze',
      parameters: new Map([
        ['ttl', '16'],
        ['branch', 'z9hG4bKa7c6a8dlze'],
      ]),
    });
  });

  it.each([
    'SIP/2.0/UDP [2001:db8::1]:5060;branch=z9hG4bK1;rport',
    'SIP/2.0/WSS a.invalid',
    'SIP/7.0/UDP h;x',
  ])('reads and writes %s', (value) => expect(formatVia(parseVia(value)!)).toBe(value));

  it.each([
    '',
    'SIP/2.0',
    'SIP/2.0/UDP',
    'SIP/2.0/UDP ',
    'SIP/2/UDP h',
    'HTTP/2.0/UDP h',
    'SIP/2.0/U DP h',
    'SIP/2.0/UDP h i',
    'SIP/2.0/UDP 2001:db8::1',
    'SIP/2.0/UDP h:x',
    'SIP/2.0/UDP h;',
    'SIP/2.0/UDP h;;x',
    'SIP/2.0/U"P h',
    'SIP/2.0/UDP h, SIP/2.0/UDP i',
  ])('refuses %j', (value) => expect(parseVia(value)).toBeUndefined());
});

describe('withFirstTagOnly', () => {
  it.each([
    ['<sip:a@b>;tag=1;tag=1', '<sip:a@b>;tag=1'],
    ['"x" <sip:a@b;tag=0>;tag=1;y=z;tag=2', '"x" <sip:a@b;tag=0>;tag=1;y=z'],
    ['<sip:a@b>;x;tag=1;tag=2;tag=3', '<sip:a@b>;x;tag=1'],
    ['<sip:a@b>;tag=1', '<sip:a@b>;tag=1'],
    ['<sip:a@b>', '<sip:a@b>'],
    ['sip:a@b;tag=1;tag=2', 'sip:a@b;tag=1'],
  ])('makes %s one tag', (value, expected) => expect(withFirstTagOnly(value)).toBe(expected));
});

describe('CSeq', () => {
  it.each([
    ['1 INVITE', { number: 1, method: 'INVITE' }],
    ['0009  BYE', { number: 9, method: 'BYE' }],
    ['0\tX', { number: 0, method: 'X' }],
  ])('reads %s', (value, cseq) => expect(parseCSeq(value)).toEqual(cseq));

  it.each([
    '',
    '1',
    'INVITE',
    '1INVITE',
    '-1 INVITE',
    '1 INV ITE',
    '1.5 X',
    '2147483648 X',
    '1 (',
    '99999999999999999999 X',
  ])('refuses %j', (value) => expect(parseCSeq(value)).toBeUndefined());
});
