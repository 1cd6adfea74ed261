import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { deletePathway, type Pathway, readPathway, readVersion } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Choice } from '../../parts/choice.js';
import { DeletePanel } from '../../parts/delete-panel.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { GraphAndNode } from './graph-and-node.js';
import { RenamePanel } from './rename-panel.js';
import { LivePathway } from './version-state.js';
import { VersionsPanel } from './versions-panel.js';

/** One pathway: its graph, its versions, and its tests. */
export function PathwayPage(): JSX.Element {
  const id = useRoute().params.id ?? '';
  const pathway = useResource(`pathway ${id}`, (signal) => readPathway(id, signal));
  return (
    <Page
      title={pathway.data?.name ?? 'Pathway'}
      above={<Back href="/pathways" text="Pathways" />}
      beside={pathway.data && <Actions pathway={pathway.data} />}
    >
      <Loaded what="pathway" from={pathway}>
        {(shown) => <Parts pathway={shown} onChanged={pathway.reload} />}
      </Loaded>
    </Page>
  );
}

function Actions({ pathway }: { pathway: Pathway }): JSX.Element {
  return (
    <div class="buttons">
      <a class="button" href={`/testing?pathway_id=${pathway.id}`}>
        Scenarios
      </a>
      <a class="button" href={`/testing/analytics/${pathway.id}`}>
        Analytics
      </a>
      <a class="button" href={`/testing/tornado/start/${pathway.id}`}>
        Tornado
      </a>
      <a class="button" href={`/pathways/${pathway.id}/edit`}>
        Edit
      </a>
    </div>
  );
}

function Parts({ pathway, onChanged }: { pathway: Pathway; onChanged: () => void }): JSX.Element {
  const { current_production_version: live, current_draft_version: draft } = pathway;
  const [chosen, setChosen] = useState<'live' | 'draft'>(live === null ? 'draft' : 'live');
  const shown = chosen === 'live' ? (live ?? draft) : (draft ?? live);
  const { route } = useLocation();
  return (
    <>
      {pathway.description !== null && <p class="prose">{pathway.description}</p>}
      {shown !== null && (
        <Shown
          pathway={pathway}
          version={shown.version_number}
          choice={
            live !== null && draft !== null ? (
              <Choice
                label="Version"
                value={chosen}
                options={[
                  ['live', `Live, ${live.version_number}`],
                  ['draft', `Draft, ${draft.version_number}`],
                ]}
                onChange={setChosen}
              />
            ) : (
              <LivePathway pathway={pathway} />
            )
          }
        />
      )}
      <VersionsPanel pathway={pathway} />
      <FollowingNumbers pathway={pathway} />
      <RenamePanel pathway={pathway} onChanged={onChanged} />
      <DeletePanel
        what="pathway"
        note="Deletes all its versions. Results of its tests stay."
        remove={() => deletePathway(pathway.id).then(() => route('/pathways'))}
      />
    </>
  );
}

function FollowingNumbers({ pathway: { numbers } }: { pathway: Pathway }): JSX.Element {
  return (
    <Panel
      title="Numbers"
      note="Inbound calls to these numbers follow the pathway. The page of a number changes it."
    >
      {numbers.length === 0 ? (
        <Empty title="No numbers" />
      ) : (
        <ul class="checks">
          {numbers.map(({ phone_number, version_number: version }) => (
            <li key={phone_number}>
              <a class="figure" href={`/trunks/${phone_number.slice(1)}`}>
                <PhoneNumber text={phone_number} />
              </a>{' '}
              {version === null ? 'Live version' : `Version ${version}`}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Shown({
  pathway,
  version,
  choice,
}: {
  pathway: Pathway;
  version: number;
  choice: JSX.Element;
}): JSX.Element {
  const shown = useResource(`version ${pathway.id} ${version} ${pathway.updated_at}`, (signal) =>
    readVersion(pathway.id, version, signal),
  );
  return (
    <Loaded what="version" from={shown}>
      {(data) => <GraphAndNode version={data} choice={choice} key={data.id} />}
    </Loaded>
  );
}
