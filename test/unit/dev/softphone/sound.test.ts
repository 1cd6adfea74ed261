import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hearTone } from '../../../../dev/softphone/tone.js';
import { readWav, sineWav } from '../../../../dev/softphone/wav.js';
import { toneShare } from '../../../../src/rtp/tone-code.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demarc-sound-'));
  file = join(folder, 'sound.wav');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sine = (hertz: number, seconds: number, rate = 8_000, amplitude = 0.5): Float32Array =>
  Float32Array.from(
    { length: seconds * rate },
    (_, index) => amplitude * Math.sin((2 * Math.PI * hertz * index) / rate),
  );

const noise = (seconds: number, rate: number, amplitude: number): Float32Array => {
  let state = 1;
  return Float32Array.from({ length: seconds * rate }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return amplitude * ((2 * state) / 0x7fffffff - 1);
  });
};

const join2 = (...parts: Float32Array[]): Float32Array =>
  Float32Array.from(parts.flatMap((part) => [...part]));

describe('WAV files', () => {
  it('are read back as written', () => {
    writeFileSync(file, sineWav(440, 1, 16_000));
    const sound = readWav(file);
    expect(sound.rate).toBe(16_000);
    expect(sound.samples).toHaveLength(16_000);
    expect(toneShare(sound.samples, sound.rate, 440)).toBeGreaterThan(0.99);
  });

  it('are read as far as they go when the writer was killed, and channels are averaged', () => {
    const wav = sineWav(440, 1, 8_000);
    wav.writeUInt32LE(0, 40);
    writeFileSync(file, wav);
    expect(readWav(file).samples).toHaveLength(8_000);
    wav.writeUInt16LE(2, 22);
    wav.writeUInt32LE(0xffffff00, 40);
    writeFileSync(file, wav);
    expect(readWav(file).samples).toHaveLength(4_000);
  });

  it('are refused when they are something else', () => {
    writeFileSync(file, 'no sound at all, but long enough to have a header of 44 bytes');
    expect(() => readWav(file)).toThrow('no WAV');
    writeFileSync(file, sineWav(440, 1).subarray(0, 36));
    expect(() => readWav(file)).toThrow('no sound');
  });
});

describe('tone detection', () => {
  it('distinguishes a tone from its neighbours and from noise', () => {
    const window = sine(440, 0.05);
    expect(toneShare(window, 8_000, 440)).toBeGreaterThan(0.95);
    for (const absent of [350, 480, 880, 1_000]) expect(toneShare(window, 8_000, absent)).toBeLessThan(0.3);
    expect(toneShare(noise(1, 8_000, 0.5), 8_000, 440)).toBeLessThan(0.05);
    expect(toneShare(new Float32Array(400), 8_000, 440)).toBe(0);
  });

  it('measures how long and from when a tone is heard', () => {
    const samples = join2(new Float32Array(4_000), sine(440, 2), sine(1_000, 1));
    expect(hearTone({ samples, rate: 8_000 }, 440)).toEqual({
      seconds: expect.closeTo(2, 1),
      from: 0.5,
      gap: 0,
    });
    expect(hearTone({ samples, rate: 8_000 }, 1_000)).toEqual({
      seconds: expect.closeTo(1, 1),
      from: 2.5,
      gap: 0,
    });
  });

  it('measures the longest interruption of a tone', () => {
    const samples = join2(
      sine(440, 1),
      new Float32Array(800),
      sine(440, 1),
      new Float32Array(2_400),
      sine(440, 1),
    );
    expect(hearTone({ samples, rate: 8_000 }, 440).gap).toBeCloseTo(0.3, 1);
  });

  it('hears nothing in silence, in faint hum or under louder noise', () => {
    expect(hearTone({ samples: new Float32Array(8_000), rate: 8_000 }, 440)).toEqual({
      seconds: 0,
      from: undefined,
      gap: 0,
    });
    expect(hearTone({ samples: sine(440, 1, 8_000, 0.001), rate: 8_000 }, 440).seconds).toBe(0);
    const loud = noise(1, 8_000, 0.9).map(
      (value, index) => value + 0.1 * Math.sin((2 * Math.PI * 440 * index) / 8_000),
    );
    expect(hearTone({ samples: loud, rate: 8_000 }, 440).seconds).toBe(0);
  });
});
