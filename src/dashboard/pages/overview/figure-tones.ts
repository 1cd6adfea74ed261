import { stateOfCalls } from '../../../contract/failing-calls.js';
import type { WindowFigures } from '../../api/noc.js';

/** How a figure is judged; undefined: it is as it should be, or nothing can be said. */
export type FigureTone = 'bad' | 'warn' | undefined;

/** Fewer calls than this are no sample, as for the verdict. */
const leastCalls = 5;

/** The colours of the answer rate and of the failures, by the same rule as the verdict: a figure and the verdict must not differ. */
export function figureTones({
  attempts,
  answered,
  judged,
}: Pick<WindowFigures, 'attempts' | 'answered' | 'judged'>): {
  readonly answerRate: FigureTone;
  readonly failed: FigureTone;
} {
  const { state } = stateOfCalls([judged]);
  const all = judged.calls > 0 && judged.failed === judged.calls;
  const failed = state === 'failing' ? 'bad' : state === 'degraded' || all ? 'warn' : undefined;
  // Calls of callers with a wrong password are not judged, but they are not answered either.
  const none = attempts >= leastCalls && answered === 0;
  return { answerRate: failed ?? (none ? 'warn' : undefined), failed };
}
