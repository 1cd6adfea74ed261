import { describe, expect, it } from 'vitest';
import { readReferTo } from '../../../../src/edge/transfer/refer-to.js';
import { readSipfrag, writeSipfrag } from '../../../../src/edge/transfer/sipfrag.js';
import { parseReplaces } from '../../../../src/sip/replaces.js';

describe('a Refer-To', () => {
  it.each([
    ['<sip:+4930123@pbx.example.com>', 'sip:+4930123@pbx.example.com'],
    ['sip:alice@192.0.2.1', 'sip:alice@192.0.2.1'],
    ['"Alice" <sips:alice@pbx.example.com;method=INVITE>', 'sips:alice@pbx.example.com;method=INVITE'],
    ['<tel:+1-415-555-0100>', 'tel:+1-415-555-0100'],
    ['<sip:a@b?Subject=hello>', 'sip:a@b'],
  ])('%s names %s', (value, text) => {
    expect(readReferTo(value)).toMatchObject({ text, replaces: undefined });
  });

  it.each([
    '',
    '<sip:a@b',
    '<http://example.com/>',
    '<sip:a@b;method=BYE>',
    '<sip:a@b?Replaces=1%40x>',
    `<sip:${'a'.repeat(2_000)}@b>`,
  ])('%s is malformed or asks for no INVITE', (value) => {
    expect(readReferTo(value)).toBeUndefined();
  });

  it('names the dialog to replace, escaped', () => {
    const value = '<sip:demarc@192.0.2.1?Replaces=abc%40x%3Bto-tag%3Dt1%3Bfrom-tag%3Df1%3Bearly-only>';
    expect(readReferTo(value)).toMatchObject({
      text: 'sip:demarc@192.0.2.1',
      replaces: { callId: 'abc@x', toTag: 't1', fromTag: 'f1', earlyOnly: true },
    });
  });
});

describe('a Replaces header', () => {
  it('needs a Call-ID and both tags, in any order', () => {
    expect(parseReplaces('98@pc ; from-tag=r33 ;to-tag=l12')).toEqual({
      callId: '98@pc',
      toTag: 'l12',
      fromTag: 'r33',
      earlyOnly: false,
    });
    for (const value of ['98@pc', '98@pc;to-tag=1', ';to-tag=1;from-tag=2', 'a b;to-tag=1;from-tag=2']) {
      expect(parseReplaces(value)).toBeUndefined();
    }
  });
});

describe('a message/sipfrag', () => {
  it('is read and written as a status line', () => {
    expect(readSipfrag('SIP/2.0 486 Busy Here\r\nX: y\r\n')).toEqual({ status: 486, reason: 'Busy Here' });
    expect(readSipfrag('SIP/2.0 200')).toEqual({ status: 200, reason: '' });
    expect(readSipfrag('INVITE sip:a@b SIP/2.0\r\n')).toBeUndefined();
    expect(writeSipfrag({ status: 100, reason: '' })).toBe('SIP/2.0 100 Trying\r\n');
  });
});
