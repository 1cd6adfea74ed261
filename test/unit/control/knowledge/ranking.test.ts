import { describe, expect, it } from 'vitest';
import { configurationOf, detectLanguage, searchText } from '../../../../src/control/knowledge/language.js';
import { readPostings, writePostings } from '../../../../src/control/knowledge/postings.js';
import { fuse } from '../../../../src/control/knowledge/search.js';

describe('the language of a text', () => {
  it.each([
    ['We are open Monday to Friday from 9 to 18.', 'english'],
    ['Bestellungen können binnen 30 Tagen zurückgegeben werden.', 'german'],
    ['Nous sommes ouverts du lundi au vendredi.', 'french'],
    ['Estamos abiertos de lunes a viernes.', 'spanish'],
    ['営業時間は月曜日から金曜日までです', 'simple'],
    ['SKU 4711-B', 'simple'],
  ])('%s: %s', (text, configuration) => {
    expect(configurationOf(detectLanguage(text))).toBe(configuration);
  });

  it('of Chinese and Japanese is divided into words, which PostgreSQL does not do', () => {
    expect(searchText('我们周一营业 ABC')).toBe(' 我们 周一 营业  abc');
  });
});

describe('postings', () => {
  it('are read as they were written, counts and lengths within their octets', () => {
    const read: number[][] = [];
    const octets = writePostings([
      { position: 0, count: 1, length: 12 },
      { position: 65_535, count: 300, length: 5_000 },
    ]);
    readPostings(octets, 0, octets.length, (...posting) => read.push(posting));
    expect(read).toEqual([
      [0, 1, 12],
      [65_535, 255, 1_020],
    ]);
  });
});

describe('fusion', () => {
  const hit = (position: number) => ({ baseKey: 1, position, score: 9 });
  it('prefers what several lists have to what is first in one', () => {
    const fused = fuse([
      [hit(1), hit(2), hit(3)],
      [hit(4), hit(2)],
    ]);
    expect(fused.map(({ position }) => position)).toEqual([2, 1, 4, 3]);
  });

  it('gives 1 to what is first in every list, and half of it to what is first in one of two', () => {
    expect(fuse([[hit(1)], [hit(1)]])[0]!.score).toBeCloseTo(1);
    expect(fuse([[hit(1)], []])[0]!.score).toBeCloseTo(0.5);
  });
});
