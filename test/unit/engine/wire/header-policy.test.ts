import { describe, expect, test } from 'vitest';
import {
  ApplicationMessageError,
  readApplicationMessage,
} from '../../../../src/engine/wire/header-policy.js';

const request = (headers: string, body = '') =>
  readApplicationMessage(`INVITE sip:bob@example.com SIP/2.0\r\n${headers}\r\n\r\n${body}`);

describe('what an application writes', () => {
  test('is taken apart: identity, body, registered and other headers', () => {
    const message = request(
      'from: <sip:a@b>;tag=1\r\nX-Leg: A\r\nabc-def: 1\r\nSubject: hi\r\ni: call-7',
      'v=0\r\n\r\nx',
    );
    expect(message).toMatchObject({
      method: 'INVITE',
      uri: 'sip:bob@example.com',
      from: '<sip:a@b>;tag=1',
      callId: 'call-7',
    });
    expect(message.known).toEqual([['Subject', 'hi']]);
    expect(message.unknown).toEqual([
      ['X-Leg', 'A'],
      ['Abc-Def', '1'],
    ]);
    expect(message.body).toBe('v=0\r\n\r\nx');
  });

  test('never decides Via, Route, Record-Route, RSeq and Content-Length', () => {
    const message = request(
      'Via: x\r\nv: y\r\nRoute: <sip:r>\r\nRecord-Route: <sip:r>\r\nRSeq: 1\r\nContent-Length: 9',
    );
    expect([message.known, message.unknown]).toEqual([[], []]);
  });

  test('lists merge, single ones are replaced, unreadable numbers vanish, challenges stay lines', () => {
    const message = request(
      'Supported: a\r\nSupported: b\r\nUser-Agent: 1\r\nUser-Agent: 2\r\nExpires: soon\r\n' +
        'WWW-Authenticate: Digest realm="a", nonce="1"\r\nWWW-Authenticate: Digest realm="b", nonce="2"',
    );
    expect(message.known).toEqual([
      ['Supported', 'a, b'],
      ['User-Agent', '2'],
      ['WWW-Authenticate', 'Digest realm="a", nonce="1"'],
      ['WWW-Authenticate', 'Digest realm="b", nonce="2"'],
    ]);
  });

  test('redirections get one Contact a line', () => {
    const message = readApplicationMessage('SIP/2.0 302 Moved\r\nContact: <sip:a@b>;q=1, <sip:c@d>\r\n\r\n');
    expect(message.contacts).toEqual(['<sip:a@b>;q=1', '<sip:c@d>']);
  });

  test.each([
    ['SIP/2.0 200 OK', '"Smith, John" <sip:a@b>'],
    ['SIP/2.0 404 Not Found', '"Smith, John" <sip:a@b>'],
    ['REGISTER sip:b SIP/2.0', '<sip:a@b>, <sip:c@d>'],
    ['SIP/2.0 300 Multiple', '<sip:a@b>'],
    ['SIP/2.0 399 Last', '"Smith, John" <sip:a@b>'],
  ])('keeps one Contact of %s as written: %s', (line, contact) => {
    expect(readApplicationMessage(`${line}\r\nContact: ${contact}\r\n\r\n`).contacts).toEqual([contact]);
  });

  test('takes numbers from the last line that is a number, and Max-Forwards apart', () => {
    const message = request(
      'Max-Forwards: 9\r\nMax-Forwards: -1\r\nExpires: 60\r\nExpires: 90\r\nMin-Expires: 5',
    );
    expect(message.maxForwards).toBe('9');
    expect(message.known).toEqual([
      ['Expires', '90'],
      ['Min-Expires', '5'],
    ]);
    expect(request('Max-Forwards: 12345678901').maxForwards).toBeUndefined();
  });

  test('takes dialog headers and Content-Type apart', () => {
    const message = request(
      'To: <sip:c@d>\r\nCSeq: 4 INVITE\r\nContent-Type: application/sdp\r\nSubject: hi',
    );
    expect(message).toMatchObject({ to: '<sip:c@d>', cseq: '4 INVITE', contentType: 'application/sdp' });
    expect(message.known).toEqual([['Subject', 'hi']]);
  });

  test('takes the trust and the keeping of a dialog from the engine’s extensions', () => {
    const trusted = request('Engine-TLS-CA: certificate\r\nEngine-Keep: Yes');
    expect(trusted).toMatchObject({ trust: 'certificate', keep: true });
    expect([trusted.known, trusted.unknown]).toEqual([[], []]);
    expect(request('Engine-Keep: no').keep).toBe(false);
    expect(request('Subject: hi').keep).toBeUndefined();
  });

  test('folded lines are unfolded', () => {
    expect(request('Subject: one\r\n two\r\n\tthree').known).toEqual([['Subject', 'one two three']]);
  });

  test.each([
    'Subject: a\nX-Evil: b',
    'Subject: a\rb',
    'Subject: a\0b',
    'no colon here',
    'bad name: x',
    ': x',
  ])('%j is refused', (headers) => {
    expect(() => request(headers)).toThrow(ApplicationMessageError);
  });

  test.each([
    'INVITE SIP/2.0',
    'INVITE sip:a b SIP/2.0',
    'SIP/2.0 99 x',
    'SIP/2.0',
    '',
    'IN VITE sip:a@b SIP/2.0',
    'INVITE sip: SIP/2.0',
  ])('start line %j is refused', (line) => {
    expect(() => readApplicationMessage(`${line}\r\n\r\n`)).toThrow(ApplicationMessageError);
  });

  test('a reason that is missing is filled in', () => {
    expect(readApplicationMessage('SIP/2.0 486\r\n\r\n')).toMatchObject({ status: 486, reason: 'Busy Here' });
  });
});
