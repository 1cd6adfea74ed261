import type { JSX } from 'preact';
import type { TornadoProgress } from '../../api/tornado.js';
import { State, type Tone } from '../../parts/state.js';

const states: Readonly<Record<TornadoProgress['status'], readonly [tone: Tone, word: string]>> = {
  RUNNING: ['busy', 'Running'],
  COMPLETED_ALL_PASSED: ['good', 'All scenarios pass'],
  COMPLETED_PARTIAL: ['warn', 'Some scenarios still fail'],
  TIMEOUT: ['warn', 'Time limit reached'],
  STUCK: ['warn', 'No fix helps'],
  CANCELLED: ['idle', 'Cancelled'],
  ERROR: ['bad', 'Error'],
};

export function TornadoState({ status }: { status: TornadoProgress['status'] }): JSX.Element {
  const [tone, word] = states[status];
  return <State tone={tone}>{word}</State>;
}
