import { describe, expect, it } from 'vitest';
import { type OctetParser, OctetReader } from '../../../../../src/control/porting/documents/octet-reader.js';
import {
  readGif,
  readJpeg,
  readPng,
  readWebp,
} from '../../../../../src/control/porting/documents/pictures.js';
import { gif, jpeg, png, webp } from '../pictures.js';

/** Why the picture is refused; undefined: it is accepted. */
function problemOf(parser: () => OctetParser<void>, octets: Buffer): string | undefined {
  try {
    const reader = new OctetReader(parser());
    reader.write(octets);
    reader.end();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const cutOff = 'The file is cut off: its end is missing. Upload it again.';
const noPixels = 'The picture is empty: it has no pixels.';
const noData = 'The picture is empty: it has no image data.';
const notValid = (kind: string): string =>
  `The file starts as ${kind} but is not a valid one. Export it again.`;
const continues = (kind: string): string =>
  `The file continues after the end of the ${kind} picture. Export it again.`;
const tooLarge = (width: number, height: number): string =>
  `The picture has ${width} × ${height} pixels; at most 120 million are taken. Scan at a lower resolution.`;

const chunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
};
const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const header = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  return chunk('IHDR', data);
};

describe('a PNG picture', () => {
  const problem = (...parts: Buffer[]): string | undefined =>
    problemOf(readPng, Buffer.concat([pngStart, ...parts]));
  const data = chunk('IDAT', Buffer.from([1]));
  const end = chunk('IEND', Buffer.alloc(0));

  it('has a header, data and an end', () => {
    expect(problem(header(1, 1), data, end)).toBeUndefined();
    expect(problem(header(1, 1), chunk('gAMA', Buffer.alloc(4)), data, data, end)).toBeUndefined();
    expect(problemOf(readPng, png(640, 480))).toBeUndefined();
  });

  it('has at most 120 million pixels', () => {
    expect(problem(header(12_000, 10_000), data, end)).toBeUndefined();
    expect(problem(header(12_000, 10_001), data, end)).toBe(tooLarge(12_000, 10_001));
    expect(problem(header(120_000_001, 1), data, end)).toBe(tooLarge(120_000_001, 1));
  });

  it('has pixels and data', () => {
    expect(problem(header(0, 5), data, end)).toBe(noPixels);
    expect(problem(header(5, 0), data, end)).toBe(noPixels);
    expect(problem(header(5, 5), end)).toBe(noData);
    expect(problem(header(5, 5), chunk('IDAT', Buffer.alloc(0)), end)).toBe(noData);
    expect(problem(header(5, 5), chunk('tEXt', Buffer.from([1])), end)).toBe(noData);
  });

  it('begins with its only header', () => {
    expect(problem(data, end)).toBe(notValid('PNG'));
    expect(problem(header(1, 1), header(1, 1), data, end)).toBe(notValid('PNG'));
  });

  it('has no chunk longer than 2³¹ − 1 octets', () => {
    const long = Buffer.alloc(8);
    long.writeUInt32BE(0x8000_0000);
    long.write('tEXt', 4);
    expect(problem(header(1, 1), long)).toBe(notValid('PNG'));
    long.writeUInt32BE(0x7fff_ffff);
    expect(problem(header(1, 1), long)).toBe(cutOff);
  });

  it('ends with its end', () => {
    expect(problem(header(1, 1), data)).toBe(cutOff);
    expect(problem(header(1, 1), data, end.subarray(0, -1))).toBe(cutOff);
    expect(problem(header(1, 1), data, end, Buffer.from([0]))).toBe(continues('PNG'));
  });
});

