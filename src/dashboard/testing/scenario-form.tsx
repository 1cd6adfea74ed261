import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import '../style/pathways.css';
import '../style/testing.css';
import { ApiFailure } from '../api/client.js';
import { readPathways } from '../api/pathways.js';
import { readPersonas } from '../api/personas.js';
import { useResource } from '../api/resource.js';
import { type Category, categories } from '../api/testing.js';
import { Choice } from '../parts/choice.js';
import { Empty, Problem } from '../parts/notice.js';
import { Panel } from '../parts/panel.js';
import { type AssertionType, assertionForms, assertionTypes } from './assertion-fields.js';
import { AssertionForm } from './assertion-form.js';
import { useNodes } from './nodes.js';
import { newAssertion, requestDataOf, type ScenarioDraft, type TargetKind } from './scenario-draft.js';

interface ScenarioFormProps {
  readonly initial: ScenarioDraft;
  readonly action: string;
  /** The kind of target of a stored scenario stays. */
  readonly isStored?: boolean;
  /** Rejects with an `ApiFailure`. */
  readonly save: (draft: ScenarioDraft) => Promise<unknown>;
}

/** All fields of a scenario. */
export function ScenarioForm({ initial, action, isStored = false, save }: ScenarioFormProps): JSX.Element {
  const [draft, setDraft] = useState(initial);
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const [isBusy, setBusy] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const nodes = useNodes(draft.target.kind === 'pathway' ? draft.target.pathwayId || undefined : undefined);
  const change = (changed: Partial<ScenarioDraft>): void => {
    setDraft((before) => ({ ...before, ...changed }));
    setSaved(false);
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setFailure(undefined);
    try {
      requestDataOf(draft);
    } catch (error) {
      setFailure(
        new ApiFailure(0, 'PAGE_ERROR', `Request data is not valid JSON: ${(error as Error).message}`),
      );
      return;
    }
    setBusy(true);
    save(draft)
      .then(() => setSaved(true), setFailure)
      .finally(() => setBusy(false));
  };
  const problemsOf = (index: number): readonly string[] =>
    (failure?.faults ?? [])
      .filter(({ path }) => path === `assertions.${index}` || path?.startsWith(`assertions.${index}.`))
      .map(({ message }) => message);
  const others = (failure?.faults ?? []).filter(({ path }) => !/^assertions\.\d/.test(path ?? ''));
  return (
    <form onSubmit={submit}>
      <div class="scenario-columns">
        <div>
          <CallerPanel draft={draft} onChange={change} />
          <AssertionsPanel draft={draft} nodes={nodes} problemsOf={problemsOf} onChange={change} />
        </div>
        <div>
          <TargetPanel draft={draft} isStored={isStored} onChange={change} />
          <SettingsPanel draft={draft} nodes={nodes} onChange={change} />
        </div>
      </div>
      {failure !== undefined && (
        <Problem title="Not saved">
          {others.length === 0 ? (
            <p>
              {failure.faults.length === 0
                ? failure.message
                : 'Correct the assertions that are marked above.'}
            </p>
          ) : (
            <ul class="fault-list">
              {others.map(({ path, message }) => (
                <li key={path}>{message}</li>
              ))}
            </ul>
          )}
        </Problem>
      )}
      <div class="buttons save-line">
        <button type="submit" class="primary" disabled={isBusy}>
          {action}
        </button>
        {isSaved && <span role="status">Saved.</span>}
      </div>
    </form>
  );
}

interface PanelProps {
  readonly draft: ScenarioDraft;
  readonly onChange: (changed: Partial<ScenarioDraft>) => void;
}

