import type { LegCallIds, Trace } from '../trace/trace-collector.js';
import type { Call } from './call.js';

/** The call's messages for its record; see `TraceCollector.take`. */
export const takeTrace = (call: Call): Promise<Trace> => call.deps.traces.take(...legsOf(call));

/** The call's messages so far; the collector keeps them. */
export const peekTrace = (call: Call): Trace => call.deps.traces.peek(...legsOf(call));

/** Both legs, earlier attempts, new parties, and agents of a group that rang as well. */
export function legsOf({ state }: Call): LegCallIds[] {
  const { trunkSipCallId: trunk, agentSipCallId: agent, earlierTrunkSipCallIds: earlier } = state;
  return [
    { trunk, agent },
    ...earlier.map((each) => ({ trunk: each, agent: null })),
    ...state.otherAgentSipCallIds.map((each) => ({ trunk: null, agent: each })),
  ];
}
