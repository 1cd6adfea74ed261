import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { consentText, type LetterText } from './letter-text.js';

/** US Letter, in points. */
const pageSize: [number, number] = [612, 792];
const margin = 60;
const textWidth = pageSize[0] - 2 * margin;
const ink = rgb(0.1, 0.1, 0.12);

/** Writes lines from top to bottom and starts a new page when one is full. */
class Typist {
  private page: PDFPage;
  private y = 0;

  private constructor(
    readonly document: PDFDocument,
    private readonly plain: PDFFont,
    private readonly bold: PDFFont,
  ) {
    this.page = document.addPage(pageSize);
    this.y = pageSize[1] - margin;
  }

  static async of(document: PDFDocument): Promise<Typist> {
    const plain = await document.embedFont(StandardFonts.Helvetica);
    return new Typist(document, plain, await document.embedFont(StandardFonts.HelveticaBold));
  }

  /** Text in lines that fit; what the standard fonts (WinAnsi) lack is shown as a question mark. */
  write(text: string, { size = 10.5, isBold = false, indent = 0 } = {}): void {
    const font = isBold ? this.bold : this.plain;
    for (const line of wrapped(drawable(text, font), font, size, textWidth - indent)) {
      this.need(size * 1.45);
      this.page.drawText(line, { x: margin + indent, y: this.y, size, font, color: ink });
    }
  }

  gap(points: number): void {
    this.y -= points;
  }

  async drawPng(png: Uint8Array, width: number, height: number): Promise<void> {
    const image = await this.document.embedPng(png);
    const scale = Math.min(width / image.width, height / image.height, 1);
    this.need(image.height * scale + 6);
    this.page.drawImage(image, {
      x: margin,
      y: this.y,
      width: image.width * scale,
      height: image.height * scale,
    });
  }

  private need(points: number): void {
    if (this.y - points < margin) {
      this.page = this.document.addPage(pageSize);
      this.y = pageSize[1] - margin;
    }
    this.y -= points;
  }
}

function drawable(text: string, font: PDFFont): string {
  const drawn = new Set(font.getCharacterSet());
  return [...text.normalize('NFC')]
    .map((character) => (drawn.has(character.codePointAt(0)!) ? character : '?'))
    .join('');
}

function wrapped(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => pieces(part, font, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= width) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** A word that is longer than a line, in pieces. */
function pieces(word: string, font: PDFFont, size: number, width: number): string[] {
  const found: string[] = [''];
  for (const character of word) {
    const longer = found.at(-1)! + character;
    if (font.widthOfTextAtSize(longer, size) <= width) found[found.length - 1] = longer;
    else found.push(character);
  }
  return found;
}

/** The letter as PDF; the same text at the same time gives the same octets. */
export async function letterPdf(text: LetterText, madeAt: Date): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setTitle(text.title);
  document.setProducer('Demarc');
  document.setCreator('Demarc');
  document.setCreationDate(madeAt);
  document.setModificationDate(madeAt);
  const typist = await Typist.of(document);
  typist.write(text.title, { size: 16, isBold: true });
  typist.gap(12);
  for (const [name, value] of text.fields) {
    typist.write(name, { size: 8.5, isBold: true });
    typist.write(value);
    typist.gap(3);
  }
  typist.gap(6);
  typist.write('Telephone numbers', { size: 8.5, isBold: true });
  for (let at = 0; at < text.numbers.length; at += 4)
    typist.write(text.numbers.slice(at, at + 4).join('     '));
  typist.gap(8);
  for (const paragraph of text.paragraphs) {
    typist.write(paragraph);
    typist.gap(6);
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** How and when a letter was signed. */
export interface Signature {
  readonly name: string;
  /** PNG of a drawn signature; undefined: the typed name is the signature. */
  readonly drawing: Uint8Array | undefined;
  readonly signedAt: Date;
  readonly address: string;
  readonly userAgent: string;
  /** SHA-256 of the letter that was shown, in hex. */
  readonly shownSha256: string;
}

/** The letter with a page that holds the signature and how it was made. */
export async function signedLetterPdf(letter: Uint8Array, signature: Signature): Promise<Buffer> {
  const document = await PDFDocument.load(letter, { updateMetadata: false });
  document.setModificationDate(signature.signedAt);
  const typist = await Typist.of(document);
  typist.write('Electronic signature', { size: 16, isBold: true });
  typist.gap(12);
  if (signature.drawing !== undefined) await typist.drawPng(signature.drawing, 300, 110);
  typist.write(signature.name, { size: signature.drawing === undefined ? 22 : 12 });
  typist.gap(12);
  const facts: readonly (readonly [string, string])[] = [
    ['Signed at', signature.signedAt.toISOString()],
    ['Consent', consentText],
    ['Network address', signature.address],
    ['Browser', signature.userAgent],
    ['SHA-256 of the letter that was shown', signature.shownSha256],
  ];
  for (const [name, value] of facts) {
    typist.write(name, { size: 8.5, isBold: true });
    typist.write(value);
    typist.gap(3);
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
