import type { JSX } from 'preact';
import { Panel } from '../../parts/panel.js';
import { type MockDraft, newMock } from './mock-draft.js';
import type { NamedNode } from './nodes.js';
import { NumberField } from './number-field.js';
import type { ScenarioDraft } from './scenario-draft.js';
import type { PanelProps } from './target-panel.js';

/** What few scenarios need: who speaks first, further instructions, answers in place of webhooks and tools, and the customer's data. */
export function AdvancedPanel({
  draft,
  nodes,
  onChange,
}: PanelProps & { nodes: readonly NamedNode[] }): JSX.Element {
  const { mocks } = draft;
  return (
    <Panel title="Further settings">
      <div class="stacked">
        <label>
          Who speaks first
          <select
            value={draft.firstSpeaker}
            onChange={({ currentTarget }) =>
              onChange({ firstSpeaker: currentTarget.value as ScenarioDraft['firstSpeaker'] })
            }
          >
            <option value="">Default: the agent, except at its own URL</option>
            <option value="agent">The agent</option>
            <option value="caller">The caller</option>
          </select>
        </label>
        <label>
          Further instructions for the caller (optional)
          <textarea
            rows={3}
            maxLength={20_000}
            value={draft.advancedInstructions}
            placeholder="Answer in short sentences. Never give your name."
            onInput={({ currentTarget }) => onChange({ advancedInstructions: currentTarget.value })}
          />
        </label>
        {draft.target.kind !== 'persona' && (
          <Mocks
            mocks={mocks}
            webhooks={
              draft.target.kind === 'agent' ? undefined : nodes.filter(({ type }) => type === 'webhook')
            }
            onChange={(changed) => onChange({ mocks: changed })}
          />
        )}
        <label>
          Metadata, JSON
          <textarea
            class="mono"
            rows={2}
            spellcheck={false}
            value={draft.metadata}
            onInput={({ currentTarget }) => onChange({ metadata: currentTarget.value })}
          />
        </label>
      </div>
    </Panel>
  );
}

function Mocks({
  mocks,
  webhooks,
  onChange,
}: {
  mocks: readonly MockDraft[];
  /** Undefined: the agent has tools, which it names. */
  webhooks: readonly NamedNode[] | undefined;
  onChange: (mocks: readonly MockDraft[]) => void;
}): JSX.Element {
  return (
    <fieldset class="stacked">
      <legend>{webhooks === undefined ? 'Answers to tools' : 'Answers in place of webhooks'}</legend>
      <p class="note">
        {webhooks === undefined
          ? 'The agent gets them by text, when it asks for a tool (tool_calls).'
          : 'A webhook with an answer here is not called.'}{' '}
        Of several answers, the latest that applies is used.
      </p>
      {mocks.map((mock, index) => (
        <Mock
          key={mock.key}
          mock={mock}
          webhooks={webhooks}
          position={index + 1}
          onChange={(changed) =>
            onChange(
              mocks.map((candidate) => (candidate === mock ? { ...candidate, ...changed } : candidate)),
            )
          }
          onRemove={() => onChange(mocks.filter((candidate) => candidate !== mock))}
        />
      ))}
      <div class="buttons">
        <button
          type="button"
          class="small"
          onClick={() => onChange([...mocks, newMock(webhooks?.length === 1 ? webhooks[0]!.id : '')])}
        >
          Add an answer
        </button>
      </div>
    </fieldset>
  );
}

function Mock({
  mock,
  webhooks,
  position,
  onChange,
  onRemove,
}: {
  mock: MockDraft;
  webhooks: readonly NamedNode[] | undefined;
  position: number;
  onChange: (changed: Partial<MockDraft>) => void;
  onRemove: () => void;
}): JSX.Element {
  return (
    <div class="assertion stacked">
      {webhooks === undefined ? (
        <label>
          Tool
          <input
            required
            maxLength={200}
            value={mock.nodeId}
            placeholder="book_appointment"
            onInput={({ currentTarget }) => onChange({ nodeId: currentTarget.value })}
          />
        </label>
      ) : (
        <WebhookField webhooks={webhooks} value={mock.nodeId} onChange={(nodeId) => onChange({ nodeId })} />
      )}
      <NumberField
        label={webhooks === undefined ? 'From call of the tool' : 'From call of the node'}
        range={[1, 1_000]}
        value={mock.fromCall}
        onChange={(fromCall) => onChange({ fromCall })}
      />
      <NumberField
        label="From turn of the caller"
        range={[0, 50]}
        value={mock.fromTurn}
        onChange={(fromTurn) => onChange({ fromTurn })}
      />
      <NumberField
        label="HTTP status"
        range={[100, 599]}
        value={mock.status}
        onChange={(status) => onChange({ status })}
      />
      <label>
        Body, JSON (optional)
        <textarea
          class="mono"
          rows={2}
          spellcheck={false}
          value={mock.body}
          placeholder={'{"available": true}'}
          onInput={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
      </label>
      <div class="buttons">
        <button type="button" class="small" onClick={onRemove}>
          Remove<span class="unseen"> answer {position}</span>
        </button>
      </div>
    </div>
  );
}

function WebhookField({
  webhooks,
  value,
  onChange,
}: {
  webhooks: readonly NamedNode[];
  value: string;
  onChange: (nodeId: string) => void;
}): JSX.Element {
  const isUnknown = value !== '' && !webhooks.some(({ id }) => id === value);
  return (
    <label>
      Webhook node
      <select required value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">Choose a node</option>
        {isUnknown && <option value={value}>{value} (not in this version)</option>}
        {webhooks.map(({ id, name }) => (
          <option value={id} key={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
