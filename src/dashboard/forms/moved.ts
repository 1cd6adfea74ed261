/** A copy with one entry at another place. */
export function moved<Entry>(entries: readonly Entry[], from: number, to: number): readonly Entry[] {
  const rest = entries.filter((_, at) => at !== from);
  return [...rest.slice(0, to), entries[from]!, ...rest.slice(to)];
}
