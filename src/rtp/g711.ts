import { bias, decodingTable, type G711 } from './g711-decoding.js';

/** ITU-T G.711 companding of 16-bit linear samples. */

export { decodingTable, type G711, sampleRate } from './g711-decoding.js';

export const isG711 = (codec: string | null | undefined): codec is G711 =>
  codec === 'PCMU' || codec === 'PCMA';

/** 20 ms, the default packet time (RFC 3551 §4.2). */
export const samplesPerPacket = 160;
export const packetMilliseconds = 20;

const muLawClip = 32_635;

/** G.711 μ-law (table 2a). @param sample 16-bit linear */
export function encodeMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), muLawClip) + bias;
  let exponent = 7;
  for (let mask = 0x4000; (magnitude & mask) === 0 && exponent > 0; mask >>= 1) exponent--;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

/** G.711 A-law (table 1a). @param sample 16-bit linear */
export function encodeALaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  const magnitude = Math.min(sample >= 0 ? sample : -sample - 1, 32_767);
  let exponent = 7;
  for (let mask = 0x4000; (magnitude & mask) === 0 && exponent > 0; mask >>= 1) exponent--;
  const mantissa = exponent === 0 ? magnitude >> 4 : magnitude >> (exponent + 3);
  return (sign | (exponent << 4) | (mantissa & 0x0f)) ^ 0x55;
}

const encoders = { PCMU: encodeMuLaw, PCMA: encodeALaw } as const;

const encodings = new Map<G711, Uint8Array>();

/** The octet of each 16-bit linear sample, by its lower 16 bits: 64 KiB, made when it is first needed. */
export function encodingTable(codec: G711): Uint8Array {
  let table = encodings.get(codec);
  if (table === undefined) {
    const encoder = encoders[codec];
    table = Uint8Array.from({ length: 65_536 }, (_, bits) => encoder((bits << 16) >> 16));
    encodings.set(codec, table);
  }
  return table;
}

/** One octet a sample. @param samples 16-bit linear, 8000 Hz */
export function encode(codec: G711, samples: Int16Array): Buffer {
  const encoder = encoders[codec];
  const octets = Buffer.allocUnsafe(samples.length);
  for (let index = 0; index < samples.length; index++) octets[index] = encoder(samples[index]!);
  return octets;
}

/** 16-bit linear samples at 8000 Hz, one an octet. */
export function decode(codec: G711, octets: Uint8Array): Int16Array {
  const table = decodingTable(codec);
  const samples = new Int16Array(octets.length);
  for (let index = 0; index < octets.length; index++) samples[index] = table[octets[index]!]!;
  return samples;
}
