import { earlierCalls, type MonitorState, recentCalls } from '../schemas/monitor.js';
import { fisherExact, type Tally } from '../statistics/fisher-exact.js';
import { wilsonInterval } from '../statistics/wilson-interval.js';

export type Judged = 'PASSED' | 'FAILED';

/** What the judged calls of a monitor show. */
export interface Standing {
  readonly recent: Tally;
  readonly earlier: Tally;
  readonly drift: 'better' | 'worse' | 'not_shown';
}

/** Asked again with each call, a test at 5 % would find a change that is none every few days. */
const significance = 0.001;

/** Of fewer, one bad call would be an alert. */
const fewestCalls = 5;

const tallyOf = (statuses: readonly Judged[]): Tally => {
  const passed = statuses.filter((status) => status === 'PASSED').length;
  return { passed, failed: statuses.length - passed };
};

/** @param statuses newest first */
export function standingOf(statuses: readonly Judged[]): Standing {
  const recent = tallyOf(statuses.slice(0, recentCalls));
  const earlier = tallyOf(statuses.slice(recentCalls, recentCalls + earlierCalls));
  const isShown = earlier.passed + earlier.failed > 0 && fisherExact(recent, earlier) < significance;
  const isBetter = (rateOf(recent) ?? 0) > (rateOf(earlier) ?? 0);
  return { recent, earlier, drift: !isShown ? 'not_shown' : isBetter ? 'better' : 'worse' };
}

/** Null: no calls. */
export const rateOf = ({ passed, failed }: Tally): number | null =>
  passed + failed === 0 ? null : passed / (passed + failed);

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** Why a monitor fails; null: that is not shown. */
function problemOf({ recent, earlier, drift }: Standing, required: number): string | null {
  const calls = recent.passed + recent.failed;
  const rate = rateOf(recent);
  const interval = wilsonInterval(recent.passed, calls);
  if (rate === null || interval === undefined || calls < fewestCalls) return null;
  const passed = `${recent.passed} of the latest ${calls} calls passed (${percent(rate)})`;
  if (interval.upper < required) return `${passed}, ${percent(required)} required`;
  if (drift === 'worse')
    return `${passed}, ${percent(rateOf(earlier)!)} of the ${earlier.passed + earlier.failed} before`;
  return null;
}

/** The next state of a monitor. It passes again when the latest calls reach the required rate, so that it does not flap. */
export function nextState(
  before: MonitorState | null,
  standing: Standing,
  required: number,
): { readonly state: MonitorState; readonly problem: string | null } {
  const problem = problemOf(standing, required);
  if (problem !== null) return { state: 'failing', problem };
  const rate = rateOf(standing.recent) ?? 0;
  if (before === 'failing' && rate < required)
    return {
      state: 'failing',
      problem: `${percent(rate)} of the latest calls passed, ${percent(required)} required to pass again`,
    };
  return { state: 'passing', problem: null };
}
