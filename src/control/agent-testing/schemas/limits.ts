/** Turns of the caller in one conversation. */
export const largestMaximumTurns = 50;
