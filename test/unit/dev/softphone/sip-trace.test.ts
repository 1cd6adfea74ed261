import { describe, expect, it } from 'vitest';
import { answeredCodec } from '../../../../dev/call/call-report.js';
import { NetstringReader, netstring } from '../../../../dev/softphone/netstring.js';
import { ladder, readBaresipTrace } from '../../../../dev/softphone/sip-trace.js';

const us = '127.0.0.1:45934';
const them = '127.0.0.1:5061';

const printed = (source: string, destination: string, message: string): string =>
  `\x1b[36;1m#\nTLS ${source} -> ${destination}\n${message.replaceAll('\n', '\r\n')}\x1b[;m\n`;

const answer = (payloads: string, ...attributes: string[]): string =>
  `SIP/2.0 200 OK\nCSeq: 7 INVITE\nContent-Type: application/sdp\n\nv=0\nm=audio 10000 RTP/SAVP ${payloads}\n${attributes.join('\n')}\n`;

const output = [
  'call: connecting\n',
  printed(us, them, 'INVITE sip:1@x SIP/2.0\nCSeq: 7 INVITE\nContent-Type: application/sdp\n\nv=0\n'),
  '[0:00:00] audio=0/0 (bit/s)    ',
  printed(them, us, 'SIP/2.0 183 Session Progress\nCSeq: 7 INVITE\n\n'),
  printed(them, us, answer('0 101', 'a=rtpmap:101 telephone-event/8000')),
  printed(us, them, 'ACK sip:1@x SIP/2.0\nCSeq: 7 ACK\n\n'),
  printed(them, us, 'BYE sip:caller@x SIP/2.0\nCSeq: 1 BYE\n\n'),
].join('');

describe("baresip's trace", () => {
  it('is found amid its other output', () => {
    const messages = readBaresipTrace(output);
    expect(messages.map(({ summary }) => summary)).toEqual([
      'INVITE',
      '183 Session Progress',
      '200 OK',
      'ACK',
      'BYE',
    ]);
    expect(messages.map(({ method }) => method)).toEqual(['INVITE', 'INVITE', 'INVITE', 'ACK', 'BYE']);
    expect(messages[2]).toMatchObject({ protocol: 'TLS', source: them, destination: us, status: 200 });
  });

  it('is drawn as a ladder whose arrows point the right way and whose columns line up', () => {
    const lines = ladder(readBaresipTrace(output), new Set([us]), {
      left: 'a',
      right: 'b',
    }).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[1]).toMatch(/│─+ INVITE \(SDP\) ─+►│$/);
    expect(lines[2]).toMatch(/│◄─+ 183 Session Progress \(INVITE\) ─+│$/);
    expect(lines[3]).toMatch(/200 OK \(INVITE, SDP\)/);
    expect(lines[5]).toMatch(/│◄─+ BYE ─+│$/);
    expect(new Set(lines.slice(1).map((line) => line.length)).size).toBe(1);
  });

  it.each([
    ['0 101', [], 'PCMU/8000'],
    ['96 0', ['a=rtpmap:96 opus/48000/2'], 'opus/48000/2'],
    ['9', ['a=rtpmap:9 G722/8000'], 'G722/8000'],
    ['97', [], 'payload type 97'],
  ])('tells the codec of an answer with payload types %s', (payloads, attributes, codec) => {
    expect(answeredCodec(readBaresipTrace(printed(them, us, answer(payloads, ...attributes))))).toBe(codec);
  });

  it('knows no codec when the call was refused', () => {
    const refused = printed(them, us, 'SIP/2.0 488 Not Acceptable Here\nCSeq: 7 INVITE\n\n');
    expect(answeredCodec(readBaresipTrace(refused))).toBeUndefined();
  });
});

describe('netstrings', () => {
  it('are put together from any pieces', () => {
    const bytes = Buffer.concat([netstring('{"a":"é"}'), netstring(''), netstring('x'.repeat(300))]);
    const reader = new NetstringReader();
    const payloads = [...bytes].flatMap((byte) => reader.push(Buffer.from([byte])));
    expect(payloads).toEqual(['{"a":"é"}', '', 'x'.repeat(300)]);
    expect(new NetstringReader().push(bytes)).toEqual(payloads);
  });

  it('are refused when the stream is something else', () => {
    expect(() => new NetstringReader().push(Buffer.from('HTTP/1.1: no'))).toThrow('netstrings');
  });
});