function CallerPanel({ draft, onChange }: PanelProps): JSX.Element {
  const isRecorded = draft.scenarioType !== 'AGENT';
  return (
    <Panel title="Caller">
      <div class="stacked">
        <label>
          Name of the scenario
          <input
            required
            maxLength={200}
            value={draft.name}
            placeholder="Moves an appointment to another day"
            onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
          />
        </label>
        <Choice
          label="Who speaks for the caller"
          value={draft.scenarioType}
          options={[
            ['AGENT', 'A model'],
            ['REPLAY', 'Recorded lines'],
            ['HISTORICAL', 'Judge only'],
          ]}
          onChange={(scenarioType) => onChange({ scenarioType })}
        />
        {isRecorded ? (
          <label>
            Conversation, one line each: “caller: …” or “agent: …”
            <textarea
              rows={8}
              required
              value={draft.recorded}
              onInput={({ currentTarget }) => onChange({ recorded: currentTarget.value })}
            />
          </label>
        ) : (
          <>
            <label>
              How the caller behaves, and what they want
              <textarea
                rows={6}
                required
                value={draft.prompt}
                placeholder="You have an appointment on Tuesday and want to move it to Friday. You are in a hurry."
                onInput={({ currentTarget }) => onChange({ prompt: currentTarget.value })}
              />
            </label>
            <label>
              Name of the caller (optional)
              <input
                maxLength={200}
                value={draft.testerName}
                onInput={({ currentTarget }) => onChange({ testerName: currentTarget.value })}
              />
            </label>
          </>
        )}
      </div>
    </Panel>
  );
}

