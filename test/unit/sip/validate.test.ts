import { describe, expect, it } from 'vitest';
import type { SipResponse } from '../../../src/sip/message.js';
import { validateRequest, validateResponse } from '../../../src/sip/validate.js';
import type { SampleOptions } from './sample.js';
import { parsedFrom, requestFrom, sample } from './sample.js';

const defect = (options: SampleOptions) => validateRequest(requestFrom(sample(options)));
const requestLine = (uri: string): SampleOptions => ({ startLine: `INVITE ${uri} SIP/2.0` });
const register = (lines: SampleOptions['lines'], extra: string[] = []): SampleOptions => ({
  startLine: 'REGISTER sip:example.com SIP/2.0',
  lines: { CSeq: '1 REGISTER', ...lines },
  extra,
});

describe('valid requests', () => {
  const fine: [string, SampleOptions][] = [
    ['the sample', {}],
    ['no Max-Forwards', { lines: { 'Max-Forwards': undefined } }],
    ['Max-Forwards 0', { lines: { 'Max-Forwards': '0' } }],
    ['no From tag (RFC 2543)', { lines: { From: 'sip:alice@example.net' } }],
    ['a display name of raw UTF-8', { lines: { From: 'J\xc3\xbcrgen <sip:j@example.net>;tag=1' } }],
    ['a tel URI', requestLine('tel:+15551234567')],
    ['an IPv6 reference', requestLine('sips:a@[2001:db8::1]:5061;transport=tls')],
    ['no Content-Length', { lines: { 'Content-Length': undefined }, body: 'abc' }],
    ['CSeq 2^31-1', { lines: { CSeq: '2147483647 INVITE' } }],
    ['a Via list', { lines: { Via: 'SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/TCP b;branch=z9hG4bK2' } }],
    ['a Via without branch', { lines: { Via: 'SIP/2.0/UDP 192.0.2.1' } }],
    ['a Via of another transport', { lines: { Via: 'SIP/2.0/WSS x.invalid;branch=z9hG4bK1' } }],
    ['a senseless Date and Expires', { extra: ['Date: yesterday', 'Expires: soon'] }],
    [
      'an OPTIONS without Contact',
      {
        startLine: 'OPTIONS sip:a@b SIP/2.0',
        lines: { CSeq: '1 OPTIONS', Contact: undefined },
      },
    ],
    ['REGISTER of everything', register({ Contact: '*' }, ['Expires: 0'])],
    ['several Contacts in REGISTER', register({ Contact: '<sip:a@b>, "X, Y" <sip:c@d>;expires=1' })],
    [
      'the tag of a server that we called, whatever it is',
      { lines: { From: '<sip:a@b>;tag=t@b', To: '<sip:c@d>;tag=1' } },
    ],
    ['an unknown scheme in To', { lines: { To: '<isbn:2983792873>' } }],
    ['routes', { extra: ['Route: <sip:p1;lr>, <sips:p2;lr>', 'Record-Route: "x" <sip:p3;lr>;y=1'] }],
  ];
  it.each(fine)('%s', (_, options) => {
    expect(defect(options)).toBeUndefined();
  });
});

