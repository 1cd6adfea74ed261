import { describe, expect, it } from 'vitest';
import { type OctetParser, OctetReader } from '../../../../../src/control/porting/documents/octet-reader.js';

/** The same octets in chunks of every length give the same result. */
function readInChunks<Result>(parser: () => OctetParser<Result>, octets: Buffer): Result {
  const results = Array.from({ length: octets.length + 1 }, (_, at) => {
    const reader = new OctetReader(parser());
    for (let from = 0; from < octets.length; from += at + 1)
      reader.write(octets.subarray(from, from + at + 1));
    return reader.end();
  });
  for (const result of results) expect(result).toEqual(results[0]);
  return results[0]!;
}

describe('a parser of a stream', () => {
  it('gets as many octets as it takes', () => {
    function* parser(): OctetParser<string[]> {
      const first = (yield { take: 2 }).toString();
      const second = (yield { take: 3 }).toString();
      return [first, second];
    }
    expect(readInChunks(parser, Buffer.from('abcde'))).toEqual(['ab', 'cde']);
    expect(readInChunks(parser, Buffer.from('abcdefgh'))).toEqual(['ab', 'cde']);
  });

  it('skips octets, also none', () => {
    function* parser(): OctetParser<string[]> {
      yield { skip: 3 };
      const first = (yield { take: 1 }).toString();
      yield { skip: 0 };
      const second = (yield { take: 1 }).toString();
      yield { skip: 2 };
      return [first, second];
    }
    expect(readInChunks(parser, Buffer.from('...a b..'.replace(' ', '')))).toEqual(['a', 'b']);
  });

  it('skips to the octet after the one that it looks for', () => {
    function* parser(): OctetParser<string> {
      yield { skipTo: 0x2f };
      return (yield { take: 2 }).toString();
    }
    expect(readInChunks(parser, Buffer.from('abc/de/f'))).toBe('de');
    expect(readInChunks(parser, Buffer.from('/de'))).toBe('de');
  });

  it('learns at the end how many octets the rest had', () => {
    function* parser(): OctetParser<number> {
      yield { take: 1 };
      return (yield 'rest').readUInt32BE();
    }
    expect(readInChunks(parser, Buffer.from('a'))).toBe(0);
    expect(readInChunks(parser, Buffer.from('abcde'))).toBe(4);
  });

  it('ignores what follows when it is done', () => {
    function* parser(): OctetParser<string> {
      return (yield { take: 1 }).toString();
    }
    const reader = new OctetReader(parser());
    reader.write(Buffer.from('ab'));
    reader.write(Buffer.from('cd'));
    expect(reader.end()).toBe('a');
  });
});

describe('a stream that ends too early', () => {
  const cutOff = 'The file is cut off: its end is missing. Upload it again.';

  it.each<[string, () => OctetParser<void>, string]>([
    [
      'within what is taken',
      function* () {
        yield { take: 3 };
      },
      'ab',
    ],
    [
      'within what is skipped',
      function* () {
        yield { skip: 3 };
      },
      'ab',
    ],
    [
      'before the octet that is looked for',
      function* () {
        yield { skipTo: 0x2f };
      },
      'ab',
    ],
    [
      'before it begins',
      function* () {
        yield { take: 1 };
      },
      '',
    ],
    [
      'after the rest, when more is wanted',
      function* () {
        yield 'rest';
        yield { take: 1 };
      },
      'ab',
    ],
  ])('%s is cut off', (_, parser, text) => {
    const reader = new OctetReader(parser());
    reader.write(Buffer.from(text));
    expect(() => reader.end()).toThrow(cutOff);
  });
});