function TargetPanel({ draft, isStored, onChange }: PanelProps & { isStored: boolean }): JSX.Element {
  const { target } = draft;
  const pathways = useResource('pathways', readPathways);
  const personas = useResource('personas', readPersonas);
  const change = (changed: Partial<ScenarioDraft['target']>): void =>
    onChange({ target: { ...target, ...changed } });
  const names: Readonly<Record<TargetKind, string>> = {
    pathway: 'Pathway',
    persona: 'Persona',
    agent: 'Own agent',
  };
  return (
    <Panel title="Agent under test">
      <div class="stacked">
        {!isStored && (
          <Choice
            label="Kind of agent"
            value={target.kind}
            options={(['pathway', 'persona', 'agent'] as const).map((kind) => [kind, names[kind]] as const)}
            onChange={(kind) => change({ kind })}
          />
        )}
        {target.kind === 'pathway' && (
          <label>
            Pathway
            <select
              required
              disabled={isStored}
              value={target.pathwayId}
              onChange={({ currentTarget }) => change({ pathwayId: currentTarget.value })}
            >
              <option value="">Choose a pathway</option>
              {(pathways.data ?? []).map(({ id, name }) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {target.kind === 'persona' && (
          <label>
            Persona
            <select
              required
              disabled={isStored}
              value={target.personaId}
              onChange={({ currentTarget }) => change({ personaId: currentTarget.value })}
            >
              <option value="">Choose a persona</option>
              {(personas.data ?? []).map(({ id, name }) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {target.kind === 'agent' && <AgentFields draft={draft} isStored={isStored} onChange={change} />}
        <Choice
          label="Channel"
          value={draft.channel}
          options={[
            ['text', 'By text'],
            ['voice', 'By voice: a real call'],
          ]}
          onChange={(channel) => onChange({ channel })}
        />
        {draft.channel === 'voice' && (
          <label>
            Number or SIP URI to call (optional)
            <input
              value={draft.destination}
              placeholder="Default: the agent’s SIP URI or the persona’s number"
              onInput={({ currentTarget }) => onChange({ destination: currentTarget.value })}
            />
          </label>
        )}
      </div>
    </Panel>
  );
}

function AgentFields({
  draft: { target },
  isStored,
  onChange,
}: {
  draft: ScenarioDraft;
  isStored: boolean;
  onChange: (changed: Partial<ScenarioDraft['target']>) => void;
}): JSX.Element {
  return (
    <>
      <label>
        Base URL of its OpenAI-compatible interface, for runs by text
        <input
          type="url"
          value={target.url}
          placeholder="https://agent.example.com/v1"
          onInput={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      </label>
      <label>
        Model
        <input
          value={target.model}
          onInput={({ currentTarget }) => onChange({ model: currentTarget.value })}
        />
      </label>
      <label>
        API key {isStored ? '(leave empty to keep the stored one)' : '(optional)'}
        <input
          type="password"
          autocomplete="off"
          value={target.apiKey}
          onInput={({ currentTarget }) => onChange({ apiKey: currentTarget.value })}
        />
      </label>
      <label>
        SIP URI, for runs by voice
        <input
          value={target.sipUri}
          placeholder="sip:agent@example.com"
          onInput={({ currentTarget }) => onChange({ sipUri: currentTarget.value })}
        />
      </label>
    </>
  );
}

type Nodes = ReturnType<typeof useNodes>;

function SettingsPanel({ draft, nodes, onChange }: PanelProps & { nodes: Nodes }): JSX.Element {
  return (
    <Panel title="Settings">
      <div class="stacked">
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isRequired}
            onChange={({ currentTarget }) => onChange({ isRequired: currentTarget.checked })}
          />
          Must pass before a version is promoted
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isToneScored}
            onChange={({ currentTarget }) => onChange({ isToneScored: currentTarget.checked })}
          />
          Score the tone of the agent
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isEnabled}
            onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
          />
          Enabled in batches, promotions and tornado
        </label>
        <label>
          Category
          <select
            value={draft.category}
            onChange={({ currentTarget }) => onChange({ category: currentTarget.value as Category })}
          >
            {Object.entries(categories).map(([value, text]) => (
              <option value={value} key={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Most turns of the caller, 1–50
          <input
            type="number"
            class="short"
            min={1}
            max={50}
            required
            value={draft.maxTurns}
            onInput={({ currentTarget: { valueAsNumber } }) => onChange({ maxTurns: valueAsNumber })}
          />
        </label>
        {nodes.length > 0 && (
          <label>
            Begin at
            <select
              value={draft.startNodeId}
              onChange={({ currentTarget }) => onChange({ startNodeId: currentTarget.value })}
            >
              <option value="">The start node</option>
              {nodes.map(({ id, name }) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Request data, JSON
          <textarea
            class="mono"
            rows={3}
            spellcheck={false}
            value={draft.requestData}
            onInput={({ currentTarget }) => onChange({ requestData: currentTarget.value })}
          />
        </label>
        <label>
          Description (optional)
          <textarea
            rows={2}
            maxLength={2_000}
            value={draft.description}
            onInput={({ currentTarget }) => onChange({ description: currentTarget.value })}
          />
        </label>
      </div>
    </Panel>
  );
}

function AssertionsPanel({
  draft: { assertions },
  nodes,
  problemsOf,
  onChange,
}: PanelProps & { nodes: Nodes; problemsOf: (index: number) => readonly string[] }): JSX.Element {
  return (
    <Panel
      title="Assertions"
      note="What must hold after the conversation. A run passes when all required assertions pass; its score is their weighted mean."
    >
      {assertions.length === 0 ? (
        <Empty title="No assertions">Without one, every conversation that ends passes.</Empty>
      ) : (
        <ol class="assertions">
          {assertions.map((assertion, index) => (
            <AssertionForm
              key={assertion.key}
              assertion={assertion}
              position={index + 1}
              nodes={nodes}
              problems={problemsOf(index)}
              onChange={(changed) =>
                onChange({ assertions: assertions.map((one, at) => (at === index ? changed : one)) })
              }
              onRemove={() => onChange({ assertions: assertions.filter((_, at) => at !== index) })}
            />
          ))}
        </ol>
      )}
      <label class="add-assertion">
        <span class="unseen">Add an assertion</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            const type = currentTarget.value as AssertionType | '';
            currentTarget.value = '';
            if (type !== '') onChange({ assertions: [...assertions, newAssertion(type)] });
          }}
        >
          <option value="">Add an assertion …</option>
          {assertionTypes.map((type) => (
            <option value={type} key={type}>
              {assertionForms[type].title}
            </option>
          ))}
        </select>
      </label>
    </Panel>
  );
}