describe('requests that are refused', () => {
  const refused: [string, SampleOptions, number, string][] = [
    ['another version', { startLine: 'INVITE sip:a@b SIP/3.0' }, 505, 'Version Not Supported'],
    ['an unknown scheme', requestLine('xmpp:a@b'), 416, 'Unsupported URI Scheme'],
    ['no scheme', requestLine('alice'), 400, 'Bad Request-URI'],
    ['two @', requestLine('sip:a@b@c'), 400, 'Bad Request-URI'],
    ['brackets', requestLine('<sip:a@b>'), 400, 'Bad Request-URI'],
    ['a blank', requestLine('sip:a b@c'), 400, 'Bad Request-URI'],
    ['raw UTF-8', requestLine('sip:j\xc3\xbcrgen@c'), 400, 'Bad Request-URI'],
    ['a control', requestLine('sip:a\x01@c'), 400, 'Bad Request-URI'],
    ['port 70000', requestLine('sip:a@b:70000'), 400, 'Bad Request-URI'],
    ['headers', requestLine('sip:a@b?Route=x'), 400, 'Headers In Request-URI'],
    ['a URI of 3000 octets', requestLine(`sip:${'a'.repeat(3000)}@b`), 414, 'Request-URI Too Long'],
    ['no Via', { lines: { Via: undefined } }, 400, 'Missing Via Header'],
    ['no From', { lines: { From: undefined } }, 400, 'Missing From Header'],
    ['no To', { lines: { To: undefined } }, 400, 'Missing To Header'],
    ['no Call-ID', { lines: { 'Call-ID': undefined } }, 400, 'Missing Call-ID Header'],
    ['no CSeq', { lines: { CSeq: undefined } }, 400, 'Missing CSeq Header'],
    ['no Contact', { lines: { Contact: undefined } }, 400, 'Missing Contact'],
    ['a Via that is none', { lines: { Via: 'hello' } }, 400, 'Bad Via Header'],
    ['a second Via that is none', { extra: ['Via: SIP/2.0'] }, 400, 'Bad Via Header'],
    ['an empty Via value', { lines: { Via: 'SIP/2.0/UDP a,,SIP/2.0/UDP b' } }, 400, 'Bad Via Header'],
    ['a Via of another version', { lines: { Via: 'SIP/3.0/UDP a' } }, 400, 'Bad Via Header'],
    [
      'a branch without identifier',
      { lines: { Via: 'SIP/2.0/UDP a;branch=z9hG4bK' } },
      400,
      'Via Branch Without Identifier',
    ],
    ['two From', { extra: ['f: <sip:x@y>;tag=1'] }, 400, 'Repeated From Header'],
    ['two To', { extra: ['To: <sip:x@y>'] }, 400, 'Repeated To Header'],
    ['two equal Call-IDs', { extra: ['Call-ID: a84b4c76e66710@192.0.2.1'] }, 400, 'Repeated Call-ID Header'],
    ['two CSeq', { extra: ['CSeq: 1 INVITE'] }, 400, 'Repeated CSeq Header'],
    ['two Max-Forwards', { extra: ['Max-Forwards: 3'] }, 400, 'Repeated Max-Forwards Header'],
    ['two Content-Length', { extra: ['l: 0'] }, 400, 'Repeated Content-Length Header'],
    ['two Content-Type', { extra: ['c: a/b', 'c: a/b'] }, 400, 'Repeated Content-Type Header'],
    ['CSeq 2^31', { lines: { CSeq: '2147483648 INVITE' } }, 400, 'Bad CSeq Header'],
    ['CSeq -1', { lines: { CSeq: '-1 INVITE' } }, 400, 'Bad CSeq Header'],
    ['CSeq of another method', { lines: { CSeq: '1 OPTIONS' } }, 400, 'CSeq Method Mismatch'],
    ['CSeq in lower case', { lines: { CSeq: '1 invite' } }, 400, 'CSeq Method Mismatch'],
    ['Max-Forwards 256', { lines: { 'Max-Forwards': '256' } }, 400, 'Bad Max-Forwards Header'],
    ['Max-Forwards x', { lines: { 'Max-Forwards': 'x' } }, 400, 'Bad Max-Forwards Header'],
    ['a From without end', { lines: { From: '"Alice <sip:a@b>;tag=1' } }, 400, 'Bad From Header'],
    ['a From list', { lines: { From: 'Bell, Alexander <sip:a@b>;tag=1' } }, 400, 'Bad From Header'],
    ['an empty To', { lines: { To: '<>' } }, 400, 'Bad To Header'],
    ['a To with a broken URI', { lines: { To: '<sip:a@>' } }, 400, 'Bad To Header'],
    ['a Call-ID with a bar', { lines: { 'Call-ID': 'a|b' } }, 400, 'Bad Call-ID Header'],
    ['a Call-ID with a blank', { lines: { 'Call-ID': 'a b' } }, 400, 'Bad Call-ID Header'],
    ['an empty Call-ID', { lines: { 'Call-ID': '' } }, 400, 'Bad Call-ID Header'],
    ['a From tag with a bar', { lines: { From: '<sip:a@b>;tag=t|1|2' } }, 400, 'Bad From Tag'],
    ['a quoted From tag', { lines: { From: '<sip:a@b>;tag="t"' } }, 400, 'Bad From Tag'],
    ['a From tag that is no token', { lines: { From: '<sip:a@b>;TAG=t@b' } }, 400, 'Bad From Tag'],
    ['a To tag with a bar', { lines: { To: '<sip:a@b>;tag=t|1' } }, 400, 'Bad To Tag'],
    ['LF in a value', { extra: ['Subject: a\nX-Injected: b'] }, 400, 'Bad Subject Header'],
    ['CR in a value', { extra: ['X-Y: a\rb'] }, 400, 'Bad X-Y Header'],
    ['NUL in a value', { extra: ['X-Y: a\0b'] }, 400, 'Bad X-Y Header'],
    [
      'Content-Length over the body',
      { lines: { 'Content-Length': '4' }, body: 'abc' },
      400,
      'Content-Length Exceeds Body',
    ],
    ['Content-Length x', { lines: { 'Content-Length': 'x' } }, 400, 'Bad Content-Length Header'],
    ['a broken Contact', { lines: { Contact: '<sip:a@b' } }, 400, 'Bad Contact Header'],
    ['Contact * in INVITE', { lines: { Contact: '*' } }, 400, 'Bad Contact Header'],
    [
      'Contact * and another',
      register({ Contact: '*, <sip:a@b>' }, ['Expires: 0']),
      400,
      'Bad Contact Header',
    ],
    ['Contact * without Expires', register({ Contact: '*' }), 400, 'Wildcard Contact Without Expires 0'],
    [
      'Contact * with Expires 60',
      register({ Contact: '*' }, ['Expires: 60']),
      400,
      'Wildcard Contact Without Expires 0',
    ],
    ['a Route without brackets', { extra: ['Route: sip:p;lr'] }, 400, 'Bad Route Header'],
    ['an empty Route value', { extra: ['Route: <sip:p;lr>,'] }, 400, 'Bad Route Header'],
    [
      'a Record-Route to a phone number',
      { extra: ['Record-Route: <tel:1>'] },
      400,
      'Bad Record-Route Header',
    ],
  ];
  it.each(refused)('%s: %#', (_, options, status, reason) => {
    expect(defect(options)).toEqual({ status, reason });
  });
});

describe('responses', () => {
  const isFine = (options: SampleOptions): boolean =>
    validateResponse(parsedFrom(sample({ startLine: 'SIP/2.0 200 OK', ...options })) as SipResponse);

  it('accepts the sample, also without Contact', () => {
    expect(isFine({})).toBe(true);
    expect(isFine({ lines: { Contact: undefined, 'Max-Forwards': undefined } })).toBe(true);
    expect(isFine({ startLine: 'SIP/2.0 699 ' })).toBe(true);
  });

  it.each<[string, SampleOptions]>([
    ['status 99', { startLine: 'SIP/2.0 099 x' }],
    ['status 700', { startLine: 'SIP/2.0 700 x' }],
    ['another version', { startLine: 'SIP/3.0 200 OK' }],
    ['no Via', { lines: { Via: undefined } }],
    ['two Vias', { extra: ['Via: SIP/2.0/UDP 192.0.2.9'] }],
    ['no CSeq', { lines: { CSeq: undefined } }],
    ['LF in the phrase', { startLine: 'SIP/2.0 200 a\nb' }],
    ['a body too short', { lines: { 'Content-Length': '4' } }],
  ])('drops %s', (_, options) => {
    expect(isFine(options)).toBe(false);
  });
});
