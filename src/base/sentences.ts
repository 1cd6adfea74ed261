const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
/** The segmenter takes quadratic time for texts without sentence ends. */
const segmentedCharacters = 20_000;

/** The sentences of a line, in any language. */
export function sentencesOf(line: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < line.length; at += segmentedCharacters) {
    for (const { segment } of sentences.segment(line.slice(at, at + segmentedCharacters)))
      if (segment.trim() !== '') found.push(segment.trim());
  }
  return found;
}
