export interface Backoff {
  /** Milliseconds after the first failure. */
  readonly first: number;
  /** The delay is doubled with each failure up to this one. */
  readonly longest: number;
  /** Share of the delay that is left to chance, 0 to 1, so that many clients do not retry at the same moment. Default 0. */
  readonly jitter?: number;
}

/**
 * Milliseconds until the next attempt.
 * @param failures in a row, from 1
 * @param random 0 to 1
 */
export function backoff(
  { first, longest, jitter = 0 }: Backoff,
  failures: number,
  random = Math.random(),
): number {
  const full = Math.min(longest, first * 2 ** Math.max(0, failures - 1));
  return full * (1 - jitter + jitter * random);
}
