import { describe, expect, it } from 'vitest';
import { splitPassages } from '../../../../src/control/knowledge/passages.js';
import { processorMilliseconds } from '../../../support/processor-use.js';

const sentence = (word: string): string =>
  `This is a sentence about the ${word} and what it does for people.`;
const paragraph = (word: string): string => `${sentence(word)} `.repeat(6).trim();
const wordsOf = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}]+/gu));

describe('splitting a text', () => {
  it('keeps a section with the path of its headings', () => {
    const passages = splitPassages(
      [
        '# Manual',
        paragraph('manual'),
        '## Care',
        paragraph('care'),
        'Warranty\n--------',
        paragraph('warranty'),
      ].join('\n\n'),
    );
    expect(passages.map(({ heading }) => heading)).toEqual(['Manual', 'Manual › Care', 'Manual › Warranty']);
    expect(passages[1]!.content).toBe(paragraph('care'));
  });

  it('keeps each short section of a list of questions under its own heading', () => {
    const passages = splitPassages(
      '# Shop\n\n## Opening hours\n\nFrom nine.\n\n## Refunds\n\nWithin a week.\n\n## Prices\n\nFrom $5.',
    );
    expect(passages).toEqual([
      { heading: 'Shop › Opening hours', content: 'From nine.' },
      { heading: 'Shop › Refunds', content: 'Within a week.' },
      { heading: 'Shop › Prices', content: 'From $5.' },
    ]);
  });

  it('lets short sections share a passage instead of making thousands', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `# Title ${at}\n\nShort ${at}.`).join('\n\n');
    const passages = splitPassages(text);
    expect(passages.length).toBeLessThan(text.length / 300);
    expect(passages.some(({ content }) => content.includes('Short 19999.'))).toBe(true);
  });

  it('repeats the last sentence of a passage in the next one of its section', () => {
    const text = [paragraph('alpha'), paragraph('beta'), sentence('bridge'), paragraph('gamma')].join('\n\n');
    const [first, second] = splitPassages(text);
    expect(first!.content.endsWith(sentence('bridge'))).toBe(true);
    expect(second!.content.startsWith(sentence('bridge'))).toBe(true);
  });

  it('joins lines that were broken for their length, and leaves lists, tables and code as they are', () => {
    const broken =
      'A sentence that is longer than the lines of its file\ncontinues in the next line of the file.';
    const list = '* an item of a list that is not short at all, no\n* another item\n1. a third';
    const table = '| a cell of a table | and one more of these cells |\n| a | b |';
    const code = '```\nconst longEnough = "to be taken for a broken line";\nreturn longEnough;\n```';
    const [only] = splitPassages([broken, list, table, code].join('\n\n'));
    expect(only?.content).toBe([broken.replace('\n', ' '), list, table, code].join('\n\n'));
  });

  it('does not read headings in code', () => {
    const [only, ...rest] = splitPassages(`# Real\n\n\`\`\`\n# comment\n\`\`\`\n\nText.`);
    expect([only?.heading, rest]).toEqual(['Real', []]);
    expect(only?.content).toContain('# comment');
  });

  it.each([
    ['one line without blanks', 'x'.repeat(50_000)],
    ['one line of words', 'word '.repeat(20_000)],
    ['a paragraph of many lines', 'a line of a table | with cells |\n'.repeat(3_000)],
    ['Windows line ends', `# T\r\n\r\n${paragraph('windows')}\r\n\r\n${paragraph('ends')}`],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(2_000)],
    ['headings alone', '# One\n\n## Two\n\n### Three'],
    ['Chinese', '我们周一到周五营业。'.repeat(500)],
  ])('loses no word of %s, and makes no passage too long', (_what, text) => {
    const passages = splitPassages(text);
    expect(Math.max(...passages.map(({ content }) => content.length))).toBeLessThanOrEqual(1_200);
    const all = passages.map(({ heading, content }) => `${heading} ${content}`).join(' ');
    for (const word of wordsOf(text)) if (word.length < 100) expect(all).toContain(word);
    const letters = (passage: string): number => passage.replace(/[\s#]/g, '').length;
    expect(letters(all)).toBeGreaterThanOrEqual(letters(text));
    // No character is cut in two.
    expect(all).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  });

  it('reads headings with and without closing marks', () => {
    const headings = ['# One #', '# Two ## \t', '# C#', '# Five # six', '# #'];
    const text = headings.map((heading) => `${heading}\n\n${'A word. '.repeat(50)}`).join('\n\n');
    expect(splitPassages(text).map(({ heading }) => heading)).toEqual([
      'One',
      'Two',
      'C#',
      'Five # six',
      '#',
    ]);
  });

  it.each([
    ['a paragraph', ''],
    ['a heading', '# '],
  ])('is not held up by %s with very many blanks', (_what, start) => {
    const text = `${start}a${' '.repeat(300_000)}b`;
    expect(processorMilliseconds(() => expect(splitPassages(text).length).toBeGreaterThan(0))).toBeLessThan(
      3_000,
    );
  });

  it('takes less than a second, not several, for 256 KB of any form', () => {
    for (const line of ['a b. ', 'ab', 'a\n', '# a\n\nb\n\n', '- a\n\n', '```\n', '. ']) {
      const text = line.repeat(Math.ceil((256 * 1024) / line.length));
      expect(
        processorMilliseconds(() => splitPassages(text)),
        line,
      ).toBeLessThan(2_000);
    }
  });
});
