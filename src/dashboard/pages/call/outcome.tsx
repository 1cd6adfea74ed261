import type { JSX } from 'preact';
import { hasBadAudio, leastMos } from '../../../contract/audio-defect.js';
import type { EndedCall } from '../../api/calls.js';
import { duration } from '../../parts/format.js';
import { NamedState, State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Continuation } from './continuation.js';
import { endReasonWords, shownOutcome } from './end-reasons.js';
import { qualityOf } from './media-panel.js';
import { Phases } from './phases.js';

/** What happened to the call, and what to do about it. */
export function Outcome({ call }: { call: EndedCall }): JSX.Element {
  const isImpaired = hasBadAudio(call);
  const isGood = call.outcome === 'completed' && !isImpaired;
  return (
    <section class={`panel outcome ${isImpaired ? 'impaired' : call.outcome}`} aria-label="Outcome">
      <div class="outcome-line">
        <NamedState name={shownOutcome(call)} />
        <span>
          {isImpaired ? 'Answered' : endReasonWords(call.end_reason)}
          {call.status !== null && !isGood && !isImpaired && (
            <>
              {', answered '}
              <b class="figure">{call.status}</b>
            </>
          )}
          {(isGood || isImpaired) && (
            <>
              {isImpaired ? ' for ' : ' after '}
              <b class="figure">{duration(call.duration_seconds)}</b>
            </>
          )}
        </span>
        {call.mos !== null && call.mos < leastMos && (
          <State tone="warn">{`MOS ${call.mos.toFixed(1)}, ${qualityOf(call.mos)[1]}`}</State>
        )}
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
      <Continuation call={call} />
      {call.detail !== null && <p class="muted breakable">{call.detail}</p>}
      <Phases call={call} />
    </section>
  );
}
