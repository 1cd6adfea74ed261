import { describe, expect, it } from 'vitest';
import { findCallId } from '../../../src/sip/call-id.js';

const both = (text: string): (string | undefined)[] => [
  findCallId(text),
  findCallId(Buffer.from(text, 'latin1')),
];

describe('findCallId', () => {
  it.each([
    ['Call-ID: a@b', 'a@b'],
    ['i:compact', 'compact'],
    ['call-id : lower ', 'lower'],
    ['CALL-ID:\tupper', 'upper'],
    ['Call-ID: caf\xc3\xa9', 'caf\xc3\xa9'],
  ])('reads "%s"', (line, expected) => {
    expect(both(`BYE sip:a SIP/2.0\r\n${line}\r\nCSeq: 1 BYE\r\n\r\nbody`)).toEqual([expected, expected]);
  });

  it('reads it from the beginning of a message', () => {
    expect(both('BYE sip:a SIP/2.0\r\nCall-ID: torn')).toEqual(['torn', 'torn']);
  });

  it.each([
    ['a body that quotes a message', 'BYE sip:a SIP/2.0\r\nTo: x\r\n\r\nsipfrag\r\nCall-ID: quoted\r\n\r\n'],
    ['an empty value', 'BYE sip:a SIP/2.0\r\nCall-ID: \r\n\r\n'],
    ['no header at all', '\r\n\r\n'],
    ['nothing', ''],
  ])('does not find one in %s', (_, text) => {
    expect(both(text)).toEqual([undefined, undefined]);
  });
});
