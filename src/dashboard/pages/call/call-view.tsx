import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { Explanation } from '../../../contract/explanations.js';
import { ladderOf } from '../../../contract/ladder.js';
import type { CallDetail } from '../../api/calls.js';
import { CallActions } from './actions.js';
import { Announcements } from './announcements.js';
import { AttemptsPanel, TransfersPanel } from './attempts-panel.js';
import { LadderView } from './ladder-view.js';
import { MediaPanel } from './media-panel.js';
import { MessageView } from './message-view.js';
import { Now, talkedFor } from './now.js';
import { Outcome } from './outcome.js';
import { Particulars } from './particulars.js';
import { QualityPanel } from './quality-panel.js';
import { SharePanel } from './share-panel.js';
import { takeoversOf } from './takeovers.js';
import { TurnsPanel } from './turns-panel.js';

/** On wide screens the open message is shown beside the ladder, in place of the details. */
const besideWidth = '(min-width: 72rem)';

/** All data of one call. The same component stays mounted when the call ends, so that open messages stay open. */
export function CallView({ call }: { call: CallDetail }): JSX.Element {
  const ladder = useMemo(() => ladderOf(call.trace, call.direction), [call]);
  const [selected, setSelected] = useState<string | undefined>();
  const isBeside = useMedia(besideWidth);
  const messageId = useId();
  const isEnded = call.state === 'ended';
  const step = ladder.steps.find(({ key }) => key === selected);
  const close = (): void => {
    setSelected(undefined);
    document.querySelector<HTMLElement>(`[data-ordinal="${step?.ordinal}"]`)?.focus();
  };
  const message = step && (
    <MessageView
      id={messageId}
      step={step}
      lanes={ladder.lanes}
      verdict={verdictOf(call)}
      onClose={close}
      key={step.key}
    />
  );
  const isMessageBeside = message !== undefined && isBeside;
  return (
    <>
      {isEnded ? <Outcome call={call} /> : <Now call={call} />}
      <Announcements ladder={ladder} isEnded={isEnded} />
      <div class={`call-columns ${isMessageBeside ? 'reading' : ''}`}>
        <div>
          <LadderView
            ladder={ladder}
            isTruncated={call.trace_truncated}
            isUnavailable={call.trace_unavailable}
            takeovers={takeoversOf(call)}
            isFollowed={!isEnded}
            selected={selected}
            onSelect={setSelected}
            messageId={messageId}
            below={isBeside ? undefined : message}
          />
          <QualityPanel call={call} ladder={ladder} />
        </div>
        {isMessageBeside && message}
        <div class="call-side">
          {!isEnded && <CallActions call={call} />}
          <MediaPanel
            media={call.media}
            moves={call.media_moves ?? []}
            isEnded={isEnded}
            talked={talkedFor(call)}
          />
          <TurnsPanel call={call} />
          <TransfersPanel transfers={call.transfers} />
          <AttemptsPanel attempts={call.attempts} />
          <Particulars call={call} />
          {isEnded && <SharePanel callId={call.call_id} />}
        </div>
      </div>
    </>
  );
}

const verdictOf = (call: CallDetail): Explanation | undefined =>
  call.state !== 'ended' || call.outcome === 'completed' || !call.cause
    ? undefined
    : { cause: call.cause, advice: call.advice ?? '' };

/** Whether a media query matches, updated when the window changes. */
function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = (): void => setMatches(list.matches);
    look();
    list.addEventListener('change', look);
    return () => list.removeEventListener('change', look);
  }, [query]);
  return matches;
}
