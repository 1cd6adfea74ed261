import { createHash } from 'node:crypto';

/** Words count more than the pieces that related words share. */
const wordWeight = 1;
const pieceWeight = 0.35;
const pieceLength = 4;

/**
 * A deterministic stand-in for an embedding: words and their pieces of four characters, hashed into the dimensions with a
 * sign. Texts with the same words, or with words of one stem, are near each other; synonyms are not.
 */
export function hashedEmbedding(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const counts = new Map<string, number>();
  const add = (feature: string, weight: number): void => {
    counts.set(feature, (counts.get(feature) ?? 0) + weight);
  };
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    add(word, wordWeight);
    const padded = `<${word}>`;
    for (let at = 0; at + pieceLength <= padded.length; at++)
      add(`#${padded.slice(at, at + pieceLength)}`, pieceWeight);
  }
  for (const [feature, weight] of counts) {
    const hash = createHash('sha1').update(feature).digest();
    const index = hash.readUInt32BE(0) % dimensions;
    const sign = (hash[4]! & 1) === 0 ? 1 : -1;
    vector[index] = vector[index]! + sign * Math.sqrt(weight);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((component) => Math.round((component / length) * 1e6) / 1e6);
}
