import { DocumentRefused } from './document-refused.js';
import { type OctetParser, OctetReader } from './octet-reader.js';
import { PdfScan } from './pdf-scan.js';
import { readGif, readJpeg, readPng, readWebp } from './pictures.js';

export const mediaTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
export type MediaType = (typeof mediaTypes)[number];

const headOctets = 12;
/** Longest ZIP comment with the record that it belongs to (APPNOTE.TXT §4.3.16). */
const zipTailOctets = 65_535 + 22;
const zipEnd = Buffer.from('PK\x05\x06', 'latin1');

/** The type that the first octets tell, whatever the file is called; undefined: none that we take. */
export function mediaTypeOf(head: Buffer): MediaType | undefined {
  const text = head.toString('latin1');
  if (text.startsWith('%PDF-')) return 'application/pdf';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  return undefined;
}

const pictureParsers: Readonly<Record<Exclude<MediaType, 'application/pdf'>, () => OctetParser<void>>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
};

interface Reading {
  write(chunk: Buffer): void;
  end(): void;
}

/**
 * Inspects a document while it streams by: tells its type by its content, and refuses what a person at the carrier could not
 * open or what is two files at once. Holds some 70 KB, for PDF object streams 1 MB.
 */
export class DocumentInspection {
  private head: Buffer = Buffer.alloc(0);
  private reading: Reading | undefined;
  private mediaType: MediaType | undefined;
  private tail: Buffer = Buffer.alloc(0);
  private seen = '';
  private octets = 0;
  private waiting: Buffer[] = [];
  private waitingOctets = 0;

  /** @param stepOctets what is looked at together: a stream of single octets costs no more than others */
  constructor(private readonly stepOctets = 16 * 1024) {}

  /** Throws `DocumentRefused`. */
  write(chunk: Buffer): void {
    this.waiting.push(chunk);
    this.waitingOctets += chunk.length;
    if (this.waitingOctets >= this.stepOctets) this.step();
  }

  private step(): void {
    const chunk = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingOctets = 0;
    this.octets += chunk.length;
    this.tail = Buffer.concat([this.tail, chunk]).subarray(-zipTailOctets);
    if (this.reading !== undefined) {
      this.pass(chunk);
      return;
    }
    this.head = Buffer.concat([this.head, chunk]);
    if (this.head.length < headOctets) return;
    this.mediaType = mediaTypeOf(this.head);
    if (this.mediaType === undefined) throw unknownType();
    this.reading =
      this.mediaType === 'application/pdf'
        ? new PdfScan()
        : new OctetReader(pictureParsers[this.mediaType]());
    this.pass(this.head);
  }

  /** Throws `DocumentRefused`. */
  end(): MediaType {
    if (this.waitingOctets > 0) this.step();
    if (this.octets === 0) throw new DocumentRefused('The file is empty.');
    if (this.reading === undefined || this.mediaType === undefined) throw unknownType();
    this.reading.end();
    if (this.endsAsZip()) throw twoFiles('a ZIP archive');
    return this.mediaType;
  }

  private pass(chunk: Buffer): void {
    const text = this.seen + chunk.toString('latin1');
    if (this.mediaType !== 'application/pdf') {
      if (text.includes('%PDF-')) throw twoFiles('a PDF');
      if (/<script|<html|<\?php/i.test(text)) throw twoFiles('a web page');
    } else if (this.octets - chunk.length < 1_024 && /<script|<html/i.test(text.slice(0, 1_024))) {
      throw twoFiles('a web page');
    }
    this.seen = text.slice(-8);
    this.reading?.write(chunk);
  }

  /** A record at the end that says how long its comment is, and it ends with the file. */
  private endsAsZip(): boolean {
    for (let at = this.tail.indexOf(zipEnd); at >= 0; at = this.tail.indexOf(zipEnd, at + 1)) {
      if (at + 22 <= this.tail.length && at + 22 + this.tail.readUInt16LE(at + 20) === this.tail.length)
        return true;
    }
    return false;
  }
}

const unknownType = (): DocumentRefused =>
  new DocumentRefused('The file content is not PDF, JPEG, PNG, GIF or WebP.');
const twoFiles = (what: string): DocumentRefused =>
  new DocumentRefused(`The file is also ${what}. Export it again as a plain PDF or picture.`);
