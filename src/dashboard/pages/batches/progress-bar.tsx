import type { JSX } from 'preact';
import type { CallBatch } from '../../api/batches.js';
import { whole } from '../../parts/format.js';
import { progressParts, sharesOf } from './progress.js';
import '../../style/batches.css';

/** Calls of a batch by progress, as a bar and in words. */
export function ProgressBar({ batch }: { batch: Pick<CallBatch, 'progress' | 'total'> }): JSX.Element {
  const { progress, total } = batch;
  const words = progressParts
    .filter(([name]) => progress[name] > 0)
    .map(([name, word]) => `${whole(progress[name])} ${word}`)
    .join(', ');
  const label = `${whole(total)} calls: ${words}`;
  return (
    <div class="batch-progress">
      <svg viewBox="0 0 1000 12" preserveAspectRatio="none" role="img" aria-label={label}>
        {sharesOf(progress).map(({ name, from, width }) => (
          <rect key={name} class={`batch-${name}`} x={from} width={width} height="12" />
        ))}
      </svg>
      <p class="note figure">{label}</p>
    </div>
  );
}
