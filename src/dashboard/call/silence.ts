import type { CallMedia } from '../api/calls.js';

/** Packets may take that long after the answer: a side whose first ones are missing then is silent. */
const patienceMilliseconds = 3_000;
/** Whoever hears nothing hangs up soon: silence of a call that has ended counts from here on. */
const shortestMilliseconds = 1_000;

interface Talk {
  readonly isEnded: boolean;
  /** Milliseconds since the answer; 0: nobody answered. */
  readonly talked: number;
}

/** From which side audio was due and none came; undefined: none was due, or it came. */
export function silentSides(
  { trunk, agent }: CallMedia['rtp'],
  { isEnded, talked }: Talk,
): 'trunk' | 'agent' | 'both' | undefined {
  if (talked < (isEnded ? shortestMilliseconds : patienceMilliseconds)) return undefined;
  const isTrunkSilent = trunk?.packets_received === 0;
  const isAgentSilent = agent?.packets_received === 0;
  if (isTrunkSilent && isAgentSilent) return 'both';
  return isTrunkSilent ? 'trunk' : isAgentSilent ? 'agent' : undefined;
}
