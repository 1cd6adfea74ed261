import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { configurationOf, searchText } from './language.js';
import { postingOctets, readPostings } from './postings.js';
import type { Scope } from './scope.js';

/** A passage that a search found, by its base and position. */
export interface Hit {
  readonly baseKey: number;
  readonly position: number;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

/** Okapi BM25: how soon repetition stops counting, and how much long passages are held back. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** A question has fewer words; more are not a question. */
const maximumWords = 64;
/** Above so many bases it is quicker to read what a word has in the whole organization. */
const fewBases = 50;

/**
 * The words of a question with all their postings in the scope, `base key, octets, postings` for each base.
 * Its rows are found by the key (organization, language, word, base).
 */
export const postingsQuery = (
  { organizationKey, bases }: Scope,
  languages: readonly string[],
  question: string,
) => sql<{ language: string; lexeme: string; postings: Buffer }>`
  select w.language, w.lexeme, p.postings from (
    select distinct g.language, l.lexeme
    from unnest(${languages}::text[], ${languages.map(configurationOf)}::text[]) as g (language, configuration),
      unnest(to_tsvector(g.configuration::regconfig, ${searchText(question)})) as l
    limit ${maximumWords}) w
  cross join lateral (
    select string_agg(int4send(k.base_key) || int4send(length(k.postings)) || k.postings, ''::bytea) as postings
    from knowledge_postings k
    where k.organization_key = ${organizationKey} and k.language = w.language and k.lexeme = w.lexeme
      ${bases.length > fewBases ? sql`` : sql`and k.base_key = any(${bases.map(({ baseKey }) => baseKey)}::int[])`}) p
  where p.postings is not null`;

/** The passages with the words of the question, best first, ranked by Okapi BM25 over the scope. */
export async function searchWords(
  database: Kysely<Database>,
  scope: Scope,
  question: string,
  limit: number,
): Promise<Hit[]> {
  const languages = [...new Set(scope.bases.map(({ language }) => language))];
  if (languages.length === 0) return [];
  const { rows } = await postingsQuery(scope, languages, question).execute(database);
  return rankPassages(
    scope,
    rows.map(({ postings }) => postings),
    limit,
  );
}

/** @param words of each word the postings as `postingsQuery` returns them */
export function rankPassages({ bases }: Scope, words: readonly Buffer[], limit: number): Hit[] {
  // All passages of the scope in one row of numbers: a search touches a hundred thousand of them.
  const starts = new Map<number, number>();
  let passages = 0;
  let total = 0;
  for (const base of bases) {
    starts.set(base.baseKey, passages);
    passages += base.passages;
    total += base.words;
  }
  const mean = Math.max(1, total / Math.max(1, passages));
  const scores = new Float32Array(passages);
  for (const postings of words) {
    const weight = rarity(passages, countIn(postings, starts));
    eachBase(postings, (baseKey, from, end) => {
      const start = starts.get(baseKey);
      if (start === undefined) return;
      readPostings(postings, from, end, (position, count, length) => {
        const dampened = saturation * (1 - lengthWeight + (lengthWeight * length) / mean);
        const at = start + position;
        scores[at] = scores[at]! + (weight * count * (saturation + 1)) / (count + dampened);
      });
    });
  }
  return best(scores, limit).map(([at, score]) => {
    const base = bases[lastAtOrBelow(bases, starts, at)]!;
    return { baseKey: base.baseKey, position: at - starts.get(base.baseKey)!, score };
  });
}

/** Inverse document frequency: how much a word tells that so many of the passages have. */
const rarity = (passages: number, having: number): number =>
  Math.log(1 + (passages - having + 0.5) / (having + 0.5));

function countIn(postings: Buffer, starts: ReadonlyMap<number, number>): number {
  let count = 0;
  eachBase(postings, (baseKey, from, end) => {
    if (starts.has(baseKey)) count += (end - from) / postingOctets;
  });
  return count;
}

function eachBase(postings: Buffer, visit: (baseKey: number, from: number, end: number) => void): void {
  for (let at = 0; at < postings.length; ) {
    const octets = postings.readInt32BE(at + 4);
    visit(postings.readInt32BE(at), at + 8, at + 8 + octets);
    at += 8 + octets;
  }
}

/** The places with the highest scores above 0, best first. */
function best(scores: Float32Array, limit: number): [at: number, score: number][] {
  const top: [number, number][] = [];
  let least = 0;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!;
    if (score <= least) continue;
    top.push([at, score]);
    if (top.length < 4 * limit) continue;
    top.sort((left, right) => right[1] - left[1]);
    top.length = limit;
    least = top.at(-1)![1];
  }
  return top.sort((left, right) => right[1] - left[1]).slice(0, limit);
}

function lastAtOrBelow(bases: Scope['bases'], starts: ReadonlyMap<number, number>, at: number): number {
  let low = 0;
  let high = bases.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts.get(bases[middle]!.baseKey)! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
