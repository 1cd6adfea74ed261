import type { JSX } from 'preact';
import { percent } from '../../parts/format.js';
import { State, type Tone } from '../../parts/state.js';

export type RunStatus = 'PENDING' | 'RUNNING' | 'PASSED' | 'FAILED' | 'ERROR' | 'CANCELLED';

const states: Readonly<Record<RunStatus, readonly [tone: Tone, word: string]>> = {
  PENDING: ['busy', 'Waiting'],
  RUNNING: ['busy', 'Running'],
  PASSED: ['good', 'Passed'],
  FAILED: ['bad', 'Failed'],
  ERROR: ['warn', 'Error'],
  CANCELLED: ['idle', 'Cancelled'],
};

export function RunState({ status }: { status: RunStatus }): JSX.Element {
  const [tone, word] = states[status];
  return <State tone={tone}>{word}</State>;
}

export const hasEnded = (status: RunStatus): boolean => status !== 'PENDING' && status !== 'RUNNING';

/** `86 %` of a score between 0 and 1. */
export const scoreText = (score: number | null | undefined): string =>
  percent(score === null || score === undefined ? score : score * 100, 0);

/** A share between 0 and 1 as a bar with its figure. */
export function ScoreBar({ score, label }: { score: number | null; label: string }): JSX.Element {
  return (
    <span class="score-bar">
      <svg
        viewBox="0 0 100 8"
        width="100"
        height="8"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <rect width="100" height="8" rx="4" class="score-ground" />
        {score !== null && <rect width={Math.max(2, score * 100)} height="8" rx="4" class="score-part" />}
      </svg>
      <span class="figure">
        <span class="unseen">{label} </span>
        {scoreText(score)}
      </span>
    </span>
  );
}
