import type { JSX } from 'preact';
import type { CallDetail } from '../api/calls.js';
import { duration, milliseconds } from '../parts/format.js';

interface Phase {
  readonly name: string;
  readonly kind: 'setup' | 'ringing' | 'talk';
  readonly milliseconds: number;
}

/** What the call spent its time with. */
export function phasesOf(
  call: Pick<CallDetail, 'started_at' | 'ringing_at' | 'answered_at' | 'ended_at'>,
): readonly Phase[] {
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

export function Phases({ call }: { call: CallDetail }): JSX.Element {
  const phases = phasesOf(call);
  const total = phases.reduce((sum, phase) => sum + phase.milliseconds, 0);
  return (
    <ol class="phases" aria-label="Phases of the call">
      {phases.map((phase) => (
        <li
          key={phase.kind}
          class={phase.kind}
          // A short phase must stay wide enough to read.
          style={{ flexGrow: total === 0 ? 1 : Math.max(0.02, phase.milliseconds / total) }}
        >
          <span class="phase-bar" />
          <span class="phase-name">{phase.name}</span>{' '}
          <span class="figure">
            {phase.milliseconds < 10_000
              ? milliseconds(phase.milliseconds)
              : duration(phase.milliseconds / 1_000)}
          </span>
        </li>
      ))}
    </ol>
  );
}
