import { encode, type G711, sampleRate, samplesPerPacket } from '../../src/rtp/g711.js';

/** The agent's greeting, and its answers to a question: a passage was found, or none. */
export const tones = { greeting: 440, found: 880, nothing: 220 } as const;
export type Tone = keyof typeof tones;
/** A quarter of full scale: clearly audible, far from clipping. */
const amplitude = 8_000;
/** 11 periods of 440 Hz, 22 of 880 and 11 of 220 are 200, 200 and 400 samples; with 160 per packet the pattern repeats after 800. */
const patternLength = 800;

function makeTone(codec: G711, hertz: number): readonly Buffer[] {
  const sine = Int16Array.from({ length: patternLength }, (_, index) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * index) / sampleRate)),
  );
  const pattern = encode(codec, sine);
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
