/** Calls of a stretch of time, and how many of them the trunk, the caller's PBX or the agent made fail. */
export interface CallShare {
  readonly calls: number;
  readonly failed: number;
}

/** `failing`: half of the calls or more fail. `degraded`: a fifth, or far more than usual. `quiet`: too few calls to say. */
export const callStates = ['failing', 'degraded', 'working', 'quiet'] as const;
export type CallState = (typeof callStates)[number];

/** One failed call of two says nothing. */
const leastCalls = 5;
const leastFailures = 2;
const failingShare = 0.5;
const degradedShare = 0.2;
/** Times the day's share: a service that fails one call in twenty has a problem when it fails one in ten. */
const unusualFactor = 2;

const shareOf = ({ calls, failed }: CallShare): number => (calls === 0 ? 0 : failed / calls);

/**
 * The state of recent calls. What happened a moment ago decides: an hour of good calls must not hide that all calls fail now.
 * @param spans from the shortest to the longest that may decide
 * @param day all calls of a day, for comparison; undefined: none known
 * @returns the state, and the index of the span that decided; -1 when none has enough calls
 */
export function stateOfCalls(
  spans: readonly CallShare[],
  day?: CallShare,
): { readonly state: CallState; readonly span: number } {
  const span = spans.findIndex(({ calls }) => calls >= leastCalls);
  const decisive = spans[span];
  if (decisive === undefined) return { state: 'quiet', span: -1 };
  if (decisive.failed < leastFailures) return { state: 'working', span };
  const share = shareOf(decisive);
  if (share >= failingShare) return { state: 'failing', span };
  if (share >= degradedShare) return { state: 'degraded', span };
  // The day holds the recent calls too: compared are the calls before them.
  const before =
    day === undefined
      ? undefined
      : { calls: day.calls - decisive.calls, failed: day.failed - decisive.failed };
  const isUnusual =
    before !== undefined && before.calls >= leastCalls && share >= unusualFactor * shareOf(before);
  return { state: isUnusual ? 'degraded' : 'working', span };
}
