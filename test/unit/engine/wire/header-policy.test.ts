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
