import { describe, expect, test } from 'vitest';
import { decodeSound } from '../../../src/media-stream/sounds/decode-sound.js';
import { decode, encode } from '../../../src/rtp/g711.js';

/** A WAV of 16-bit linear samples. */
function wave(samples: readonly number[], rate = 8_000, channels = 1): Buffer {
  const data = Buffer.alloc(2 * samples.length);
  for (const [at, sample] of samples.entries()) data.writeInt16LE(sample, 2 * at);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** A tone of 400 Hz. */
const tone = (count: number, rate: number): number[] =>
  Array.from({ length: count }, (_each, at) => Math.round(8_000 * Math.sin((2 * Math.PI * 400 * at) / rate)));
const loudness = (octets: Buffer): number =>
  Math.sqrt([...decode('PCMU', octets)].reduce((sum, each) => sum + each * each, 0) / octets.length);

describe('a sound for a caller', () => {
  const octets = Buffer.from(Array.from({ length: 80 }, (_each, at) => at));

  test('in μ-law stays as it is, or becomes A-law', async () => {
    expect(await decodeSound({ octets, type: 'audio/basic' }, 'PCMU', 1_000)).toEqual(octets);
    const resampled = await decodeSound({ octets, type: 'audio/pcmu' }, 'PCMA', 1_000);
    expect(resampled).toEqual(encode('PCMA', decode('PCMU', octets)));
  });

  test.each([8_000, 16_000, 24_000, 44_100, 48_000])(
    'in a WAV of %i Hz has its length and loudness',
    async (rate) => {
      const file = { octets: wave(tone(rate, rate), rate), type: 'audio/wav' };
      const sound = await decodeSound(file, 'PCMU', 1_000);
      expect(Math.abs(sound.length - 8_000)).toBeLessThanOrEqual(8);
      expect(loudness(sound)).toBeGreaterThan(5_000);
      expect(loudness(sound)).toBeLessThan(6_000);
    },
  );

  test('is as long as its samples of one channel', async () => {
    const stereo = wave(tone(1_600, 8_000), 8_000, 2);
    const sound = await decodeSound({ octets: stereo, type: 'audio/wav' }, 'PCMU', 100);
    expect(sound).toHaveLength(800);
  });

  test.each([
    ['longer than the bound', wave(tone(801, 8_000)), 'audio/wav', 'longer than 0.1 s'],
    ['longer μ-law', Buffer.alloc(801), 'audio/basic', 'longer than 0.1 s'],
    ['of an unknown kind', Buffer.alloc(80), 'audio/mpeg', 'neither WAV'],
  ])('is refused when it is %s', async (_what, file, type, text) => {
    await expect(decodeSound({ octets: file, type }, 'PCMU', 100)).rejects.toThrow(text);
  });
});
