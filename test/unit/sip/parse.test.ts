import { describe, expect, it } from 'vitest';
import type { SipRequest } from '../../../src/sip/message.js';
import { fromText, toText } from '../../../src/sip/message.js';
import { parseMessage } from '../../../src/sip/parse.js';
import { parsedFrom, requestFrom, sample } from './sample.js';

const parse = (text: string) => parseMessage(Buffer.from(text, 'latin1'));

describe('start lines', () => {
  it('reads a request line', () => {
    expect(requestFrom(sample())).toMatchObject({
      method: 'INVITE',
      uri: 'sip:+15551234567@demarc.example.com',
      version: '2.0',
      body: '',
    });
  });

  it('reads a status line, with and without a phrase', () => {
    expect(parsedFrom(sample({ startLine: 'SIP/2.0 180 Ringing now' }))).toMatchObject({
      kind: 'response',
      status: 180,
      reason: 'Ringing now',
    });
    expect(parsedFrom(sample({ startLine: 'SIP/2.0 200' }))).toMatchObject({ status: 200, reason: '' });
    expect(parsedFrom(sample({ startLine: 'SIP/2.0 200 ' }))).toMatchObject({ status: 200, reason: '' });
  });

  it('accepts the version in any case (RFC 3261 §7.1)', () => {
    expect(requestFrom(sample({ startLine: 'INVITE sip:a@b sip/2.0' })).version).toBe('2.0');
    expect(parsedFrom(sample({ startLine: 'sip/2.0 200 OK' }))).toMatchObject({
      kind: 'response',
      version: '2.0',
    });
  });

  it('ignores line ends before it', () => {
    expect(requestFrom(`\r\n\r\n\r\n${sample()}`).method).toBe('INVITE');
  });

  it.each([
    'INVITE sip:a@b',
    'INVITE',
    'GET / HTTP/1.1',
    ' INVITE sip:a@b SIP/2.0',
    'IN(VITE sip:a@b SIP/2.0',
    '',
  ])('cannot represent %j, but answer it', (startLine) => {
    const result = parse(startLine === '' ? sample().replace(/^.*\r\n/, 'x\r\n') : sample({ startLine }));
    expect(result).toMatchObject({ ok: false, error: 'Bad Start Line' });
    expect(!result.ok && result.salvage?.headers.get('Call-ID')).toBe('a84b4c76e66710@192.0.2.1');
  });

  it.each(['SIP/2.0 OK', 'SIP/2.0 20 OK', 'SIP/2.0 2000 OK', 'SIP/2.0  200 OK', 'SIP/x 200 OK'])(
    'has nothing to answer to the response %j',
    (startLine) => {
      expect(parse(sample({ startLine }))).toEqual({ ok: false, error: 'Bad Start Line' });
    },
  );

  it('has nothing to answer without a Via', () => {
    expect(parse('')).toEqual({ ok: false, error: 'Bad Start Line' });
    expect(parse('\r\n\r\n')).toEqual({ ok: false, error: 'Bad Start Line' });
    expect(parse(sample({ startLine: 'INVITE', lines: { Via: undefined } }))).toEqual({
      ok: false,
      error: 'Bad Start Line',
    });
  });
});

