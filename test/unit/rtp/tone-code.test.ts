import { expect, it } from 'vitest';
import { decode, encode } from '../../../src/rtp/g711.js';
import { decodeTones, encodeTones } from '../../../src/rtp/tone-code.js';

const text = 'Hello, what are your hours? ~0123456789{}';

it.each(['PCMU', 'PCMA'] as const)('is exact through %s, at any beginning', (codec) => {
  const code = encodeTones(text);
  expect((code.length * 1_000) / 8_000).toBe(120 * text.length);
  for (const lead of [0, 37, 111, 800]) {
    const samples = new Int16Array(lead + code.length + 1_000);
    samples.set(code, lead);
    expect(decodeTones(decode(codec, encode(codec, samples))), `lead ${lead}`).toBe(text);
  }
});

it('reads no text from speech, noise, silence, a steady tone or half of a code', () => {
  const sine = Int16Array.from({ length: 8_000 }, (_, index) => 5_000 * Math.sin(index / 3));
  const noise = Int16Array.from({ length: 8_000 }, (_, index) => ((index * 7_919) % 8_000) - 4_000);
  const half = encodeTones('HI').subarray(0, 600);
  for (const samples of [sine, noise, new Int16Array(8_000), half])
    expect(decodeTones(samples)).toBeUndefined();
});

it.each([0, 40])(
  'reads words whose sender stalls between two packets, after %i samples of silence',
  (lead) => {
    const said = encodeTones('HELLO THERE');
    const pause = new Int16Array(2_400);
    for (let at = 160; at < said.length; at += 160) {
      const parts = [new Int16Array(lead), said.subarray(0, at), pause, said.subarray(at)];
      expect(decodeTones(Int16Array.from(parts.flatMap((part) => [...part]))), `after ${at} samples`).toBe(
        'HELLO THERE',
      );
    }
  },
);
