/** How long a call waits for what other edges return, in steps: they answer within a round trip, or do not run. */
export const recallWaits: readonly number[] = [2, 4, 8, 16, 32, 64];