describe('a JPEG picture', () => {
  const start = Buffer.from([0xff, 0xd8]);
  const end = Buffer.from([0xff, 0xd9]);
  const frame = (width: number, height: number, marker = 0xc0): Buffer => {
    const octets = Buffer.from([0xff, marker, 0, 8, 8, 0, 0, 0, 0, 0]);
    octets.writeUInt16BE(height, 5);
    octets.writeUInt16BE(width, 7);
    return octets;
  };
  const problem = (...parts: (Buffer | number[])[]): string | undefined =>
    problemOf(readJpeg, Buffer.concat([start, ...parts.map((part) => Buffer.from(part))]));

  it('has a frame and an end', () => {
    expect(problem(frame(1, 1), end)).toBeUndefined();
    expect(problemOf(readJpeg, jpeg(640, 480))).toBeUndefined();
    expect(problem(end)).toBe(noData);
    expect(problem(frame(1, 1))).toBe(cutOff);
  });

  it.each([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])(
    'reads the size of a frame with marker %i',
    (marker) => {
      expect(problem(frame(65_535, 2_000, marker), end)).toBe(tooLarge(65_535, 2_000));
      expect(problem(frame(0, 5, marker), end)).toBe(noPixels);
      expect(problem(frame(5, 0, marker), end)).toBe(noPixels);
    },
  );

  it.each([0xbf, 0xc4, 0xc8, 0xcc, 0xd8, 0xdb, 0xe0, 0xfe])('has no frame with marker %i', (marker) =>
    expect(problem(frame(65_535, 2_000, marker), end)).toBe(noData),
  );

  it('may have 120 million pixels', () => {
    expect(problem(frame(12_000, 10_000), end)).toBeUndefined();
    expect(problem(frame(12_000, 10_001), end)).toBe(tooLarge(12_000, 10_001));
  });

  it('may have fill octets, stuffed octets and restart markers between segments', () => {
    expect(problem([0xff, 0xff, 0xff], frame(1, 1).subarray(1), end)).toBeUndefined();
    expect(problem(frame(1, 1), [0xff, 0x00, 0xff, 0x01, 0xff, 0xd0, 0xff, 0xd7, 7], end)).toBeUndefined();
  });

  it('has segments that say how long they are', () => {
    expect(problem([0xff, 0xe0, 0, 1], frame(1, 1), end)).toBe(notValid('JPEG'));
    expect(problem([0xff, 0xe0, 0, 2], frame(1, 1), end)).toBeUndefined();
    expect(problem([0xff, 0xc0, 0, 7, 8, 0, 1, 0, 1], end)).toBe(notValid('JPEG'));
  });

  it('skips what looks like an end within a segment', () =>
    expect(problem([0xff, 0xe0, 0, 4, 0xff, 0xd9], frame(1, 1), end)).toBeUndefined());

  it('may be followed by a film', () =>
    expect(problem(frame(1, 1), end, Buffer.from('ftypmp42'))).toBeUndefined());
});

describe('a GIF picture', () => {
  const problem = (...parts: (Buffer | number[])[]): string | undefined =>
    problemOf(readGif, Buffer.concat([Buffer.from('GIF89a'), ...parts.map((part) => Buffer.from(part))]));
  const screen = (width: number, height: number, flags = 0): Buffer => {
    const octets = Buffer.from([0, 0, 0, 0, flags, 0, 0]);
    octets.writeUInt16LE(width, 0);
    octets.writeUInt16LE(height, 2);
    return octets;
  };
  const image = (width: number, height: number, flags = 0): Buffer => {
    const octets = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, flags]);
    octets.writeUInt16LE(width, 5);
    octets.writeUInt16LE(height, 7);
    return octets;
  };
  const blocks = [2, 2, 0x4c, 0x01, 0];
  const end = [0x3b];

  it('has a screen, a frame and an end', () => {
    expect(problem(screen(1, 1), image(1, 1), blocks, end)).toBeUndefined();
    expect(problemOf(readGif, gif(64, 48, 3))).toBeUndefined();
    expect(problem(screen(1, 1), end)).toBe(noData);
    expect(problem(screen(1, 1), image(0, 1), blocks, end)).toBe(noPixels);
    expect(problem(screen(0, 1), image(1, 1), blocks, end)).toBe(noPixels);
    expect(problem(screen(1, 0), image(1, 1), blocks, end)).toBe(noPixels);
  });

  it.each([
    [0x00, 0],
    [0x80, 6],
    [0x81, 12],
    [0x87, 768],
    [0x07, 0],
  ])('with flags %i has a colour table of %i octets', (flags, octets) => {
    const table = Buffer.alloc(octets, 0x3b);
    expect(problem(screen(1, 1, flags), table, image(1, 1), blocks, end)).toBeUndefined();
    expect(problem(screen(1, 1), image(1, 1, flags), table, blocks, end)).toBeUndefined();
  });

  it('may have extensions', () =>
    expect(problem(screen(1, 1), [0x21, 0xfe, 1, 0x3b, 0], image(1, 1), blocks, end)).toBeUndefined());

  it('counts the pixels of all frames together', () => {
    const frames = (count: number): Buffer[] =>
      Array.from({ length: count }, () => Buffer.concat([image(10_000, 4_000), Buffer.from(blocks)]));
    expect(problem(screen(1, 1), ...frames(3), end)).toBeUndefined();
    expect(problem(screen(1, 1), ...frames(4), end)).toBe(tooLarge(160_000_000, 1));
  });

  it('has no other blocks', () => expect(problem(screen(1, 1), [0x2d])).toBe(notValid('GIF')));

  it('ends with its end', () => {
    expect(problem(screen(1, 1), image(1, 1), blocks)).toBe(cutOff);
    expect(problem(screen(1, 1), image(1, 1), blocks, end, [0x3b])).toBe(continues('GIF'));
  });
});

