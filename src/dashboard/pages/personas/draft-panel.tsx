import type { JSX } from 'preact';
import { readPathways } from '../../api/pathways.js';
import { changeOf, type KnowledgeBase, type Persona, type PersonaChange } from '../../api/personas.js';
import { useResource } from '../../api/resource.js';
import { type AgentField, agentBody, agentField } from '../../forms/agent.js';
import { PersonaAgentFields } from '../../forms/agent-fields.js';
import { EditForm } from '../../forms/edit-form.js';
import { isSame } from '../../forms/edits.js';
import {
  FieldProblem,
  NumberField,
  ProseField,
  SelectField,
  TextField,
  useField,
} from '../../forms/fields.js';
import { type FormRequest, useForm } from '../../forms/use-form.js';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';

/** What the form edits, under the API's names. */
export interface DraftFields {
  readonly kb_ids: readonly string[];
  readonly orchestration_prompt?: string | undefined;
  readonly personality_prompt?: string | undefined;
  readonly agent?: AgentField;
  readonly pathway_id?: string | undefined;
  readonly pathway_version?: number | undefined;
  readonly voice?: string | undefined;
}

interface DraftProps {
  readonly persona: Persona;
  readonly bases: readonly KnowledgeBase[];
  readonly onChanged: () => void;
}

/** The form of the draft: knowledge, prompts, the agent, pathway and voice. Saving changes no call. */
export function DraftPanel({ persona, bases, onChanged }: DraftProps): JSX.Element {
  const form = useForm({
    before: draftFields(persona),
    requests: (before, draft) => draftRequests(persona.id, before, draft),
  });
  return (
    <Panel title="Edit the draft">
      <EditForm
        label="Draft"
        scope="personas:write"
        button="Save draft"
        form={form}
        reload={() => {}}
        onSaved={onChanged}
      >
        <KnowledgeField bases={bases} />
        <div class="fields-grid">
          <ProseField path="orchestration_prompt" label="What the agent does" rows={4} />
          <ProseField path="personality_prompt" label="How the agent speaks" rows={2} />
        </div>
        <fieldset class="form-section">
          <legend>Agent of its calls</legend>
          <PersonaAgentFields />
        </fieldset>
        <ConversationFields />
      </EditForm>
    </Panel>
  );
}

function ConversationFields(): JSX.Element {
  const { data = [] } = useResource('pathways', readPathways);
  const { value } = useField('pathway_id');
  // One that is outside the list stays chosen.
  const unlisted = typeof value === 'string' && !data.some(({ id }) => id === value) ? [value] : [];
  return (
    <fieldset class="form-section">
      <legend>Conversation</legend>
      <div class="fields-grid">
        <SelectField
          path="pathway_id"
          label="Pathway"
          note="What the agent follows. A number’s own pathway takes precedence."
          options={[
            ['', 'None'],
            ...unlisted.map((id): [string, string] => [id, id]),
            ...data.map(({ id, name }): [string, string] => [id, name]),
          ]}
        />
        <NumberField
          path="pathway_version"
          label="Version of the pathway"
          note="Empty: the version that is live when a call begins. Drafts and forks have passed no gate."
          least={1}
          most={1_000_000}
          placeholder="Live"
        />
        <TextField
          path="voice"
          label="Voice"
          note="Name of a voice, as your agent knows it: calls with the persona ask for it."
        />
      </div>
    </fieldset>
  );
}

/** The draft, else what is live. */
export function draftFields(
  persona: Pick<Persona, 'current_draft_version' | 'current_production_version'>,
): DraftFields {
  const version = persona.current_draft_version ?? persona.current_production_version;
  return {
    kb_ids: version?.kb_ids ?? [],
    orchestration_prompt: version?.orchestration_prompt ?? undefined,
    personality_prompt: version?.personality_prompt ?? undefined,
    agent: agentField(version?.agent ?? null),
    pathway_id: version?.pathway_id ?? undefined,
    pathway_version: version?.pathway_version ?? undefined,
    voice: version?.voice ?? undefined,
  };
}

/** None: nothing differs. What does not differ is left out, so that a WebSocket server keeps its settings. */
export function draftRequests(id: string, before: DraftFields, draft: DraftFields): readonly FormRequest[] {
  const prompt = (text: string | undefined): string | null => text?.trim() || null;
  const values: Required<Pick<PersonaChange, keyof DraftFields>> = {
    kb_ids: [...draft.kb_ids],
    orchestration_prompt: prompt(draft.orchestration_prompt),
    personality_prompt: prompt(draft.personality_prompt),
    agent: agentBody(draft.agent) ?? null,
    pathway_id: draft.pathway_id ?? null,
    pathway_version: draft.pathway_id === undefined ? null : (draft.pathway_version ?? null),
    voice: draft.voice?.trim() || null,
  };
  const differs = (name: keyof DraftFields): boolean => !isSame(before[name], draft[name]);
  // A version is one of the pathway beside it.
  const isPathwayChanged = differs('pathway_id') || differs('pathway_version');
  const changed = (Object.keys(values) as (keyof DraftFields)[]).filter((name) =>
    name.startsWith('pathway_') ? isPathwayChanged : differs(name),
  );
  if (changed.length === 0) return [];
  const change: PersonaChange = Object.fromEntries(changed.map((name) => [name, values[name]]));
  return [{ request: changeOf(id, change), fieldOf: (path) => path }];
}

function KnowledgeField({ bases }: { bases: readonly KnowledgeBase[] }): JSX.Element {
  const field = useField('kb_ids');
  const chosen = (field.value ?? []) as readonly string[];
  // Knowledge outside the list, older or deleted, stays chosen unless it is unchecked.
  const unlisted = chosen.filter((id) => !bases.some((base) => base.id === id));
  const choose = (id: string, isChosen: boolean): void =>
    field.set(isChosen ? [...chosen, id] : chosen.filter((kept) => kept !== id));
  return (
    <fieldset class="choices">
      <legend>Knowledge bases that the agent may search</legend>
      {bases.length === 0 && unlisted.length === 0 && (
        <Empty title="No knowledge bases">Add a text to the organization’s knowledge first.</Empty>
      )}
      {bases.map(({ id, name, status }) => (
        <KnowledgeChoice key={id} isChosen={chosen.includes(id)} onChoose={(is) => choose(id, is)}>
          {name} {status !== 'COMPLETED' && <NamedState name={status.toLowerCase()} />}
        </KnowledgeChoice>
      ))}
      {unlisted.map((id) => (
        <KnowledgeChoice key={id} isChosen onChoose={(is) => choose(id, is)}>
          <code>{id}</code>
        </KnowledgeChoice>
      ))}
      <FieldProblem text={field.problem} />
    </fieldset>
  );
}

function KnowledgeChoice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  children: JSX.Element | (string | JSX.Element | false)[];
}): JSX.Element {
  return (
    <label class="choice-line">
      <input
        type="checkbox"
        name="kb_ids"
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
