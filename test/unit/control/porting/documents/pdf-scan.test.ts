import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PdfScan } from '../../../../../src/control/porting/documents/pdf-scan.js';

/** Why the file is refused; undefined: it is accepted. */
function problemOf(text: string | Buffer, length = 65_536): string | undefined {
  const octets = Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1');
  const scan = new PdfScan();
  for (let at = 0; at < octets.length; at += length) scan.write(octets.subarray(at, at + length));
  try {
    scan.end();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Chunks that cut every token once at each of its places. */
const lengths = [1, 2, 3, 5, 7, 11, 13, 61, 65_536];
const page = '1 0 obj<</Type /Page>>endobj\n';
const end = 'startxref\n9\n%%EOF\n';
const noPages = 'The PDF is empty: it has no pages.';
const encrypted = 'The PDF is encrypted or needs a password. Save it without protection.';
const cutOff = 'The PDF is cut off: its end is missing. Upload it again.';
const continues = 'The file continues after the end of the PDF. Export it again.';

const objectStream = (content: string, before = '/Type /ObjStm /N 1'): Buffer =>
  Buffer.concat([
    Buffer.from(`2 0 obj<<${before}>>stream\r\n`, 'latin1'),
    deflateSync(Buffer.from(content, 'latin1')),
    Buffer.from('\nendstream endobj\n', 'latin1'),
  ]);
const file = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

describe('the pages of a PDF', () => {
  it.each(lengths)('are found in chunks of %i octets', (length) => {
    expect(problemOf(`%PDF-1.7\n${page}${end}`, length)).toBeUndefined();
    expect(problemOf(`%PDF-1.7\n<</Type/Page/Parent 2 0 R>>${end}`, length)).toBeUndefined();
  });

  it('are not their tree', () => {
    expect(problemOf(`<</Type /Pages /Count 0>>${end}`)).toBe(noPages);
    expect(problemOf(`<</Type /PageLabel>>${end}`)).toBe(noPages);
    expect(problemOf(end)).toBe(noPages);
  });

  it.each([7, 61, 100, 65_536])('are found in an object stream, in chunks of %i octets', (length) => {
    const compressed = objectStream('<</Type /Page /Parent 3 0 R>>');
    expect(problemOf(file('%PDF-1.7\n', compressed, end), length)).toBeUndefined();
    expect(problemOf(file(objectStream('<</Type /Font>>'), compressed, end), length)).toBeUndefined();
    expect(problemOf(file(objectStream('<</Type /Pages>>'), end), length)).toBe(noPages);
  });

  it('are not looked for in streams of another kind', () =>
    expect(problemOf(file(objectStream('<</Type /Page>>', '/Length 9'), end))).toBe(noPages));

  it('are assumed in an object stream that is larger than a megabyte', () => {
    const problem = (octets: number): string | undefined => {
      const scan = new PdfScan();
      for (const part of ['<</Type /ObjStm>>stream\n', ' '.repeat(octets), `endstream\n${end}`])
        scan.write(Buffer.from(part));
      try {
        scan.end();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problem(1_048_577)).toBeUndefined();
    expect(problem(1_048_576)).toBe(noPages);
  });

  it('are none in a stream that cannot be inflated', () =>
    expect(problemOf(file('<</Type /ObjStm>>stream\n/Type /Pag', '\nendstream\n', end))).toBe(noPages));
});

describe('a PDF with a password', () => {
  it.each(lengths)('is refused in chunks of %i octets', (length) => {
    expect(problemOf(`${page}trailer<</Encrypt 5 0 R>>${end}`, length)).toBe(encrypted);
    expect(problemOf(`${page}trailer<</Encrypt <</V 2>> >>${end}`, length)).toBe(encrypted);
  });

  it('is not one that only has the word', () =>
    expect(problemOf(`${page}(/Encrypt this)${end}`)).toBeUndefined());
});

describe('the end of a PDF', () => {
  it('is required', () => {
    expect(problemOf(page)).toBe(cutOff);
    expect(problemOf(`${page}%%EO`)).toBe(cutOff);
  });

  it.each(lengths)('may be followed by white space alone, in chunks of %i octets', (length) => {
    expect(problemOf(`${page}${end}\r\n\0 \t`, length)).toBeUndefined();
    expect(problemOf(`${page}${end}x`, length)).toBe(continues);
    expect(problemOf(`${page}${end}${' '.repeat(100)}<`, length)).toBe(continues);
  });

  it('may come several times, as in a file that was saved again', () => {
    expect(problemOf(`${page}${end}3 0 obj endobj ${end}`)).toBeUndefined();
    expect(problemOf(`${page}${end}3 0 obj endobj ${end}`, 5)).toBeUndefined();
    expect(problemOf(`${page}${end}3 0 obj endobj ${end}4 0 obj`)).toBe(continues);
  });

  it('is named before everything else that is wrong', () => {
    expect(problemOf('<</Encrypt 5 0 R>>')).toBe(cutOff);
    expect(problemOf(`<</Encrypt 5 0 R>>${end}more`)).toBe(encrypted);
    expect(problemOf(`${end}more`)).toBe(noPages);
  });
});
