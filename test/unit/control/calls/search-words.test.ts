import { describe, expect, it } from 'vitest';
import {
  callIdWords,
  headerWords,
  isIndexedHeader,
  leastCallIdPart,
  searchWordsOf,
} from '../../../../src/control/calls/history/search-words.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';

describe('parts of a Call-ID', () => {
  const id = '3f2A9c1e-77b0-4d1c-9E55-0a1b2c3d4e5f@pbx.example.com';
  const indexed = new Set(callIdWords(id));

  it('are indexed for every part of at least eight characters', () => {
    for (let from = 0; from < id.length; from += 1) {
      for (let to = from + leastCallIdPart; to <= id.length; to += 1) {
        const words = callIdWords(id.slice(from, to));
        expect(words.length).toBeGreaterThan(0);
        expect(words.filter((word) => !indexed.has(word))).toEqual([]);
      }
    }
  });

  it('tell it from a Call-ID that has none of them', () => {
    for (const word of callIdWords('0123456789abcdef')) expect(word).toMatch(/^#.{4}$/);
    expect(callIdWords('zyxwvuts').some((word) => indexed.has(word))).toBe(false);
  });

  it('are far fewer than its characters, and bounded', () => {
    expect(indexed.size).toBeLessThan(id.length / 2);
    expect(callIdWords('ab12cd34'.repeat(1_000)).length).toBeLessThanOrEqual(128);
    expect(callIdWords('1234567')).toEqual([]);
  });
});

describe('words of headers', () => {
  const withHeaders = (...lines: string[]) => {
    const record = sampleRecord('c');
    const trace = record.trace.map((entry) => ({
      ...entry,
      message: entry.message.replace('CSeq:', `${lines.join('\r\n')}\r\nCSeq:`),
    }));
    return { ...record, trace };
  };

  it('are those of every message, whatever the case, folding and compact form', () => {
    const words = searchWordsOf(withHeaders('X-Tenant: Acme-Corp,\r\n  Zürich', 'b: <sip:ada@x.example>'));
    expect(words).toEqual(
      expect.arrayContaining([...headerWords('x-tenant', 'zürich ACME corp'), 'referred-by=ada']),
    );
    expect(words).toContain('call-id=a84b4c76e66710@carrier.example');
    expect(words.filter((word) => /^(via|cseq|from|to)=/.test(word))).toEqual([]);
  });

  it('are bounded, and none of a token', () => {
    const many = Array.from({ length: 100 }, (_, index) => `X-H${index}: a b c d e f g`);
    const words = searchWordsOf(withHeaders(...many)).filter((word) => !word.startsWith('#'));
    expect(words).toHaveLength(48);
    expect(searchWordsOf(withHeaders('x-demarc-TOKEN: secret')).join()).not.toContain('secret');
    expect(headerWords('X-Long', `${'a'.repeat(65)} b`)).toEqual(['x-long=b']);
    expect(isIndexedHeader('v')).toBe(false);
  });
});
