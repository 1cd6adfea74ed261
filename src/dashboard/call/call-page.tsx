import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Explanation } from '../../contract/explanations.js';
import { type CallDetail, captureAddress, readCall, transcriptAddress } from '../api/calls.js';
import { liveCalls } from '../api/live.js';
import { useResource } from '../api/resource.js';
import { Copy } from '../parts/copy.js';
import { capitalized, duration } from '../parts/format.js';
import { Icon } from '../parts/icons.js';
import { Loaded } from '../parts/notice.js';
import { Facts, Panel } from '../parts/panel.js';
import { NamedState } from '../parts/state.js';
import { When } from '../parts/time.js';
import { Page } from '../shell/page.js';
import { AttemptsPanel, TransfersPanel } from './attempts-panel.js';
import { endReasonWords } from './end-reasons.js';
import { ladderOf } from './ladder.js';
import { LadderView } from './ladder-view.js';
import { LiveCallView } from './live-call-view.js';
import { MediaPanel } from './media-panel.js';
import { MessageView } from './message-view.js';
import { Phases } from './phases.js';
import { readParty } from './sip-message.js';
import { useMedia } from './use-media.js';

const back = (
  <a class="back" href="/calls">
    <Icon name="back" />
    Calls
  </a>
);

/** One call, while it goes on and once it is in the history. */
export function CallPage(): JSX.Element {
  const { params } = useRoute();
  const callId = params.id ?? '';
  const live = liveCalls.value.find(({ call_id }) => call_id === callId);
  if (live !== undefined) {
    return (
      <Page title={`Call ${live.direction === 'inbound' ? 'from' : 'to'} ${nameOf(live)}`} above={back}>
        <LiveCallView call={live} />
      </Page>
    );
  }
  return <EndedCall callId={callId} key={callId} />;
}

const nameOf = (call: { direction: string; from: string; to: string }): string =>
  readParty(call.direction === 'inbound' ? call.from : call.to).address;

/** A record reaches the history a moment after the call's end; whoever is quicker looks again. */
const lookAgainMilliseconds = [700, 2_000, 5_000] as const;

function EndedCall({ callId }: { callId: string }): JSX.Element {
  const call = useResource(callId, (signal) => readCall(callId, signal));
  const { reload } = call;
  const isMissing = call.failure?.status === 404;
  useEffect(() => {
    if (!isMissing) return;
    const timers = lookAgainMilliseconds.map((wait) => setTimeout(reload, wait));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [isMissing, reload]);
  const title =
    call.data === undefined
      ? 'Call'
      : `Call ${call.data.direction === 'inbound' ? 'from' : 'to'} ${nameOf(call.data)}`;
  return (
    <Page title={title} above={back} beside={call.data && <Downloads call={call.data} />}>
      <Loaded what="the call" from={call}>
        {(data) => <CallView call={data} />}
      </Loaded>
    </Page>
  );
}

function Downloads({ call }: { call: CallDetail }): JSX.Element {
  const transcript = async (): Promise<string> => (await fetch(transcriptAddress(call.call_id))).text();
  return (
    <div class="buttons">
      <Copy text={transcript} what="the call as text, with every message" label="Copy all" />
      <a class="button small" href={captureAddress(call.call_id)} download>
        <Icon name="download" />
        <span>
          pcap<span class="unseen"> for Wireshark or sngrep</span>
        </span>
      </a>
    </div>
  );
}

/** Where there is room, the message that is read stands beside the ladder, in the place of what else is known. */
const besideWidth = '(min-width: 72rem)';

function CallView({ call }: { call: CallDetail }): JSX.Element {
  const ladder = useMemo(() => ladderOf(call.trace, call.direction), [call]);
  const [selected, setSelected] = useState<number | undefined>();
  const isBeside = useMedia(besideWidth);
  const messageId = useId();
  const step = ladder.steps.find(({ ordinal }) => ordinal === selected);
  const close = (): void => {
    setSelected(undefined);
    document.querySelector<HTMLElement>(`[data-ordinal="${selected}"]`)?.focus();
  };
  const message = step && (
    <MessageView
      id={messageId}
      step={step}
      lanes={ladder.lanes}
      verdict={verdictOf(call)}
      onClose={close}
      key={step.ordinal}
    />
  );
  const isMessageBeside = message !== undefined && isBeside;
  return (
    <>
      <Outcome call={call} />
      <div class={`call-columns ${isMessageBeside ? 'reading' : ''}`}>
        <LadderView
          ladder={ladder}
          isTruncated={call.trace_truncated}
          selected={selected}
          onSelect={setSelected}
          messageId={messageId}
          below={isBeside ? undefined : message}
        />
        {isMessageBeside && message}
        <div class="call-side">
          <MediaPanel media={call.media} />
          <TransfersPanel transfers={call.transfers} />
          <AttemptsPanel attempts={call.attempts} />
          <Particulars call={call} />
        </div>
      </div>
    </>
  );
}

const verdictOf = ({ outcome, cause, advice }: CallDetail): Explanation | undefined =>
  outcome === 'completed' || !cause ? undefined : { cause, advice: advice ?? '' };

/** The answer to the first question: what happened, and what is to be done. */
function Outcome({ call }: { call: CallDetail }): JSX.Element {
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

function Particulars({ call }: { call: CallDetail }): JSX.Element {
  const rows = [
    ['From', <span class="mono breakable">{call.from_header}</span>],
    ['To', <span class="mono breakable">{call.to_header}</span>],
    [
      'Number',
      call.phone_number === null ? (
        'unknown'
      ) : (
        <a class="figure" href={`/trunks/${call.phone_number.replace('+', '')}`}>
          {call.phone_number}
        </a>
      ),
    ],
    ['Direction', capitalized(call.direction)],
    [
      'Far side',
      <span class="figure">
        {call.source_ip}:{call.source_port} {call.source_protocol.toUpperCase()}
      </span>,
    ],
    ['Ended by', capitalized(call.ended_by)],
    ['Edge', call.edge_id],
    ['Call id', <Identifier text={call.call_id} what="the call id" />],
    ['Call-ID, trunk', <Identifier text={call.sip_call_id} what="the trunk's Call-ID" />],
    ...(call.agent_sip_call_id === null
      ? []
      : [
          [
            'Call-ID, agent',
            <Identifier text={call.agent_sip_call_id} what="the agent's Call-ID" />,
          ] as const,
        ]),
  ] as const;
  return (
    <Panel title="Particulars">
      <Facts rows={rows} />
    </Panel>
  );
}

function Identifier({ text, what }: { text: string; what: string }): JSX.Element {
  return (
    <span class="identifier">
      <span class="mono breakable">{text}</span>
      <Copy text={text} what={what} isBare />
    </span>
  );
}
