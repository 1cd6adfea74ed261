import { DocumentRefused } from './document-refused.js';
import type { OctetParser } from './octet-reader.js';

/** More than any camera takes; a few kilobytes can claim gigabytes of pixels. */
const maximumPixels = 120_000_000;

const broken = (kind: string): DocumentRefused =>
  new DocumentRefused(`The file starts as ${kind} but is not a valid one. Export it again.`);

function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw new DocumentRefused('The picture is empty: it has no pixels.');
  if (width * height > maximumPixels) {
    throw new DocumentRefused(
      `The picture has ${width} × ${height} pixels; at most ${maximumPixels / 1_000_000} million are taken. Scan at a lower resolution.`,
    );
  }
}

/** Refuses whatever follows the end of the picture: a second file could hide there. */
function* endOfPicture(kind: string): OctetParser<void> {
  const rest = yield 'rest';
  if (rest.readUInt32BE() > 0) {
    throw new DocumentRefused(`The file continues after the end of the ${kind} picture. Export it again.`);
  }
}

/** PNG (ISO/IEC 15948 §5). */
export function* readPng(): OctetParser<void> {
  yield { skip: 8 };
  for (let isFirst = true, hasImage = false; ; isFirst = false) {
    const head = yield { take: 8 };
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (isFirst !== (type === 'IHDR') || length > 0x7fff_ffff) throw broken('PNG');
    if (type === 'IHDR') {
      const size = yield { take: 8 };
      checkPixels(size.readUInt32BE(0), size.readUInt32BE(4));
      yield { skip: length - 8 + 4 };
      continue;
    }
    hasImage ||= type === 'IDAT' && length > 0;
    yield { skip: length + 4 };
    if (type !== 'IEND') continue;
    if (!hasImage) throw new DocumentRefused('The picture is empty: it has no image data.');
    return yield* endOfPicture('PNG');
  }
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** JPEG (ITU-T T.81 annex B). Phones append films and further pictures: data after its end alone is no reason to refuse. */
export function* readJpeg(): OctetParser<void> {
  yield { skip: 2 };
  let hasFrame = false;
  for (;;) {
    yield { skipTo: 0xff };
    let [marker] = yield { take: 1 };
    // Fill octets.
    while (marker === 0xff) [marker] = yield { take: 1 };
    if (marker === 0x00 || isAlone(marker!)) continue;
    if (marker === 0xd9) {
      if (!hasFrame) throw new DocumentRefused('The picture is empty: it has no image data.');
      yield 'rest';
      return;
    }
    const length = (yield { take: 2 }).readUInt16BE();
    if (length < 2) throw broken('JPEG');
    if (!isFrame(marker!)) {
      yield { skip: length - 2 };
      continue;
    }
    if (length < 8) throw broken('JPEG');
    const frame = yield { take: 5 };
    checkPixels(frame.readUInt16BE(3), frame.readUInt16BE(1));
    hasFrame = true;
    yield { skip: length - 7 };
  }
}

const tableOctets = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function* skipSubBlocks(): OctetParser<void> {
  for (;;) {
    const [length] = yield { take: 1 };
    if (length === 0) return;
    yield { skip: length! };
  }
}

/** GIF (GIF89a §18 to §27). All frames count together. */
export function* readGif(): OctetParser<void> {
  yield { skip: 6 };
  const screen = yield { take: 7 };
  checkPixels(screen.readUInt16LE(0), screen.readUInt16LE(2));
  yield { skip: tableOctets(screen[4]!) };
  let pixels = 0;
  for (;;) {
    const [block] = yield { take: 1 };
    if (block === 0x3b) {
      if (pixels === 0) throw new DocumentRefused('The picture is empty: it has no image data.');
      return yield* endOfPicture('GIF');
    }
    if (block === 0x21) {
      yield { skip: 1 };
    } else if (block === 0x2c) {
      const frame = yield { take: 9 };
      pixels += frame.readUInt16LE(4) * frame.readUInt16LE(6);
      checkPixels(pixels, 1);
      yield { skip: tableOctets(frame[8]!) + 1 };
    } else {
      throw broken('GIF');
    }
    yield* skipSubBlocks();
  }
}

/** WebP (RFC 9649 §2). */
export function* readWebp(): OctetParser<void> {
  const head = yield { take: 12 };
  let left = head.readUInt32LE(4) - 4;
  let hasImage = false;
  let pixels = 0;
  while (left >= 8) {
    const chunk = yield { take: 8 };
    const type = chunk.toString('latin1', 0, 4);
    const size = chunk.readUInt32LE(4);
    const padded = size + (size % 2);
    const wanted = { 'VP8 ': 10, VP8L: 5, VP8X: 10, ANMF: 16 }[type] ?? 0;
    if (size < wanted || padded > left - 8) throw broken('WebP');
    const octets = wanted === 0 ? undefined : yield { take: wanted };
    if (octets !== undefined) {
      const [width, height] = webpSize(type, octets);
      checkPixels(width, height);
      if (type === 'ANMF') pixels += width * height;
      if (pixels > 0) checkPixels(pixels, 1);
      hasImage ||= type !== 'VP8X';
    }
    yield { skip: padded - wanted };
    left -= 8 + padded;
  }
  if (!hasImage) throw new DocumentRefused('The picture is empty: it has no image data.');
  return yield* endOfPicture('WebP');
}

function webpSize(type: string, octets: Buffer): [width: number, height: number] {
  switch (type) {
    case 'VP8 ':
      return [octets.readUInt16LE(6) & 0x3fff, octets.readUInt16LE(8) & 0x3fff];
    case 'VP8L': {
      const bits = octets.readUInt32LE(1);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8X':
      return [octets.readUIntLE(4, 3) + 1, octets.readUIntLE(7, 3) + 1];
    default:
      return [octets.readUIntLE(6, 3) + 1, octets.readUIntLE(9, 3) + 1];
  }
}
