import type { JSX } from 'preact';
import type { ListedLoadTest } from '../../api/load-tests.js';
import { State } from '../../parts/state.js';

type Shown = Pick<ListedLoadTest, 'status' | 'breaks_at' | 'break_reason'>;

/** How far a load test is, and what it found. */
export function LoadTestState({ test: { status, breaks_at: at } }: { test: Shown }): JSX.Element {
  if (status === 'RUNNING') return <State tone="busy">Running</State>;
  if (at !== null) return <State tone="bad">{`Breaks at ${at}`}</State>;
  if (status === 'CANCELLED') return <State tone="idle">Cancelled</State>;
  return status === 'ERROR' ? <State tone="warn">Error</State> : <State tone="good">Not reached</State>;
}

/** `success rate`. */
export const breakText = (reason: ListedLoadTest['break_reason']): string =>
  reason === 'latency' ? 'latency' : 'success rate';
