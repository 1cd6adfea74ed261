import type { CallMedia } from '../../api/calls.js';

/** Grace time for the first packets after the answer; a side that sent none by then is silent. */
const patienceMilliseconds = 3_000;
/** A caller who hears nothing hangs up soon, so silence in a completed call counts from this duration. */
const shortestMilliseconds = 1_000;

interface Talk {
  readonly isEnded: boolean;
  /** Milliseconds since the answer; 0 when the call was not answered. */
  readonly talked: number;
}

/** The side that should have sent audio and did not; undefined when audio arrived or was not due. */
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
