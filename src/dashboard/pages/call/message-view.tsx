import type { JSX } from 'preact';
import { type Explanation, explainSipStatus } from '../../../contract/explanations.js';
import type { Lane, Step } from '../../../contract/ladder.js';
import { Copy } from '../../parts/copy.js';
import { preciseTime } from '../../parts/format.js';
import { Untrusted } from '../../parts/untrusted.js';
import { describeMediaLine, readMediaLines } from './session-description.js';
import { writtenHead } from './written-head.js';

interface MessageViewProps {
  readonly id: string;
  readonly step: Step;
  readonly lanes: readonly Lane[];
  /** The outcome of the call, which explains a refusal that Demarc sent itself. */
  readonly verdict: Explanation | undefined;
  readonly onClose: () => void;
}

/** One SIP message in full: its meaning, then every header, then the body. */
export function MessageView({ id, step, lanes, verdict, onClose }: MessageViewProps): JSX.Element {
  const { message, trace } = step;
  const explanation = explanationOf(step, verdict);
  const says = ['Reason', 'Warning', 'Retry-After']
    .map((name) => [name, message.headers.get(name)] as const)
    .filter(([, value]) => value !== undefined);
  const { startLine, lines } = writtenHead(trace.message);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <section
      class="message"
      id={id}
      aria-label={`Message ${step.ordinal}: ${step.label}`}
      onKeyDown={onKeyDown}
    >
      <header class="message-head">
        <div>
          <h3>
            {step.ordinal}. {step.label}
          </h3>
          <p class="note">
            {lanes[step.from]!.name} <span class="figure">{trace.source}</span> → {lanes[step.to]!.name}{' '}
            <span class="figure">{trace.destination}</span>, {trace.protocol.toUpperCase()},{' '}
            <span class="figure" title={trace.at}>
              {preciseTime(trace.at)}
            </span>
          </p>
        </div>
        <div class="buttons">
          <Copy text={trace.message} what={`message ${step.ordinal}`} />
          <button type="button" class="small" onClick={onClose}>
            Close
          </button>
        </div>
      </header>
      {explanation !== undefined && (
        <div class={`explanation ${step.kind}`}>
          <p>
            <b>{explanation.cause}</b>
          </p>
          {explanation.advice !== '' && <p>{explanation.advice}</p>}
          {says.map(([name, value]) => (
            <p key={name}>
              {trace.direction === 'sent' ? 'Sent header: ' : 'Received header: '}
              <code>{`${name}: ${value}`}</code>
            </p>
          ))}
        </div>
      )}
      {step.hasDescription && (
        <div class="explanation">
          {readMediaLines(message.body).map((line) => (
            <p key={`${line.kind} ${line.port}`}>{describeMediaLine(line)}</p>
          ))}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
      <pre class="message-text" tabIndex={0}>
        <b>
          <Untrusted text={startLine} />
        </b>
        {'\n'}
        {lines.map(({ name, value }, index) => (
          <span key={index}>
            {name !== '' && <span class="header-name">{name}:</span>}
            <Untrusted text={value} />
            {'\n'}
          </span>
        ))}
        {message.body !== '' && <Untrusted text={`\n${message.body.replaceAll('\r\n', '\n')}`} />}
      </pre>
    </section>
  );
}

/** A status code that Demarc sends means something else than the same code received from a peer. */
function explanationOf(
  { message, trace, kind }: Step,
  verdict: Explanation | undefined,
): Explanation | undefined {
  if (message.status === undefined) return undefined;
  if (trace.direction === 'received') return explainSipStatus(message.status);
  return kind === 'refusal' && message.method === 'INVITE' ? verdict : undefined;
}
