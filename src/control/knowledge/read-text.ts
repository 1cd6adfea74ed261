import { detectLanguage, searchText } from './language.js';
import { type Passage, splitPassages } from './passages.js';
import { maximumPassages } from './postings.js';

/** A text as it is stored and indexed. */
export interface ReadText {
  readonly language: string;
  readonly passages: readonly IndexedPassage[];
}

export interface IndexedPassage extends Passage {
  /** What the passage is found by: also the titles above it. */
  readonly indexed: string;
}

/** To be used in a worker thread: a megabyte takes up to some seconds. */
export const readText = (text: string): ReadText => ({
  language: detectLanguage(text),
  passages: splitPassages(text)
    .slice(0, maximumPassages)
    .map((passage) => ({ ...passage, indexed: searchText(`${passage.heading}\n${passage.content}`) })),
});
