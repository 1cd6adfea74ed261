import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useAction } from '../../api/action.js';
import {
  deletePersona,
  type Persona,
  promotePersona,
  readKnowledgeBases,
  readPersona,
} from '../../api/personas.js';
import { type Resource, useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { DeletePanel } from '../../parts/delete-panel.js';
import { Loaded } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { LatestPromotion, NotPromoted, reasonsOf } from '../pathways/promotion-panel.js';
import { DraftPanel } from './draft-panel.js';
import { NumbersPanel } from './numbers-panel.js';
import { LiveState } from './personas-page.js';
import { agentText, factsOf, knowledgeText, type Names } from './version-facts.js';
import { VersionsPanel } from './versions-panel.js';

/** How often the page asks for the result of a promotion. */
const promotionMilliseconds = 1_500;

/** One persona: what calls get, what the next promotion makes live, and its numbers. */
export function PersonaPage(): JSX.Element {
  const id = useRoute().params.id ?? '';
  const [isPromoting, setPromoting] = useState(false);
  const persona = useResource(
    `persona ${id}`,
    async (signal) => {
      const data = await readPersona(id, signal);
      setPromoting(data.promotion?.status === 'RUNNING');
      return data;
    },
    isPromoting ? { everyMilliseconds: promotionMilliseconds } : {},
  );
  return (
    <Page title={persona.data?.name ?? 'Persona'} above={<Back href="/personas" text="Personas" />}>
      <Loaded what="the persona" from={persona}>
        {(shown) => <Parts persona={shown} onChanged={persona.reload} />}
      </Loaded>
    </Page>
  );
}

function Parts({ persona, onChanged }: { persona: Persona; onChanged: () => void }): JSX.Element {
  const bases = useResource('knowledge bases', readKnowledgeBases);
  const names = new Map((bases.data ?? []).map(({ id, name }) => [id, name]));
  return (
    <>
      <LivePanel persona={persona} names={names} />
      <PromotionPanel persona={persona} names={names} onChanged={onChanged} />
      <KnowledgeLoaded bases={bases} persona={persona} onChanged={onChanged} />
      <NumbersPanel persona={persona} onChanged={onChanged} />
      <VersionsPanel persona={persona} names={names} />
      <DeletePersona persona={persona} />
    </>
  );
}

function KnowledgeLoaded({
  bases,
  persona,
  onChanged,
}: {
  bases: Resource<Awaited<ReturnType<typeof readKnowledgeBases>>>;
  persona: Persona;
  onChanged: () => void;
}): JSX.Element {
  return (
    <Loaded what="knowledge bases" from={bases}>
      {(list) => <DraftPanel persona={persona} bases={list} onChanged={onChanged} />}
    </Loaded>
  );
}

function LivePanel({ persona, names }: { persona: Persona; names: Names }): JSX.Element {
  const live = persona.current_production_version;
  return (
    <Panel title="Live" aside={<LiveState persona={persona} />} note="What the agent of the next call gets.">
      {live !== null && <Facts rows={factsOf(live, names)} />}
    </Panel>
  );
}

function PromotionPanel({
  persona,
  names,
  onChanged,
}: {
  persona: Persona;
  names: Names;
  onChanged: () => void;
}): JSX.Element | null {
  const { isBusy, problem, follow } = useAction();
  const { current_draft_version: draft, promotion } = persona;
  const shown = draft ?? persona.current_production_version;
  const isOfThis = promotion !== null && promotion.version_number === shown?.version_number;
  if (draft === null && !isOfThis) return null;
  const promote = (): void => follow(promotePersona(persona.id), onChanged);
  if (draft === null)
    return <Panel title="Last promotion">{isOfThis && <LatestPromotion promotion={promotion} />}</Panel>;
  return (
    <Panel
      title={`Draft, version ${draft.version_number}`}
      note="Saved, and not used by any call. It becomes live when the scenarios that are required pass; active calls keep their version."
    >
      <Facts
        rows={[
          ['Knowledge', knowledgeText(draft, names)],
          ['Agent', agentText(draft)],
        ]}
      />
      {problem !== undefined && <NotPromoted reasons={reasonsOf(problem)} />}
      {isOfThis && <LatestPromotion promotion={promotion} />}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={isBusy || promotion?.status === 'RUNNING'}
          onClick={promote}
        >
          Promote
        </button>
        <a class="button" href={`/testing?persona_id=${persona.id}`}>
          Scenarios
        </a>
        <a class="button" href={`/testing/generate?persona_id=${persona.id}`}>
          Generate scenarios
        </a>
      </div>
    </Panel>
  );
}

function DeletePersona({ persona }: { persona: Persona }): JSX.Element {
  const { route } = useLocation();
  return (
    <DeletePanel
      what="persona"
      note="Detach its numbers first. Calls that are ordered keep its last live version."
      remove={() => deletePersona(persona.id).then(() => route('/personas'))}
    />
  );
}
