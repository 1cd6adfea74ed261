import type { Search } from './search.js';

/** A search with the name that its user gave it. */
export interface SavedSearch {
  readonly name: string;
  readonly search: Search;
}

export const mostSaved = 20;
const longestName = 60;

/** What a browser has stored; another version or another program may have written it. */
export function readSaved(text: string | null): readonly SavedSearch[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(stored) ? stored.filter(isSaved).slice(0, mostSaved) : [];
}

function isSaved(value: unknown): value is SavedSearch {
  const { name, search } = (value ?? {}) as Partial<SavedSearch>;
  return (
    typeof name === 'string' &&
    typeof search === 'object' &&
    search !== null &&
    Object.values(search).every((text) => typeof text === 'string')
  );
}

/** What is kept of a search: not the page of its list. */
export const toSave = ({ before: _, ...search }: Search): Search => search;

/** With the search under that name, the newest first; it replaces another one of the name. */
export function withSaved(
  saved: readonly SavedSearch[],
  name: string,
  search: Search,
): readonly SavedSearch[] {
  const wanted = name.trim().slice(0, longestName);
  if (wanted === '') return saved;
  return [{ name: wanted, search: toSave(search) }, ...withoutSaved(saved, wanted)].slice(0, mostSaved);
}

export const withoutSaved = (saved: readonly SavedSearch[], name: string): readonly SavedSearch[] =>
  saved.filter((search) => search.name !== name);

/** `1,204 calls`, `more than 10,000 calls`. */
export const totalText = ({
  calls,
  is_complete,
}: {
  readonly calls: number;
  readonly is_complete: boolean;
}): string =>
  `${is_complete ? '' : 'more than '}${calls.toLocaleString('en-US')} call${calls === 1 ? '' : 's'}`;
