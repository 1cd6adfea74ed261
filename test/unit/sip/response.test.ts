import { describe, expect, it } from 'vitest';
import { Headers } from '../../../src/sip/headers.js';
import { newRequest, newResponse } from '../../../src/sip/message.js';
import { respondTo } from '../../../src/sip/response.js';
import { serialize } from '../../../src/sip/serialize.js';
import { reasonPhrase } from '../../../src/sip/status.js';
import { parsedFrom, requestFrom, sample } from './sample.js';

const invite = requestFrom(
  sample({
    extra: [
      'Via: SIP/2.0/TCP second;branch=z9hG4bK2',
      'Record-Route: <sip:p1;lr>',
      'Record-Route: <sip:p2;lr>',
      'Timestamp: 54',
      'Subject: no',
    ],
  }),
);

describe('respondTo', () => {
  it('copies exactly the headers of RFC 3261 §8.2.6', () => {
    expect([...respondTo(invite, 404, { toTag: 'x1' }).headers]).toEqual([
      ['Via', 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK776asdhds;rport'],
      ['Via', 'SIP/2.0/TCP second;branch=z9hG4bK2'],
      ['From', '"Alice" <sip:alice@example.net>;tag=1928301774'],
      ['To', '<sip:+15551234567@demarc.example.com>;tag=x1'],
      ['Call-ID', 'a84b4c76e66710@192.0.2.1'],
      ['CSeq', '314159 INVITE'],
    ]);
  });

  it('puts no tag on a 100, but Timestamp', () => {
    const trying = respondTo(invite, 100, { toTag: 'x1' });
    expect(trying.headers.get('To')).toBe('<sip:+15551234567@demarc.example.com>');
    expect(trying.headers.get('Timestamp')).toBe('54');
    expect(respondTo(invite, 180).headers.has('Timestamp')).toBe(false);
  });

  it.each([
    [100, false],
    [180, true],
    [200, true],
    [302, false],
    [486, false],
  ])('%i carries Record-Route: %s', (status, carries) => {
    expect(respondTo(invite, status).headers.lines('Record-Route')).toHaveLength(carries ? 2 : 0);
  });

  it('keeps the tag of a request inside a dialog', () => {
    const bye = requestFrom(sample({ lines: { To: '<sip:b@c>;tag=mine' } }));
    expect(respondTo(bye, 200, { toTag: 'other' }).headers.get('To')).toBe('<sip:b@c>;tag=mine');
  });

  it('takes phrase, headers and body', () => {
    const response = respondTo(invite, 488, {
      reason: 'No Codec',
      headers: [['Warning', '304 x "y"']],
      body: 'b',
    });
    expect(response).toMatchObject({ status: 488, reason: 'No Codec', body: 'b' });
    expect(response.headers.get('Warning')).toBe('304 x "y"');
  });

  it('answers a request that lacks headers', () => {
    const request = newRequest('OPTIONS', 'sip:a', Headers.from([['Via', 'SIP/2.0/UDP a']]));
    expect([...respondTo(request, 400, { toTag: 'x' }).headers]).toEqual([['Via', 'SIP/2.0/UDP a']]);
  });
});

describe('reasonPhrase', () => {
  it.each([
    [180, 'Ringing'],
    [488, 'Not Acceptable Here'],
    [199, 'Early Dialog Terminated'],
    [299, 'OK'],
    [499, 'Bad Request'],
    [699, 'Busy Everywhere'],
    [700, 'Unknown'],
  ])('%i %s', (status, phrase) => expect(reasonPhrase(status)).toBe(phrase));
});

describe('serialize', () => {
  it('writes what was parsed, octet for octet', () => {
    const text = sample({
      lines: { 'Content-Length': '5' },
      extra: ['X-last: \xc3\xbc'],
      body: 'a\0\xffb\n',
    });
    expect(serialize(parsedFrom(text))).toBe(text);
  });

  it('always has the true length once, at its position or last', () => {
    const headers = Headers.from([
      ['l', '99'],
      ['Subject', 's'],
      ['Content-Length', '3'],
    ]);
    expect(serialize(newRequest('INFO', 'sip:a', headers, '\xc3\xbc'))).toBe(
      'INFO sip:a SIP/2.0\r\nContent-Length: 2\r\nSubject: s\r\n\r\n\xc3\xbc',
    );
    expect(serialize(newResponse(200, 'OK', Headers.from([['Subject', 's']])))).toBe(
      'SIP/2.0 200 OK\r\nSubject: s\r\nContent-Length: 0\r\n\r\n',
    );
  });

  it('lets no text add lines', () => {
    const headers = Headers.from([['Subject', 'a\r\nX-Injected: 1\r\n\r\nINVITE']]);
    const request = newRequest('INFO', 'sip:a SIP/2.0\r\nX: y', headers);
    expect(serialize(request).split('\r\n')).toEqual([
      'INFO sip:a SIP/2.0 X: y SIP/2.0',
      'Subject: a X-Injected: 1 INVITE',
      'Content-Length: 0',
      '',
      '',
    ]);
    expect(serialize(newResponse(200, 'O\nK', new Headers()))).toContain('SIP/2.0 200 O K\r\n');
  });
});
