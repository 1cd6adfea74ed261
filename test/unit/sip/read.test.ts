import { describe, expect, it } from 'vitest';
import { hasDescription, readMessage } from '../../../src/sip/read.js';
import { headerScan } from '../../../src/sip/scan.js';
import { viaTransport } from '../../../src/sip/via.js';

describe('readMessage', () => {
  it('reads a request and a response', () => {
    const invite = readMessage(
      'INVITE sip:a@b SIP/2.0\r\nv: SIP/2.0/UDP x\r\nc: application/sdp\r\nSubject: one\r\n  two\r\nCSeq: 7 INVITE\r\n\r\nv=0\r\n',
    );
    expect(invite).toMatchObject({ status: undefined, method: 'INVITE', summary: 'INVITE', body: 'v=0\r\n' });
    expect(invite.headers.get('Via')).toBe('SIP/2.0/UDP x');
    expect(invite.headers.get('subject')).toBe('one two');
    expect(hasDescription(invite)).toBe(true);
    const busy = readMessage('SIP/2.0 486 Busy Here\r\nCSeq: 7 INVITE\r\n\r\n');
    expect(busy).toMatchObject({ status: 486, method: 'INVITE', summary: '486 Busy Here', body: '' });
    expect(hasDescription(busy)).toBe(false);
  });

  it('reads a message whose lines end with LF alone', () => {
    const read = readMessage('SIP/2.0 200 OK\nCSeq: 1 BYE\n\nbody\n');
    expect(read).toMatchObject({ status: 200, method: 'BYE', body: 'body\r\n' });
  });

  it.each([
    ['', '', ''],
    ['INV', 'INV', 'INV'],
    ['INVITE sip:a@b SIP/2.0\r\nFrom', 'INVITE sip:a@b SIP/2.0', 'INVITE'],
    ['SIP/2.0 99', 'SIP/2.0 99', 'SIP/2.0'],
    ['SIP/2.0 2000 OK\r\n\r\n', 'SIP/2.0 2000 OK', 'SIP/2.0'],
    ['\r\n\r\n', '', ''],
    ['a b\r\nno colon\r\nb@d name: x\r\nTo: <sip:y>', 'a b', 'a'],
  ])('does not refuse %j', (text, startLine, summary) => {
    expect(readMessage(text)).toMatchObject({ startLine, summary, status: undefined });
  });

  it('keeps the readable lines of a malformed head', () => {
    const { headers } = readMessage('a b\r\nno colon\r\nb@d name: x\r\nTo: <sip:y>\r\n\r\n');
    expect([...headers]).toEqual([['To', '<sip:y>']]);
  });
});

describe('headerScan', () => {
  const from = headerScan('From');
  it.each([
    ['INVITE x\r\nFrom: <sip:a>;tag=1\r\nTo: b', '<sip:a>;tag=1'],
    ['INVITE x\r\nf:<sip:a>\r\nTo: b', '<sip:a>'],
    ['INVITE x\r\nFROM : a \t\r\n', 'a'],
    ['INVITE x\r\nFrom: "a"\r\n <sip:a>\r\n\t;tag=1\r\nTo: b', '"a" <sip:a> ;tag=1'],
    ['INVITE x\r\nX-From: a\r\nFromage: b', undefined],
    ['From: a', undefined],
  ])('finds From in %j', (head, value) => {
    expect(from(head)).toBe(value);
  });
});

it.each([
  ['SIP/2.0/TLS 192.0.2.1;branch=z9hG4bK1', 'TLS'],
  ['SIP / 2.0 / tcp 192.0.2.1', 'TCP'],
  ['nonsense', undefined],
])('reads the transport of the Via %j', (via, transport) => {
  expect(viaTransport(via)).toBe(transport);
});
