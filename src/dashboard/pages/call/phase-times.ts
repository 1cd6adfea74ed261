import type { EndedCall } from '../../api/calls.js';

export interface Phase {
  readonly name: string;
  readonly kind: 'setup' | 'ringing' | 'talk';
  readonly milliseconds: number;
}

/** For an active call `ended_at` is now. */
export type TimedCall = Pick<EndedCall, 'started_at' | 'ringing_at' | 'answered_at' | 'ended_at'>;

/** Duration of each phase of the call. */
export function phasesOf(call: TimedCall): readonly Phase[] {
  const start = Date.parse(call.started_at);
  const end = Date.parse(call.ended_at);
  const ringing = call.ringing_at === null ? undefined : Date.parse(call.ringing_at);
  const answer = call.answered_at === null ? undefined : Date.parse(call.answered_at);
  const isRingingFirst = ringing !== undefined && (answer === undefined || ringing <= answer);
  const setupEnd = isRingingFirst ? ringing : (answer ?? end);
  const phases: Phase[] = [{ name: 'Setting up', kind: 'setup', milliseconds: setupEnd - start }];
  if (isRingingFirst)
    phases.push({ name: 'Ringing', kind: 'ringing', milliseconds: (answer ?? end) - ringing });
  if (answer !== undefined) phases.push({ name: 'Conversation', kind: 'talk', milliseconds: end - answer });
  return phases;
}
