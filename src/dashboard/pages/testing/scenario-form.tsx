import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import '../../style/pathways.css';
import '../../style/testing.css';
import { useAction } from '../../api/action.js';
import { ApiFailure } from '../../api/client.js';
import { type Category, categories } from '../../api/testing.js';
import { Choice } from '../../parts/choice.js';
import { Problem, RequestNote } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { AdvancedPanel } from './advanced-panel.js';
import { AssertionsPanel, type Nodes } from './assertions-panel.js';
import { useNodes } from './nodes.js';
import { NumberField } from './number-field.js';
import { invalidJson, type ScenarioDraft } from './scenario-draft.js';
import { type PanelProps, TargetPanel } from './target-panel.js';

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
  const { isBusy, problem: failure, setProblem, follow } = useAction();
  const [isSaved, setSaved] = useState(false);
  const nodes = useNodes(draft.target.kind === 'pathway' ? draft.target.pathwayId || undefined : undefined);
  const change = (changed: Partial<ScenarioDraft>): void => {
    setDraft((before) => ({ ...before, ...changed }));
    setSaved(false);
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const invalid = invalidJson(draft);
    if (invalid !== undefined) {
      setProblem(new ApiFailure(invalid, { status: 0, code: 'PAGE_ERROR' }));
      return;
    }
    follow(save(draft), () => setSaved(true));
  };
  const problemsOf = (index: number): readonly string[] =>
    (failure?.faults ?? [])
      .filter(({ path }) => path === `assertions.${index}` || path?.startsWith(`assertions.${index}.`))
      .map(({ message }) => message);
  const faults = (failure?.faults ?? []).filter(({ path }) => !/^assertions\.\d/.test(path ?? ''));
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
          <AdvancedPanel draft={draft} nodes={nodes} onChange={change} />
        </div>
      </div>
      {failure !== undefined && (
        <Problem title="Not saved">
          {faults.length === 0 ? (
            <p>
              {failure.faults.length === 0
                ? failure.message
                : 'Correct the assertions that are marked above.'}
            </p>
          ) : (
            <ul class="fault-list">
              {faults.map(({ path, message }) => (
                <li key={path}>{message}</li>
              ))}
            </ul>
          )}
          <RequestNote failure={failure} />
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
        {draft.isRequired && (
          <>
            <NumberField
              label="Runs that a promotion begins with"
              range={[1, 50]}
              value={draft.promotionRuns}
              onChange={(promotionRuns) => onChange({ promotionRuns })}
            />
            <NumberField
              label="Pass rate that they must show, in per cent (lower end of the 95 % interval)"
              range={[5, 95]}
              value={draft.requiredPassPercent}
              onChange={(requiredPassPercent) => onChange({ requiredPassPercent })}
            />
          </>
        )}
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
        <NumberField
          label="Most turns of the caller"
          range={[1, 50]}
          value={draft.maxTurns}
          onChange={(maxTurns) => onChange({ maxTurns })}
        />
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
