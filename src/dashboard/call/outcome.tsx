import type { JSX } from 'preact';
import type { EndedCall } from '../api/calls.js';
import { duration } from '../parts/format.js';
import { NamedState } from '../parts/state.js';
import { When } from '../parts/time.js';
import { endReasonWords } from './end-reasons.js';
import { Phases } from './phases.js';

/** What happened to the call, and what to do about it. */
export function Outcome({ call }: { call: EndedCall }): JSX.Element {
  const isGood = call.outcome === 'completed';
  return (
    <section class={`panel outcome ${call.outcome}`} aria-label="Outcome">
      <div class="outcome-line">
        <NamedState name={call.outcome} />
        <span>
          {endReasonWords(call.end_reason)}
          {call.status !== null && !isGood && (
            <>
              {', answered '}
              <b class="figure">{call.status}</b>
            </>
          )}
          {isGood && (
            <>
              {' after '}
              <b class="figure">{duration(call.duration_seconds)}</b>
            </>
          )}
        </span>
        <span class="muted">
          <When at={call.started_at} />
        </span>
      </div>
      {!isGood && (call.cause ?? null) !== null && <p>{call.cause}</p>}
      {!isGood && (call.advice ?? '') !== '' && (
        <p>
          <b>What to do: </b>
          {call.advice}
        </p>
      )}
      {call.detail !== null && <p class="muted breakable">{call.detail}</p>}
      <Phases call={call} />
    </section>
  );
}
