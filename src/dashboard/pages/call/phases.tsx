import type { JSX } from 'preact';
import { duration, milliseconds } from '../../parts/format.js';
import { phasesOf, type TimedCall } from './phase-times.js';

export function Phases({ call }: { call: TimedCall }): JSX.Element {
  const phases = phasesOf(call);
  const total = phases.reduce((sum, phase) => sum + phase.milliseconds, 0);
  return (
    <ol class="phases" aria-label="Phases of the call">
      {phases.map((phase) => (
        <li
          key={phase.kind}
          class={phase.kind}
          // A short phase must stay wide enough to be readable.
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
