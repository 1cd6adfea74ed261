import type { JSX } from 'preact';
import type { Run } from '../../api/runs.js';
import { milliseconds } from '../../parts/format.js';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { hasEnded } from './run-state.js';

interface ConversationProps {
  readonly run: Run;
  readonly selected: string | undefined;
  readonly onSelect: (nodeId: string) => void;
}

const endings: Readonly<Record<NonNullable<Run['end_reason']>, string>> = {
  agent_ended: 'The agent ended the conversation.',
  caller_ended: 'The caller ended the conversation.',
  max_turns: 'The conversation reached its limit of turns.',
  replay_ended: 'The recorded lines ended.',
  recorded: 'A recorded conversation.',
};

/** What both sides said, with the node that spoke, its latency, and webhooks between the lines. */
export function ConversationPanel({ run, selected, onSelect }: ConversationProps): JSX.Element {
  const { chat_history: lines, metadata, webhooks, end_reason: ending } = run;
  const details = new Map(metadata.turn_details.map((detail) => [detail.turn, detail]));
  const nameOf = (id: string): string => metadata.node_id_to_name[id] ?? id;
  const isLive = !hasEnded(run.status);
  return (
    <Panel
      title="Conversation"
      aside={run.channel === 'voice' ? <span class="chip">By voice</span> : undefined}
    >
      {lines.length === 0 && (
        <Empty title={isLive ? 'The conversation begins …' : 'No conversation'}>
          {run.error_message ?? 'No line was spoken yet.'}
        </Empty>
      )}
      <ol class="messages">
        {lines.flatMap(({ role, content }, turn) => {
          const detail = details.get(turn);
          const node = detail?.node_id ?? undefined;
          return [
            ...webhooks
              .filter((webhook) => webhook.turn === turn)
              .map((webhook, index) => (
                <WebhookLine key={`${turn} webhook ${index}`} webhook={webhook} nameOf={nameOf} />
              )),
            <li key={turn} class={`${role} ${node !== undefined && node === selected ? 'selected' : ''}`}>
              <small>
                {role === 'user' ? 'Caller' : 'Agent'}
                {node !== undefined && (
                  <>
                    {' · '}
                    <button type="button" class="link" onClick={() => onSelect(node)}>
                      {nameOf(node)}
                    </button>
                  </>
                )}
                {detail?.latency_ms != null && (
                  <span class="figure"> · {milliseconds(detail.latency_ms)}</span>
                )}
              </small>
              {content === '' ? <span class="muted">Silence</span> : content}
              {detail !== undefined && detail.extracted.length > 0 && (
                <small>Extracted: {detail.extracted.join(', ')}</small>
              )}
            </li>,
          ];
        })}
        {webhooks
          .filter(({ turn }) => turn === null || turn >= lines.length)
          .map((webhook, index) => (
            <WebhookLine key={`last webhook ${index}`} webhook={webhook} nameOf={nameOf} />
          ))}
      </ol>
      {isLive && lines.length > 0 && <p class="loading">The conversation continues …</p>}
      {ending !== null && (
        <p class="note">
          {endings[ending]}
          {run.ending?.transferred_to != null &&
            ` The caller was transferred to ${run.ending.transferred_to}.`}
        </p>
      )}
    </Panel>
  );
}

function WebhookLine({
  webhook,
  nameOf,
}: {
  webhook: Run['webhooks'][number];
  nameOf: (id: string) => string;
}): JSX.Element {
  const result = webhook.error ?? (webhook.status === null ? 'called' : `status ${webhook.status}`);
  return (
    <li class="event">
      <small>
        {webhook.url === '' ? 'Tool' : 'Webhook'} {nameOf(webhook.node_id)}:{' '}
        <code class="breakable">{webhook.url}</code> {result}
        {webhook.is_mocked ? ', answered by the scenario' : `, ${milliseconds(webhook.duration_ms)}`}
      </small>
      {webhook.arguments !== null && Object.keys(webhook.arguments).length > 0 && (
        <details>
          <summary>Arguments</summary>
          <pre class="breakable">{JSON.stringify(webhook.arguments, null, 2)}</pre>
        </details>
      )}
    </li>
  );
}
