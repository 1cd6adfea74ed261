import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { createScenario, generateScenario, readTemplates, type ScenarioProposal } from '../../api/testing.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Loaded } from '../../parts/notice.js';
import type { AssertionType } from './assertion-fields.js';
import {
  assertionDraft,
  creationOf,
  emptyDraft,
  recordedText,
  type ScenarioDraft,
} from './scenario-draft.js';
import { ScenarioForm } from './scenario-form.js';
import { TranscriptPanel } from './transcript-panel.js';

interface Query {
  readonly template?: string;
  readonly call_id?: string;
  readonly pathway_id?: string;
  readonly persona_id?: string;
}

export const backToScenarios = <Back href="/testing" text="Scenarios" />;

/** A new scenario: empty, from a template, or generated from a call. */
export function NewScenarioPage(): JSX.Element {
  const { query } = useLocation() as { query: Query };
  const initial = useResource(JSON.stringify(query), (signal) => draftFor(query, signal));
  return (
    <Page title="New scenario" above={backToScenarios}>
      <Loaded what="scenario" from={initial}>
        {(begun) => <Begin begun={begun} query={query} key={JSON.stringify(query)} />}
      </Loaded>
    </Page>
  );
}

function Begin({ begun, query: { call_id: callId } }: { begun: Begun; query: Query }): JSX.Element {
  const { route } = useLocation();
  const [generated, setGenerated] = useState<Begun | undefined>();
  const { draft, note, needsTranscript = false } = generated ?? begun;
  return (
    <>
      {note !== undefined && <p class="note">{note}</p>}
      {needsTranscript && callId !== undefined && (
        <TranscriptPanel
          callId={callId}
          onGenerated={(proposal) => setGenerated(fromProposal(proposal, begun.draft))}
        />
      )}
      <ScenarioForm
        key={generated === undefined ? 'begun' : 'generated'}
        initial={draft}
        action="Create scenario"
        save={(changed) =>
          createScenario(creationOf(changed)).then(({ id }) => route(`/testing/scenarios/${id}`))
        }
      />
    </>
  );
}

interface Begun {
  readonly draft: ScenarioDraft;
  readonly note?: string;
  /** True: the call has no stored messages. */
  readonly needsTranscript?: boolean;
}

async function draftFor(query: Query, signal: AbortSignal): Promise<Begun> {
  const { pathway_id: pathwayId = '', persona_id: personaId = '' } = query;
  const target = {
    ...emptyDraft.target,
    kind: personaId === '' ? ('pathway' as const) : ('persona' as const),
    pathwayId,
    personaId,
  };
  const empty = { ...emptyDraft, target };
  if (query.call_id !== undefined) {
    const proposal = generateScenario({ call_id: query.call_id }, signal);
    return proposal.then(
      (made) => fromProposal(made, empty),
      (failure: unknown) => {
        if (!(failure instanceof ApiFailure)) throw failure;
        if (failure.code === 'NO_TRANSCRIPT') return { draft: empty, needsTranscript: true };
        return { draft: empty, note: `Not generated from the call: ${failure.message}` };
      },
    );
  }
  if (query.template === undefined) return { draft: empty };
  const template = (await readTemplates(signal)).find(({ id }) => id === query.template);
  if (template === undefined) return { draft: empty, note: 'This template does not exist.' };
  return {
    note: `From the template “${template.name}”. Change what you need.`,
    draft: {
      ...empty,
      name: template.name,
      description: template.description,
      category: template.category,
      prompt: template.tester_persona_prompt,
      testerName: template.tester_persona_name,
      maxTurns: template.max_turns,
      isToneScored: template.service_tone_enabled,
      assertions: template.assertions.map(({ type, ...rest }) =>
        assertionDraft({ ...rest, type: type as AssertionType }),
      ),
    },
  };
}

function fromProposal(made: ScenarioProposal, empty: ScenarioDraft): Begun {
  return {
    note: `Generated from a call by ${made.generated_by}. Phone numbers, webhook URLs and keys are removed. Check it before you create it.`,
    draft: {
      ...empty,
      name: made.name,
      description: made.description,
      category: made.category,
      prompt: made.tester_persona_prompt,
      testerName: made.tester_persona_name,
      startNodeId: made.start_node_id ?? '',
      requestData: JSON.stringify(made.request_data, null, 2),
      recorded: recordedText(made.input_messages),
      target: {
        ...empty.target,
        kind: made.persona_id !== null && made.pathway_id === null ? 'persona' : 'pathway',
        pathwayId: made.pathway_id ?? '',
        personaId: made.persona_id ?? '',
      },
      assertions: made.assertions.map(assertionDraft),
    },
  };
}
