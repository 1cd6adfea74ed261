/** ITU-T G.711 companding of 16-bit linear samples, and the tone the agent plays. */

export type G711 = 'PCMU' | 'PCMA';

const sampleRate = 8_000;
/** 20 ms, the default packet time (RFC 3551 §4.2). */
export const samplesPerPacket = 160;

const bias = 0x84;
const muLawClip = 32_635;

export function encodeMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), muLawClip) + bias;
  let exponent = 7;
  for (let mask = 0x4000; (magnitude & mask) === 0 && exponent > 0; mask >>= 1) exponent--;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

export function encodeALaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  const magnitude = Math.min(sample >= 0 ? sample : -sample - 1, 32_767);
  let exponent = 7;
  for (let mask = 0x4000; (magnitude & mask) === 0 && exponent > 0; mask >>= 1) exponent--;
  const mantissa = exponent === 0 ? magnitude >> 4 : magnitude >> (exponent + 3);
  return (sign | (exponent << 4) | (mantissa & 0x0f)) ^ 0x55;
}

const encoders = { PCMU: encodeMuLaw, PCMA: encodeALaw } as const;

/** The agent's greeting, and its answers to a question: a passage was found, or none. */
export const tones = { greeting: 440, found: 880, nothing: 220 } as const;
export type Tone = keyof typeof tones;
/** A quarter of full scale: clearly audible, far from clipping. */
const amplitude = 8_000;
/** 11 periods of 440 Hz, 22 of 880 and 11 of 220 are 200, 200 and 400 samples; with 160 per packet the pattern repeats after 800. */
const patternLength = 800;

function makeTone(codec: G711, hertz: number): readonly Buffer[] {
  const encode = encoders[codec];
  const pattern = Buffer.allocUnsafe(patternLength);
  for (let i = 0; i < patternLength; i++) {
    pattern[i] = encode(Math.round(amplitude * Math.sin((2 * Math.PI * hertz * i) / sampleRate)));
  }
  const packets: Buffer[] = [];
  for (let at = 0; at < patternLength; at += samplesPerPacket) {
    packets.push(pattern.subarray(at, at + samplesPerPacket));
  }
  return packets;
}

const inBothLaws = (hertz: number): Readonly<Record<G711, readonly Buffer[]>> => ({
  PCMU: makeTone('PCMU', hertz),
  PCMA: makeTone('PCMA', hertz),
});

/** The endless tones as packets; playing the first after the last causes no click. */
export const tonePackets: Readonly<Record<Tone, Readonly<Record<G711, readonly Buffer[]>>>> = {
  greeting: inBothLaws(tones.greeting),
  found: inBothLaws(tones.found),
  nothing: inBothLaws(tones.nothing),
};
