import { describe, expect, it } from 'vitest';
import type { HeaderMapping } from '../../../../src/contract/header-mapping.js';
import type { SipMessage } from '../../../../src/edge/sip/messages.js';
import { passedHeaders } from '../../../../src/edge/transfer/passed-headers.js';
import { readReferTo } from '../../../../src/edge/transfer/refer-to.js';

const request = (headers: Record<string, string>): SipMessage => {
  const found = (name: string) =>
    Object.keys(headers).find((header) => header.toLowerCase() === name.toLowerCase());
  return {
    headers,
    get: (name) => headers[found(name) ?? ''],
    has: (name) => found(name) !== undefined,
  };
};
const target = (headers = '') => readReferTo(`<sip:1001@pbx.example.com${headers}>`)!;
const custom = (key: string, value: string, passthrough = false): HeaderMapping => ({
  type: 'custom',
  key,
  value,
  passthrough,
});

describe('what the new party gets of an agent’s REFER', () => {
  const pass = (said: Record<string, string>, uri = '', outbound: HeaderMapping[] = []) =>
    passedHeaders(request(said), target(uri), { side: 'agent', inbound: [], outbound });

  it('is its X- headers and User-to-User, those in Refer-To before those of the REFER', () => {
    expect(
      pass(
        { 'X-Reason': 'escalate', 'X-Case': '1', 'User-to-User': '56;encoding=hex', Subject: 'hi' },
        '?X-Case=99&x-note=two%20words&Subject=hi',
      ),
    ).toEqual({
      'X-Case': '99',
      'X-Note': 'two words',
      'X-Reason': 'escalate',
      'User-to-User': '56;encoding=hex',
    });
  });

  it('is never one of our own headers, a dangerous one, or text that begins another line', () => {
    expect(
      pass(
        { 'X-Demarc-Org': 'evil', 'X-Line': 'a\r\nEvil: 1' },
        '?X-Demarc-Call-ID=1&Route=%3Csip:evil.example%3E&From=%3Csip:a%40b%3E&Via=x&Contact=y&X-A=a%0D%0AEvil:1&P-Asserted-Identity=z&X%3A=1&body=x',
      ),
    ).toEqual({});
  });

  it('follows the mappings of the number, and what they remove', () => {
    const outbound = [custom('case', 'X-Account'), custom('X-Secret', '', true)];
    expect(pass({ case: '42', 'X-Secret': 's', 'X-Account': 'other' }, '', outbound)).toEqual({
      'X-Account': '42',
    });
    expect(pass({}, '?X-Secret=s', outbound)).toEqual({});
  });

  it('is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`X-H${at}`, 'v'.repeat(200)]));
    expect(JSON.stringify(pass(many)).length).toBeLessThan(5_000);
  });
});

describe('what the new party gets of a caller’s REFER', () => {
  const pass = (
    said: Record<string, string>,
    uri: string,
    outbound: HeaderMapping[],
    inbound: HeaderMapping[] = [],
  ) => passedHeaders(request(said), target(uri), { side: 'trunk', inbound, outbound });

  it('is nothing that no mapping names', () => {
    expect(pass({ 'X-Reason': 'r', 'User-to-User': '56' }, '?X-Case=99', [])).toEqual({});
  });

  it('is what the agent would have had as a variable and a mapping makes a header', () => {
    const outbound = [custom('X-Case', 'X-Case'), custom('account', 'X-Account')];
    expect(pass({ 'X-Number': '7' }, '?X-Case=99', outbound, [custom('X-Number', 'account')])).toEqual({
      'X-Case': '99',
      'X-Account': '7',
    });
  });
});
