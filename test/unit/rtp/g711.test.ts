import { describe, expect, it } from 'vitest';
import { decode, encodeALaw, encodeMuLaw } from '../../../src/rtp/g711.js';

/** ITU-T G.711 decoders, written from the recommendation's tables, independent of the encoders. */
function decodeMuLaw(octet: number): number {
  const value = ~octet & 0xff;
  const magnitude = (((value & 0x0f) << 3) + 0x84) << ((value & 0x70) >> 4);
  return (value & 0x80) !== 0 ? 0x84 - magnitude : magnitude - 0x84;
}

function decodeALaw(octet: number): number {
  const value = octet ^ 0x55;
  const segment = (value & 0x70) >> 4;
  let magnitude = ((value & 0x0f) << 4) + 8;
  if (segment > 0) magnitude = (magnitude + 0x100) << (segment - 1);
  return (value & 0x80) !== 0 ? magnitude : -magnitude;
}

describe.each([
  ['PCMU', encodeMuLaw, decodeMuLaw],
  ['PCMA', encodeALaw, decodeALaw],
] as const)('%s', (name, encode, decodeOne) => {
  it('reproduces every octet', () => {
    for (let octet = 0; octet < 256; octet++) {
      const again = decodeOne(encode(decodeOne(octet)));
      expect(again, `octet ${octet}`).toBe(decodeOne(octet));
    }
  });

  it('decodes every octet as the recommendation says', () => {
    const octets = Uint8Array.from({ length: 256 }, (_, octet) => octet);
    expect([...decode(name, octets)]).toEqual([...octets].map(decodeOne));
  });

  it('is within 1/16 of the sample, or 16', () => {
    for (let sample = -32_768; sample <= 32_767; sample += 7) {
      const error = Math.abs(decodeOne(encode(sample)) - Math.max(-32_124, Math.min(32_124, sample)));
      expect(error, `sample ${sample}`).toBeLessThanOrEqual(Math.max(16, Math.abs(sample) / 16));
    }
  });
});

it('silence is 0xff and 0xd5', () => {
  expect(encodeMuLaw(0)).toBe(0xff);
  expect(encodeALaw(0)).toBe(0xd5);
});
