import type { JSX } from 'preact';
import { query } from '../../api/client.js';
import type { TrunkSummary } from '../../api/noc.js';
import { count } from '../../parts/format.js';
import { Sparkline } from '../../parts/sparkline.js';
import { State, type Tone } from '../../parts/state.js';
import { failureWords } from '../call/end-reasons.js';

const tones: Readonly<Record<TrunkSummary['calls']['state'], Tone>> = {
  failing: 'bad',
  degraded: 'warn',
  working: 'good',
  quiet: 'idle',
};

/** How the recent calls of a number ended: apart from reachability, because a server that answers OPTIONS may refuse every call. */
export function TrunkCallState({
  phone_number,
  calls,
}: Pick<TrunkSummary, 'phone_number' | 'calls'>): JSX.Element {
  const { state, worst } = calls;
  if (calls.calls === 0) return <span class="muted">No calls</span>;
  const succeeded = calls.calls - calls.failed;
  const window = calls.window === '5m' ? '5 min' : '1 h';
  return (
    <span class="trunk-calls">
      <State tone={tones[state]}>
        <span class="figure">
          {calls.failed === 0
            ? `${count(calls.calls, 'call')} in ${window}`
            : `${succeeded} of ${count(calls.calls, 'call')} succeeded in ${window}`}
        </span>
      </State>
      {worst !== null && (
        <a
          class="under cause"
          href={`/calls${query({
            number: phone_number,
            end_reason: worst.end_reason,
            code: worst.sip_status ?? undefined,
            span: calls.window,
          })}`}
        >
          {failureWords(worst)}
        </a>
      )}
    </span>
  );
}

export function HourOfCalls({
  phone_number,
  calls,
}: Pick<TrunkSummary, 'phone_number' | 'calls'>): JSX.Element | null {
  if (calls.hour.every((interval) => interval.calls === 0)) return null;
  const failed = calls.hour.reduce((sum, interval) => sum + interval.failed, 0);
  const all = calls.hour.reduce((sum, interval) => sum + interval.calls, 0);
  return (
    <Sparkline
      label={`Calls of ${phone_number} in the last hour: ${all}, ${failed} failed`}
      bars={calls.hour.map((interval) => ({ all: interval.calls, bad: interval.failed }))}
    />
  );
}
