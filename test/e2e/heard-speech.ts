import type { Sound } from '../../dev/softphone/wav.js';

const rate = 8_000;
/** A quarter of a second: several phonemes, so that no other place sounds the same. */
const pieceSamples = 2_000;
/** Buffers on the way may add or drop this much. */
const slipSamples = 800;
/** G.711 leaves 0.99 of the same speech; of other speech less than half. */
const sameSpeech = 0.9;

/** Share of the expected speech, in pieces of a quarter of a second, that was heard in its order and at its time. @param expected at 8000 Hz */
export function shareOfSpeech(heard: Sound, expected: Int16Array): number {
  if (heard.rate !== rate) throw new Error(`The recording is at ${heard.rate} Hz.`);
  const pieces: { readonly at: number; readonly samples: Float32Array }[] = [];
  for (let at = 0; at + pieceSamples <= expected.length; at += pieceSamples) {
    const samples = Float32Array.from(expected.subarray(at, at + pieceSamples));
    if (energyOf(samples) / pieceSamples > 100 ** 2) pieces.push({ at, samples });
  }
  let best = 0;
  // Where the first pieces were heard, all others must follow.
  for (const first of pieces.slice(0, 3)) {
    const found = findPiece(heard.samples, first.samples, 0, heard.samples.length);
    if (found.similarity < sameSpeech) continue;
    let begin = found.at - first.at;
    const count = pieces.filter(({ at, samples }) => {
      const from = begin + at - slipSamples;
      const next = findPiece(heard.samples, samples, from, from + 2 * slipSamples);
      if (next.similarity < sameSpeech) return false;
      // A stall of a busy machine moves all that follows.
      begin = next.at - at;
      return true;
    }).length;
    best = Math.max(best, count / pieces.length);
  }
  return best;
}

const energyOf = (samples: Float32Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0);

/** Where a piece is most similar, by normalized correlation (1: the same). */
function findPiece(
  heard: Float32Array,
  piece: Float32Array,
  from: number,
  to: number,
): { readonly at: number; readonly similarity: number } {
  const ownEnergy = energyOf(piece);
  let best = { at: 0, similarity: 0 };
  for (let at = Math.max(0, from); at <= Math.min(to, heard.length - piece.length); at++) {
    let product = 0;
    let energy = 0;
    for (let index = 0; index < piece.length; index++) {
      const sample = heard[at + index]!;
      product += sample * piece[index]!;
      energy += sample * sample;
    }
    const similarity = energy === 0 ? 0 : product / Math.sqrt(energy * ownEnergy);
    if (similarity > best.similarity) best = { at, similarity };
  }
  return best;
}
