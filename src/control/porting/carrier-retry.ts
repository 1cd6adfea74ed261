const longestMilliseconds = 3_600_000;

/**
 * How long a request waits after a failure of the carrier: twice as long after each one, at least as long as the carrier asked, and an
 * hour at most.
 * @param failures in a row before this one
 */
export function retryWait({
  failures,
  firstMilliseconds,
  askedMilliseconds,
}: {
  readonly failures: number;
  readonly firstMilliseconds: number;
  readonly askedMilliseconds: number | undefined;
}): number {
  const doubled = firstMilliseconds * 2 ** Math.min(failures, 20);
  return Math.min(Math.max(doubled, askedMilliseconds ?? 0), longestMilliseconds);
}
