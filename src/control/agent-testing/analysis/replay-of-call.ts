import { largestMaximumTurns } from '../schemas/limits.js';
import type { CallWords } from './strip-worker.js';

/** Of one scenario (`scenarioCreation`). */
export const maximumLines = 200;

/** Its name, by which a call is not taken twice. */
export const replayName = (callId: string): string => `Call ${callId}`.slice(0, 200);

/** The fields of a scenario whose caller says what the caller of a real call said, of which nothing personal is left. */
export function replayOf(callId: string, { chat, requestData }: CallWords) {
  const lines = chat.slice(0, maximumLines);
  const turns = lines.filter(({ role }) => role === 'user').length;
  return {
    name: replayName(callId),
    scenario_type: 'REPLAY' as const,
    max_turns: Math.min(largestMaximumTurns, Math.max(1, turns)),
    request_data: requestData,
    input_messages: lines,
  };
}
