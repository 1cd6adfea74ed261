import type { NgReply } from './ng-client.js';

/** A reply nests this deep: tags, a tag, medias, a media, streams, a stream, stats. */
const maximumDepth = 20;

/** The dictionaries and lists on the way to the counters and RTCP reports of `rtp-statistics.ts`; all else is skipped. */
const read: ReadonlySet<string> = new Set([
  ...['tags', 'trunk', 'agent', 'medias', 'streams', 'stats', 'flags'],
  ...['SSRC', 'ingress SSRCs', 'MOS progression', 'entries'],
]);
/** The means of a source's reports, which only the record needs. */
const readAtEnd: ReadonlySet<string> = new Set([...read, 'average MOS']);
const texts: ReadonlySet<string> = new Set(['result', 'error-reason', 'protocol']);

/**
 * Reads of a `query` reply (bencode) only the result, the packet counters of both sides and their RTCP reports: a fraction of the
 * work of reading the reply, which the media watch asks for every few seconds of every call. Throws for what is not bencode.
 */
export function readCounters(reply: Buffer): NgReply {
  return new CounterReader(reply, read).value(0, true) as NgReply;
}

/** The same of a `delete` reply, with all that `readStatistics` needs. */
export function readTotals(reply: Buffer): NgReply {
  return new CounterReader(reply, readAtEnd).value(0, true) as NgReply;
}

/** Reports are by SSRC, which is written as a decimal number. */
const isSource = (name: string): boolean => name.length > 0 && name.charCodeAt(0) <= 0x39;

const end = 0x65;
const dictionary = 0x64;
const list = 0x6c;
const integer = 0x69;
const colon = 0x3a;

class CounterReader {
  private at = 0;

  constructor(
    private readonly octets: Buffer,
    private readonly names: ReadonlySet<string>,
  ) {}

  value(depth: number, isRead: boolean): unknown {
    if (depth > maximumDepth) throw new Error('nested too deeply');
    const type = this.octets[this.at];
    if (type === dictionary) return this.dictionary(depth, isRead);
    if (type === list) return this.list(depth, isRead);
    if (type === integer) {
      this.at++;
      return this.number(end);
    }
    const { from, to } = this.text();
    return isRead ? this.octets.toString('latin1', from, to) : undefined;
  }

  private dictionary(depth: number, isRead: boolean): Record<string, unknown> | undefined {
    const found: Record<string, unknown> | undefined = isRead ? {} : undefined;
    this.at++;
    while (!this.isEnd()) {
      const { from, to } = this.text();
      const name = isRead ? this.octets.toString('latin1', from, to) : '';
      const isNumber = this.octets[this.at] === integer;
      const isWanted = isRead && (isNumber || this.names.has(name) || texts.has(name) || isSource(name));
      const value = this.value(depth + 1, isWanted);
      if (isWanted && found !== undefined) found[name] = value;
    }
    return found;
  }

  private list(depth: number, isRead: boolean): unknown[] | undefined {
    const found: unknown[] | undefined = isRead ? [] : undefined;
    this.at++;
    while (!this.isEnd()) {
      const value = this.value(depth + 1, isRead);
      found?.push(value);
    }
    return found;
  }

  private isEnd(): boolean {
    if (this.at >= this.octets.length) throw new Error('cut short');
    if (this.octets[this.at] !== end) return false;
    this.at++;
    return true;
  }

  private text(): { readonly from: number; readonly to: number } {
    const length = this.number(colon);
    const from = this.at;
    this.at += length;
    if (!(length >= 0) || this.at > this.octets.length) throw new Error('not bencode');
    return { from, to: this.at };
  }

  private number(until: number): number {
    const { octets } = this;
    let { at } = this;
    const isNegative = octets[at] === 0x2d;
    if (isNegative) at++;
    const first = at;
    let value = 0;
    for (; octets[at] !== until; at++) {
      const digit = octets[at]! - 0x30;
      if (!(digit >= 0 && digit <= 9)) throw new Error('not bencode');
      value = value * 10 + digit;
    }
    if (at === first) throw new Error('not bencode');
    this.at = at + 1;
    return isNegative ? -value : value;
  }
}
