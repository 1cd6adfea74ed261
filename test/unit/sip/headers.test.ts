import { describe, expect, it } from 'vitest';
import { canonicalHeaderName, readHeaderName } from '../../../src/sip/header-name.js';
import { Headers } from '../../../src/sip/headers.js';
import { quote, splitList, splitListStrictly, trimWhiteSpace, unquote } from '../../../src/sip/text.js';

const headers = (): Headers =>
  Headers.from([
    ['Via', 'a'],
    ['X-One', '1'],
    ['via', 'b, c'],
    ['x-one', '2'],
  ]);

describe('Headers', () => {
  it('finds lines by any spelling', () => {
    expect(headers().get('v')).toBe('a');
    expect(headers().lines('VIA')).toEqual(['a', 'b, c']);
    expect(headers().list('Via')).toEqual(['a', 'b', 'c']);
    expect(headers().lines('X-ONE')).toEqual(['1', '2']);
    expect(headers().count('x-one')).toBe(2);
    expect(headers().has('To')).toBe(false);
    expect(headers().add('Handed_over', '3').get('handed_over')).toBe('3');
  });

  it('replaces, removes and adds in place', () => {
    expect([...headers().set('Via', 'z')].map(([, value]) => value)).toEqual(['z', '1', '2']);
    expect([...headers().setFirst('Via', 'z')].map(([, value]) => value)).toEqual(['z', '1', 'b, c', '2']);
    expect([...headers().remove('x-ONE').prepend('Via', 'y')].map(([, value]) => value)).toEqual([
      'y',
      'a',
      'b, c',
    ]);
    expect(headers().set('To', 't').get('To')).toBe('t');
  });

  it('copies', () => {
    const original = headers();
    original.clone().set('Via', 'changed');
    expect(original.get('Via')).toBe('a');
  });
});

describe('header names', () => {
  it.each([
    ['i', 'Call-ID'],
    ['CSEQ', 'CSeq'],
    ['www-authenticate', 'WWW-Authenticate'],
    ['p-asserted-identity', 'P-Asserted-Identity'],
    ['remote-party-id', 'Remote-Party-ID'],
    ['X-odd-NAME', 'X-odd-NAME'],
    ['constructor', 'Constructor'],
    ['__proto__', '__proto__'],
  ])('%s is %s', (name, canonical) => {
    expect(canonicalHeaderName(name)).toBe(canonical);
    expect(readHeaderName(name)).toBe(canonical);
  });

  it('are tokens', () => {
    expect(readHeaderName('')).toBeUndefined();
    expect(readHeaderName('a b')).toBeUndefined();
    expect(readHeaderName('a:')).toBeUndefined();
  });
});

describe('text', () => {
  it('splits lists at top level only', () => {
    expect(splitList('"a, b" <sip:x,y>;p="q,\\"r", c ,, d')).toEqual([
      '"a, b" <sip:x,y>;p="q,\\"r"',
      'c',
      'd',
    ]);
    expect(splitListStrictly('a,,b,')).toEqual(['a', '', 'b', '']);
    expect(splitList('"open, a')).toEqual(['"open, a']);
  });

  it('trims white space, not the octet A0', () => {
    expect(trimWhiteSpace(' \t\r\nVoil\xc3\xa0 \t')).toBe('Voil\xc3\xa0');
    expect(trimWhiteSpace('  ')).toBe('');
  });

  it('quotes and unquotes', () => {
    for (const text of ['', 'plain', 'a "b" \\ c', '\\']) expect(unquote(quote(text))).toBe(text);
    expect(unquote('bare')).toBe('bare');
  });
});
