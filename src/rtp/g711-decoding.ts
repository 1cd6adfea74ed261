/** ITU-T G.711: from octets to 16-bit linear samples. Runs in browsers, too. */

export type G711 = 'PCMU' | 'PCMA';

export const sampleRate = 8_000;

/** What μ-law adds to a magnitude. */
export const bias = 0x84;

function decodeMuLaw(octet: number): number {
  const value = ~octet & 0xff;
  const magnitude = (((value & 0x0f) << 3) + bias) << ((value & 0x70) >> 4);
  return (value & 0x80) === 0 ? magnitude - bias : bias - magnitude;
}

function decodeALaw(octet: number): number {
  const value = octet ^ 0x55;
  const segment = (value & 0x70) >> 4;
  const low = ((value & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? low : (low + 0x100) << (segment - 1);
  return (value & 0x80) === 0 ? -magnitude : magnitude;
}

const tableOf = (decode: (octet: number) => number): Int16Array =>
  Int16Array.from({ length: 256 }, (_, octet) => decode(octet));
const tables = { PCMU: tableOf(decodeMuLaw), PCMA: tableOf(decodeALaw) } as const;

/** The 16-bit linear sample of each octet. */
export const decodingTable = (codec: G711): Int16Array => tables[codec];
