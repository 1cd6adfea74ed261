import { constants, inflateSync } from 'node:zlib';
import { DocumentRefused } from './document-refused.js';

/** Longer than any token that is looked for. */
const overlap = 64;
const maximumObjectStream = 1024 * 1024;
const maximumInflated = 8 * 1024 * 1024;

const encryption = /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/;
const page = /\/Type\s*\/Page(?![A-Za-z])/;

/**
 * Scans a PDF (ISO 32000-1) as it arrives for what makes it unusable: encryption, no pages, a second file around it. It does
 * not parse the document; pages within object streams (§7.5.7) are found by inflating these, within bounds.
 */
export class PdfScan {
  private tail = '';
  private hasPages = false;
  private isEncrypted = false;
  private hasEnd = false;
  private hasRest = false;
  /** Undefined: not in an object stream. */
  private stream: { started: boolean; text: string } | undefined;

  write(chunk: Buffer): void {
    const text = this.tail + chunk.toString('latin1');
    this.isEncrypted ||= encryption.test(text);
    this.hasPages ||= page.test(text);
    this.scanEnd(text);
    if (!this.hasPages) this.scanObjectStreams(text, this.tail.length);
    this.tail = text.slice(-overlap);
  }

  /** Throws `DocumentRefused`. */
  end(): void {
    if (!this.hasEnd) throw new DocumentRefused('The PDF is cut off: its end is missing. Upload it again.');
    if (this.isEncrypted) {
      throw new DocumentRefused('The PDF is encrypted or needs a password. Save it without protection.');
    }
    if (!this.hasPages) throw new DocumentRefused('The PDF is empty: it has no pages.');
    if (this.hasRest) {
      throw new DocumentRefused('The file continues after the end of the PDF. Export it again.');
    }
  }

  private scanEnd(text: string): void {
    const at = text.lastIndexOf('%%EOF');
    if (at >= 0) {
      this.hasEnd = true;
      this.hasRest = isMore(text.slice(at + 5));
    } else if (this.hasEnd) {
      this.hasRest ||= isMore(text.slice(this.tail.length));
    }
  }

  /** @param from where the new octets begin: the earlier ones were seen already */
  private scanObjectStreams(text: string, from: number): void {
    for (let at = this.stream === undefined ? 0 : from; ; ) {
      if (this.stream === undefined) {
        const found = text.indexOf('/ObjStm', at);
        // One that ended within the overlap was seen before.
        if (found < 0) return;
        at = found + 7;
        if (at <= from) continue;
        this.stream = { started: false, text: '' };
      }
      const { stream } = this;
      stream.text += text.slice(at);
      if (!stream.started) {
        const begin = /stream\r?\n/.exec(stream.text);
        if (begin === null) {
          this.giveUp(stream.text.length);
          return;
        }
        stream.started = true;
        stream.text = stream.text.slice(begin.index + begin[0].length);
      }
      const end = stream.text.indexOf('endstream');
      if (end < 0) {
        this.giveUp(stream.text.length);
        return;
      }
      this.hasPages ||= page.test(inflated(Buffer.from(stream.text.slice(0, end), 'latin1')));
      if (this.hasPages) return;
      at = text.length - (stream.text.length - end - 9);
      this.stream = undefined;
    }
  }

  private giveUp(length: number): void {
    if (length <= maximumObjectStream) return;
    // Too large to look into: the benefit of the doubt.
    this.hasPages = true;
    this.stream = undefined;
  }
}

const isMore = (text: string): boolean => /[^\s\0]/.test(text);

function inflated(octets: Buffer): string {
  try {
    return inflateSync(octets, {
      maxOutputLength: maximumInflated,
      finishFlush: constants.Z_SYNC_FLUSH,
    }).toString('latin1');
  } catch {
    return '';
  }
}
