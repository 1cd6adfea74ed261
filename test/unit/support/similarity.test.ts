import { expect, it } from 'vitest';
import { seededRandom } from '../../../src/base/seeded-random.js';
import { similarities } from '../../support/similarity.js';

const random = seededRandom(1);
const noise = (count: number): Int16Array =>
  Int16Array.from({ length: count }, () => 20_000 * (random() - 0.5));

/** By the definition. */
function similarity(recording: Int16Array, piece: Int16Array, from: number): number {
  let [product, energy, ownEnergy] = [0, 0, 0];
  for (const [index, sample] of piece.entries()) {
    const heard = recording[from + index] ?? 0;
    product += heard * sample;
    energy += heard * heard;
    ownEnergy += sample * sample;
  }
  return energy === 0 ? 0 : product / Math.sqrt(energy * ownEnergy);
}

it('returns the normalized correlation at each place, also beyond the begin and the end', () => {
  const recording = noise(300);
  const piece = recording.slice(100, 150);
  const found = similarities(recording, piece, -60, 400);
  for (const [index, value] of found.entries())
    expect(value).toBeCloseTo(similarity(recording, piece, index - 60), 9);
  expect(found.indexOf(Math.max(...found))).toBe(160);
});

it('finds nothing in silence', () => {
  const recording = new Float32Array(200);
  recording.set(Float32Array.from(noise(50), (sample) => sample / 32_768));
  expect(similarities(recording, noise(20), 50, 131)).toEqual(new Float64Array(131));
});
