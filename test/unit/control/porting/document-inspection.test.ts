import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { DocumentInspection } from '../../../../src/control/porting/documents/document-inspection.js';
import { gif, jpeg, png, webp, zipAround } from './pictures.js';

function inspect(octets: Buffer, chunkLength = 65_536): string {
  const inspection = new DocumentInspection(chunkLength);
  try {
    for (let at = 0; at < octets.length; at += chunkLength)
      inspection.write(octets.subarray(at, at + chunkLength));
    return inspection.end();
  } catch (error) {
    return (error as Error).message;
  }
}

const pdfs: Record<'plain' | 'compressed' | 'encrypted' | 'empty', Buffer> = {} as never;
beforeAll(async () => {
  const make = async (pages: number, useObjectStreams: boolean): Promise<Buffer> => {
    const document = await PDFDocument.create();
    for (let count = 0; count < pages; count++) document.addPage().drawText('Invoice of Acme Corp');
    return Buffer.from(await document.save({ useObjectStreams, addDefaultPage: false }));
  };
  pdfs.plain = await make(2, false);
  pdfs.compressed = await make(200, true);
  pdfs.empty = await make(0, true);
  const locked = await PDFDocument.create();
  locked.addPage().drawText('Secret invoice');
  await locked.encrypt({ userPassword: 'open', ownerPassword: 'sesame' });
  pdfs.encrypted = Buffer.from(await locked.save());
});

describe('a document is recognized by its content', () => {
  it('regardless of its name, in chunks of any length', () => {
    const files: readonly (readonly [Buffer, string])[] = [
      [pdfs.plain, 'application/pdf'],
      [pdfs.compressed, 'application/pdf'],
      [jpeg(640, 480), 'image/jpeg'],
      [png(640, 480), 'image/png'],
      [gif(64, 48, 3), 'image/gif'],
      [webp(640, 480), 'image/webp'],
    ];
    for (const [octets, type] of files) {
      for (const length of octets.length < 300 ? [1, 7, 65_536] : [61, 999, 65_536])
        expect(inspect(octets, length)).toBe(type);
    }
  });

  it('rejects what follows the end of a PDF, at once and in later chunks', () => {
    const end = pdfs.plain.length;
    const longer = (rest: string): Buffer => Buffer.concat([pdfs.plain, Buffer.from(rest, 'latin1')]);
    for (const length of [end, end - 3, 61, 65_536]) {
      expect(inspect(longer('\r\n \0\n'), length)).toBe('application/pdf');
      expect(inspect(longer('\n<script>alert(1)</script>'), length)).toMatch(/continues after the end/);
      expect(inspect(longer(`${' '.repeat(200)}MZ`), length)).toMatch(/continues after the end/);
    }
  });

  it('and refused when it is none of the types', () => {
    for (const text of [
      'MZ\x90\0this is a program',
      'PK\x03\x04 an archive…',
      'short',
      '<svg xmlns="">x</svg>',
    ])
      expect(inspect(Buffer.from(text, 'latin1'))).toContain('not PDF, JPEG');
    expect(inspect(Buffer.alloc(0))).toBe('The file is empty.');
  });
});

describe('an unreadable document is refused', () => {
  it('a PDF that is encrypted, empty or cut off', () => {
    for (const length of [97, 65_536]) {
      expect(inspect(pdfs.encrypted, length)).toContain('encrypted');
      expect(inspect(pdfs.empty, length)).toContain('has no pages');
      expect(inspect(pdfs.plain.subarray(0, -40), length)).toContain('cut off');
    }
  });

  it('a picture that claims too many pixels, or none', () => {
    for (const picture of [
      png(60_000, 60_000),
      jpeg(60_000, 60_000),
      gif(60_000, 60_000),
      webp(16_000, 16_000),
    ])
      expect(inspect(picture)).toMatch(/at most 120 million/);
    expect(inspect(gif(2_000, 2_000, 40))).toMatch(/at most 120 million/);
    for (const picture of [png(0, 10), jpeg(10, 0)]) expect(inspect(picture)).toContain('no pixels');
  });

  it('a picture that is cut off', () => {
    for (const picture of [png(9, 9), jpeg(9, 9), gif(9, 9), webp(9, 9)])
      expect(inspect(picture.subarray(0, -2))).toContain('cut off');
  });
});

describe('a file that is two files at once is refused', () => {
  it('a second file behind, in or around the first one', () => {
    const foreign = Buffer.from('<html><script>alert(1)</script></html>');
    for (const file of [pdfs.plain, png(9, 9), gif(9, 9), webp(9, 9)])
      expect(inspect(Buffer.concat([file, foreign]), 50)).toMatch(/continues after the end|also a web page/);
    expect(inspect(Buffer.concat([jpeg(9, 9), foreign]), 5)).toContain('also a web page');
    expect(inspect(Buffer.concat([jpeg(9, 9), pdfs.plain]), 100)).toContain('also a PDF');
    expect(inspect(Buffer.concat([jpeg(9, 9), zipAround(Buffer.from('comment'))]))).toContain('ZIP archive');
    const disguised = zipAround(Buffer.from('\n%%EOF\n'));
    expect(inspect(Buffer.concat([pdfs.plain, disguised]))).toMatch(/ZIP archive|continues/);
    const web = Buffer.concat([Buffer.from('%PDF-1.7\n<script>alert(1)</script>\n'), pdfs.plain]);
    expect(inspect(web)).toContain('also a web page');
  });
});
