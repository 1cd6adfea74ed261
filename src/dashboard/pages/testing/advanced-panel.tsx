import type { JSX } from 'preact';
import { Panel } from '../../parts/panel.js';
import { type MockDraft, newMock } from './mock-draft.js';
import type { NamedNode } from './nodes.js';
import { NumberField } from './number-field.js';
import type { ScenarioDraft } from './scenario-draft.js';
import type { PanelProps } from './target-panel.js';

/** What few scenarios need: who speaks first, further instructions, answers in place of webhooks, and the customer's data. */
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
        {draft.target.kind === 'pathway' && (
          <Mocks mocks={mocks} nodes={nodes} onChange={(changed) => onChange({ mocks: changed })} />
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
  nodes,
  onChange,
}: {
  mocks: readonly MockDraft[];
  nodes: readonly NamedNode[];
  onChange: (mocks: readonly MockDraft[]) => void;
}): JSX.Element {
  const webhooks = nodes.filter(({ type }) => type === 'webhook');
  return (
    <fieldset class="stacked">
      <legend>Answers in place of webhooks</legend>
      <p class="note">
        A webhook with an answer here is not called. Of several answers, the latest that applies is used.
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
          onClick={() => onChange([...mocks, newMock(webhooks.length === 1 ? webhooks[0]!.id : '')])}
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
  webhooks: readonly NamedNode[];
  position: number;
  onChange: (changed: Partial<MockDraft>) => void;
  onRemove: () => void;
}): JSX.Element {
  const isUnknown = mock.nodeId !== '' && !webhooks.some(({ id }) => id === mock.nodeId);
  return (
    <div class="assertion stacked">
      <label>
        Webhook node
        <select
          required
          value={mock.nodeId}
          onChange={({ currentTarget }) => onChange({ nodeId: currentTarget.value })}
        >
          <option value="">Choose a node</option>
          {isUnknown && <option value={mock.nodeId}>{mock.nodeId} (not in this version)</option>}
          {webhooks.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <NumberField
        label="From call of the node"
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
