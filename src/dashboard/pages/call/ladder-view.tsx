import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Ladder, Step } from '../../../contract/ladder.js';
import { Choice } from '../../parts/choice.js';
import { preciseTime } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { type Takeover, takeoversBetween } from './takeovers.js';

type TimeKind = 'start' | 'previous' | 'clock';

/** Longer pauses between messages are shown as a gap. */
const gapMilliseconds = 1_000;

export function timeOf(step: Step, kind: TimeKind): string {
  if (kind === 'clock') return preciseTime(step.trace.at);
  const seconds = (kind === 'start' ? step.sinceStart : step.sincePrevious) / 1_000;
  return `${kind === 'previous' ? '+' : ''}${seconds.toFixed(3)}`;
}

interface LadderViewProps {
  readonly ladder: Ladder;
  readonly isTruncated: boolean;
  /** True: the store of the messages does not respond. */
  readonly isUnavailable: boolean;
  /** When another edge took the call over, in order. */
  readonly takeovers: readonly Takeover[];
  /** True: more messages are expected. */
  readonly isFollowed: boolean;
  /** Key of the open message. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string | undefined) => void;
  readonly messageId: string;
  /** The open message, when it is shown below its arrow instead of beside the ladder. */
  readonly below: JSX.Element | undefined;
}

/** The SIP ladder: arrows between lanes; each arrow opens its message in full. */
export function LadderView({
  ladder,
  isTruncated,
  isUnavailable,
  takeovers,
  isFollowed,
  selected,
  onSelect,
  messageId,
  below,
}: LadderViewProps): JSX.Element {
  const { lanes, steps } = ladder;
  const [pointed, setPointed] = useState<string | undefined>();
  const [timeKind, setTimeKind] = useState<TimeKind>('start');
  const list = useRef<HTMLOListElement>(null);

  const move = (event: KeyboardEvent, { ordinal }: Step): void => {
    const next = { ArrowDown: ordinal + 1, ArrowUp: ordinal - 1, Home: 1, End: steps.length }[event.key];
    if (event.key === 'Escape') onSelect(undefined);
    if (next === undefined || next < 1 || next > steps.length) return;
    event.preventDefault();
    list.current?.querySelector<HTMLButtonElement>(`[data-ordinal="${next}"]`)?.focus();
    // Arrow keys move from the open message to the next one.
    if (selected !== undefined) onSelect(steps[next - 1]!.key);
  };

  return (
    <Panel
      title="SIP messages"
      class="ladder-panel"
      aside={
        <Choice
          label="Times"
          value={timeKind}
          options={[
            ['start', 'Since start'],
            ['previous', 'Since previous'],
            ['clock', 'Clock'],
          ]}
          onChange={setTimeKind}
        />
      }
      note={`${isFollowed ? 'Messages so far; new ones are added automatically. ' : ''}Select a message to read it in full. Use the arrow keys to move between messages.`}
    >
      <div class="ladder" style={{ '--lanes': lanes.length }} data-times={timeKind}>
        <div class="lane-heads">
          <span class="step-time">{timeKind === 'clock' ? 'Time' : 'Seconds'}</span>
          <span class="lane-names">
            {lanes.map((lane) => (
              <span key={lane.key} title={lane.address}>
                <b>{lane.name}</b>
                <small>{lane.address}</small>
              </span>
            ))}
          </span>
        </div>
        <ol ref={list}>
          {steps.map((step, index) => (
            <li key={step.key}>
              {takeoversBetween(takeovers, steps[index - 1]?.trace.at, step.trace.at).map((takeover) => (
                <TakeoverMark takeover={takeover} key={takeover.at} />
              ))}
              {step.sincePrevious >= gapMilliseconds && <Gap step={step} lanes={lanes.length} />}
              <button
                type="button"
                class={`step ${step.kind}`}
                data-ordinal={step.ordinal}
                data-related={step.transaction === pointed}
                aria-expanded={step.key === selected}
                aria-controls={step.key === selected ? messageId : undefined}
                onClick={() => onSelect(step.key === selected ? undefined : step.key)}
                onKeyDown={(event) => move(event, step)}
                onMouseEnter={() => setPointed(step.transaction)}
                onMouseLeave={() => setPointed(undefined)}
                onFocus={() => setPointed(step.transaction)}
                onBlur={() => setPointed(undefined)}
              >
                <span class="step-time figure">{timeOf(step, timeKind)}</span>
                <span class="step-lanes">
                  <Lifelines lanes={lanes.length} />
                  <Arrow step={step} ways={`${lanes[step.from]!.name} to ${lanes[step.to]!.name}`} />
                </span>
              </button>
              {step.key === selected && below}
            </li>
          ))}
        </ol>
        {takeoversBetween(takeovers, steps.at(-1)?.trace.at, undefined).map((takeover) => (
          <TakeoverMark takeover={takeover} key={takeover.at} />
        ))}
        {isTruncated && (
          <p class="note">
            {isUnavailable
              ? 'The object store with the messages of this call does not respond. Reload the page in a minute.'
              : steps.length === 0
                ? 'The messages of this call are not stored.'
                : 'Messages are missing: the trace reached its size limit, or those of a leg were not captured.'}
          </p>
        )}
      </div>
    </Panel>
  );
}

function TakeoverMark({ takeover: { at, from, to } }: { takeover: Takeover }): JSX.Element {
  return (
    <p class="note" title={at}>
      {to} took the call over from {from} at {preciseTime(at)}; messages of that moment may be missing.
    </p>
  );
}

function Lifelines({ lanes }: { lanes: number }): JSX.Element {
  return (
    <>
      {Array.from({ length: lanes }, (_, index) => (
        <i class="lifeline" style={{ '--lane': index }} key={index} />
      ))}
    </>
  );
}

function Gap({ step, lanes }: { step: Step; lanes: number }): JSX.Element {
  return (
    <span class="gap" aria-hidden="true">
      <span class="step-time" />
      <span class="step-lanes">
        <Lifelines lanes={lanes} />
        <span class="gap-text figure">{(step.sincePrevious / 1_000).toFixed(1)} s later</span>
      </span>
    </span>
  );
}

function Arrow({ step, ways }: { step: Step; ways: string }): JSX.Element {
  const { from, to, method, kind } = step;
  const isRight = from < to;
  return (
    <span
      class={`arrow ${isRight ? 'right' : 'left'}`}
      style={{ '--from': Math.min(from, to), '--span': Math.abs(to - from) }}
    >
      <span class="arrow-label">
        <b>{step.label}</b>
        {kind !== 'request' && <span class="arrow-method">{method}</span>}
        {step.hasDescription && <span class="chip">SDP</span>}
        {step.isRepeated && <span class="chip warn">repeated</span>}
        <span class="unseen">, {ways}</span>
      </span>
      <span class="shaft" />
    </span>
  );
}