describe('a WebP picture', () => {
  const riff = (...chunks: Buffer[]): Buffer => {
    const body = Buffer.concat(chunks);
    const head = Buffer.from('RIFF\0\0\0\0WEBP');
    head.writeUInt32LE(4 + body.length, 4);
    return Buffer.concat([head, body]);
  };
  const part = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const lossy = (width: number, height: number): Buffer => {
    const data = Buffer.alloc(10);
    data.writeUInt16LE(width, 6);
    data.writeUInt16LE(height, 8);
    return part('VP8 ', data);
  };
  const extended = (width: number, height: number): Buffer => {
    const data = Buffer.alloc(10);
    data.writeUIntLE(width - 1, 4, 3);
    data.writeUIntLE(height - 1, 7, 3);
    return part('VP8X', data);
  };
  const frame = (width: number, height: number): Buffer => {
    const data = Buffer.alloc(16);
    data.writeUIntLE(width - 1, 6, 3);
    data.writeUIntLE(height - 1, 9, 3);
    return part('ANMF', data);
  };
  const problem = (...chunks: Buffer[]): string | undefined => problemOf(readWebp, riff(...chunks));

  it('is lossy, lossless or animated', () => {
    expect(problem(lossy(1, 1))).toBeUndefined();
    expect(problemOf(readWebp, webp(640, 480))).toBeUndefined();
    expect(problem(extended(1, 1), frame(1, 1))).toBeUndefined();
    expect(problem(extended(1, 1), part('ALPH', Buffer.alloc(3)), lossy(1, 1))).toBeUndefined();
  });

  it('has an image', () => {
    expect(problem()).toBe(noData);
    expect(problem(extended(1, 1))).toBe(noData);
    expect(problem(part('EXIF', Buffer.alloc(4)))).toBe(noData);
    expect(problem(lossy(0, 1))).toBe(noPixels);
    expect(problem(lossy(1, 0))).toBe(noPixels);
  });

  it('has at most 120 million pixels, in each of its parts', () => {
    expect(problem(lossy(12_000, 10_000))).toBeUndefined();
    expect(problem(lossy(12_000, 10_001))).toBe(tooLarge(12_000, 10_001));
    expect(problemOf(readWebp, webp(12_000, 10_001))).toBe(tooLarge(12_000, 10_001));
    expect(problem(extended(12_000, 10_001), lossy(1, 1))).toBe(tooLarge(12_000, 10_001));
    expect(problem(extended(1, 1), frame(12_000, 10_001))).toBe(tooLarge(12_000, 10_001));
  });

  it('reads the fourteen bits of a lossy size, without the scale above them', () =>
    expect(problem(lossy(0xc000 | 3, 0x4000 | 5))).toBeUndefined());

  it('counts the pixels of all frames together', () => {
    expect(problem(frame(10_000, 6_000), frame(10_000, 6_000))).toBeUndefined();
    expect(problem(frame(10_000, 6_000), frame(10_000, 6_000), frame(1, 1))).toBe(tooLarge(120_000_001, 1));
  });

  it('has chunks within its length, long enough for their type', () => {
    const short = (type: string, octets: number): string | undefined =>
      problem(part(type, Buffer.alloc(octets, 1)));
    expect(short('VP8 ', 9)).toBe(notValid('WebP'));
    expect(short('VP8L', 4)).toBe(notValid('WebP'));
    expect(short('VP8X', 9)).toBe(notValid('WebP'));
    expect(short('ANMF', 15)).toBe(notValid('WebP'));
    const long = riff(lossy(1, 1));
    long.writeUInt32LE(11, 16);
    expect(problemOf(readWebp, long)).toBe(notValid('WebP'));
  });

  it('ends where it says', () => {
    const picture = riff(lossy(1, 1));
    expect(problemOf(readWebp, picture.subarray(0, -1))).toBe(cutOff);
    expect(problemOf(readWebp, Buffer.concat([picture, Buffer.from([0])]))).toBe(continues('WebP'));
  });
});
