import type { JSX } from 'preact';
import { readPathways } from '../../api/pathways.js';
import { readPersonas } from '../../api/personas.js';
import { useResource } from '../../api/resource.js';
import { Choice } from '../../parts/choice.js';
import { Panel } from '../../parts/panel.js';
import type { ScenarioDraft, TargetKind } from './scenario-draft.js';
import { VoiceSettings } from './voice-settings.js';

/** A part of the form of a scenario. */
export interface PanelProps {
  readonly draft: ScenarioDraft;
  readonly onChange: (changed: Partial<ScenarioDraft>) => void;
}

/** What a scenario converses with. */
export function TargetPanel({ draft, isStored, onChange }: PanelProps & { isStored: boolean }): JSX.Element {
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
          <VoiceSettings
            voice={draft.voice}
            onChange={(changed) => onChange({ voice: { ...draft.voice, ...changed } })}
          />
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
