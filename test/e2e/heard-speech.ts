import type { Sound } from '../../dev/softphone/wav.js';
import { similarities } from '../support/similarity.js';

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

/** Where a piece is most similar. */
function findPiece(
  heard: Float32Array,
  piece: Float32Array,
  from: number,
  to: number,
): { readonly at: number; readonly similarity: number } {
  const first = Math.max(0, from);
  const count = Math.min(to, heard.length - piece.length) - first + 1;
  if (count <= 0) return { at: 0, similarity: 0 };
  const found = similarities(heard, piece, first, count);
  const similarity = found.reduce((most, each) => Math.max(most, each), 0);
  return { at: first + found.indexOf(similarity), similarity };
}
