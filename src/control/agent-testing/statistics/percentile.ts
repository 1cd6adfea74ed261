/**
 * Nearest rank; null: no values.
 * @param rank 0–1
 */
export function percentile(values: readonly number[], rank: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? null;
}