describe('header lines', () => {
  const headersOf = (...extra: string[]) => requestFrom(sample({ extra })).headers;

  it('expands compact names and corrects capitals, but not those of X- names', () => {
    const { headers } = requestFrom(
      'INVITE sip:a@b SIP/2.0\r\nv: SIP/2.0/UDP h\r\nF: <sip:a@b>\r\nt: <sip:b@c>\r\ni: 1\r\nCSEQ: 1 INVITE\r\n' +
        'k: timer\r\nx: 90\r\nm: <sip:a@b>\r\nX-myHeader: 1\r\nabc-def: 2\r\nl: 0\r\n\r\n',
    );
    expect([...headers].map(([name]) => name)).toEqual([
      'Via',
      'From',
      'To',
      'Call-ID',
      'CSeq',
      'Supported',
      'Session-Expires',
      'Contact',
      'X-myHeader',
      'Abc-Def',
      'Content-Length',
    ]);
  });

  it('keeps order, repeated lines and lists as they are', () => {
    const headers = headersOf('X-A: 1', 'Route: <sip:1>, <sip:2>', 'X-A: 2', 'Route: <sip:3>');
    expect(headers.lines('x-a')).toEqual(['1', '2']);
    expect(headers.lines('Route')).toEqual(['<sip:1>, <sip:2>', '<sip:3>']);
    expect(headers.list('Route')).toEqual(['<sip:1>', '<sip:2>', '<sip:3>']);
  });

  it('unfolds to one blank and drops blanks around name and value', () => {
    const headers = headersOf(
      'Subject \t:\t  one \r\n\t two\r\n    three  ',
      'X-Empty:',
      'X-Blank:   ',
      'X-Fold:\r\n ',
    );
    expect(headers.get('Subject')).toBe('one two three');
    expect(headers.get('X-Empty')).toBe('');
    expect(headers.get('X-Blank')).toBe('');
    expect(headers.get('X-Fold')).toBe('');
  });

  it('keeps UTF-8 octet for octet, a last octet A0 too', () => {
    const headers = headersOf(fromText('X-Name: Voil\u00e0'), fromText('Subject: 大停電'));
    expect(toText(headers.get('X-Name') as string)).toBe('Voil\u00e0');
    expect(headers.get('Subject')).toHaveLength(9);
  });

  it('keeps colons in values', () => {
    expect(headersOf('X-Time: 10:20:30').get('X-Time')).toBe('10:20:30');
  });

  it.each([
    ['No colon here', 'Header Line Without Colon'],
    ['X Y: 1', 'Bad Header Name'],
    ['X(Y: 1', 'Bad Header Name'],
    [': 1', 'Bad Header Name'],
    ['X\0: 1', 'Bad Header Name'],
    ['Subj\u00e9ct: 1', 'Bad Header Name'],
  ])('cannot represent %j, but answer it', (line, error) => {
    const result = parse(sample({ extra: [line, 'X-After: 1'] }));
    expect(result).toMatchObject({ ok: false, error });
    expect(!result.ok && result.salvage?.headers.get('X-After')).toBe('1');
  });

  it('refuses a folded start line', () => {
    const text = sample().replace('\r\nVia:', '\r\n Via:');
    expect(parse(text)).toMatchObject({ ok: false, error: 'Bad Header Name' });
  });

  it('leaves a bare LF or CR in the value, for validation to refuse', () => {
    expect(headersOf('Subject: a\nX-Injected: b').get('Subject')).toBe('a\nX-Injected: b');
    expect(headersOf('Subject: a\rb').get('Subject')).toBe('a\rb');
  });

  it('stops at 500 lines', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: ${i}`);
    expect(parse(sample({ extra: lines(492) })).ok).toBe(true);
    expect(parse(sample({ extra: lines(493) }))).toMatchObject({ ok: false, error: 'Too Many Header Lines' });
  });
});

describe('bodies', () => {
  const bodyOf = (length: string | undefined, body: string): string =>
    (parsedFrom(sample({ lines: { 'Content-Length': length }, body })) as SipRequest).body;

  it('cuts a datagram after Content-Length', () => {
    expect(bodyOf('3', 'abcdef')).toBe('abc');
    expect(bodyOf('0', 'abcdef')).toBe('');
  });

  it('takes all there is without Content-Length', () => {
    expect(bodyOf(undefined, 'ab\r\n\r\ncd')).toBe('ab\r\n\r\ncd');
  });

  it('leaves the body alone when Content-Length is too large or no number', () => {
    expect(bodyOf('10', 'abc')).toBe('abc');
    expect(bodyOf('abc', 'abc')).toBe('abc');
    expect(bodyOf('-1', 'abc')).toBe('abc');
  });

  it('requires the empty line', () => {
    const result = parse(sample().slice(0, -2));
    expect(result).toMatchObject({ ok: false, error: 'Missing Empty Line' });
    expect(!result.ok && result.salvage?.method).toBe('INVITE');
  });
});
