import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import {
  compareVersions,
  deleteFork,
  forkVersion,
  type Pathway,
  type PathwayVersion,
  readPathway,
  readVersion,
  readVersions,
  saveVersion,
} from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { DeletePanel } from '../../parts/delete-panel.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { Changes } from './changes.js';
import { Editor } from './editor.js';
import { GraphAndNode } from './graph-and-node.js';
import { PromotionPanel } from './promotion-panel.js';
import { addressOfVersion, isChangeable, VersionState } from './version-state.js';

/** How often the page asks for the result of a promotion. */
const promotionMilliseconds = 1_500;

/** One version of a pathway: its editor or graph, what it changes, and its promotion. */
export function VersionPage(): JSX.Element {
  const { id = '', version = '' } = useRoute().params;
  const [isPromoting, setPromoting] = useState(false);
  const pathway = useResource(
    `pathway ${id}`,
    async (signal) => {
      const data = await readPathway(id, signal);
      setPromoting(data.promotion?.status === 'RUNNING');
      return data;
    },
    isPromoting ? { everyMilliseconds: promotionMilliseconds } : {},
  );
  const shown = useResource(`version ${id} ${version}`, (signal) => readVersion(id, Number(version), signal));
  useReloadAtPromotion(pathway.data, shown.reload);
  const reload = (): void => {
    pathway.reload();
    shown.reload();
  };
  return (
    <Page
      title={pathway.data === undefined ? `Version ${version}` : `${pathway.data.name}, version ${version}`}
      above={<BackToPathway id={id} name={pathway.data?.name} />}
      beside={shown.data && <VersionState version={shown.data} />}
    >
      <Loaded what="pathway" from={pathway}>
        {(parent) => (
          <Loaded what="version" from={shown}>
            {(data) => <Parts pathway={parent} version={data} onChanged={reload} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

/** Whether a version is live is part of it. What a person types meanwhile stays, because the version is not another one. */
function useReloadAtPromotion(pathway: Pathway | undefined, reload: () => void): void {
  const live = pathway && (pathway.current_production_version?.id ?? null);
  const known = useRef(live);
  useEffect(() => {
    if (known.current !== undefined && live !== known.current) reload();
    known.current = live;
  }, [live, reload]);
}

export function BackToPathway({ id, name }: { id: string; name: string | undefined }): JSX.Element {
  return <Back href={`/pathways/${id}`} text={name ?? 'Pathway'} />;
}

function Parts({
  pathway,
  version,
  onChanged,
}: {
  pathway: Pathway;
  version: PathwayVersion;
  onChanged: () => void;
}): JSX.Element {
  const { route } = useLocation();
  const { version_number: number, revision } = version;
  return (
    <>
      <Warnings version={version} />
      {isChangeable(version) ? (
        <Editor
          // A new form after each save, so that the text is what is stored.
          key={`${version.id} ${revision}`}
          version={version}
          action={version.version_type === 'draft' ? 'Save draft' : 'Save fork'}
          save={(document) => saveVersion(pathway.id, number, { document, revision }).then(onChanged)}
        />
      ) : (
        <GraphAndNode version={version} />
      )}
      <PromotionPanel pathway={pathway} version={version} onChanged={onChanged} />
      <ComparePanel pathway={pathway} version={version} />
      <ForkPanel pathway={pathway} version={version} />
      {version.version_type === 'fork' && (
        <DeletePanel
          what="fork"
          note="Deletes this copy. Results of its tests stay."
          remove={() => deleteFork(pathway.id, number).then(() => route(`/pathways/${pathway.id}`))}
        />
      )}
    </>
  );
}

export function Warnings({ version }: { version: PathwayVersion }): JSX.Element | null {
  if (version.warnings.length === 0) return null;
  return (
    <div class="problem mild">
      <p class="problem-title">Check before you promote</p>
      <ul class="fault-list">
        {version.warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

function ComparePanel({ pathway, version }: { pathway: Pathway; version: PathwayVersion }): JSX.Element {
  const own = version.version_number;
  const live = pathway.current_production_version?.version_number;
  const usual = version.forked_from ?? (live === own ? undefined : live);
  const [from, setFrom] = useState(usual);
  const versions = useResource(`versions ${pathway.id}`, (signal) => readVersions(pathway.id, signal));
  const comparable = (versions.data ?? []).filter(({ version_number: number }) => number !== own);
  return (
    <Panel
      title="Changes"
      aside={
        <label>
          Since{' '}
          <select
            value={from ?? ''}
            onChange={({ currentTarget: { value } }) => setFrom(value === '' ? undefined : Number(value))}
          >
            <option value="">Choose a version</option>
            {comparable.map(({ version_number: number }) => (
              <option value={number} key={number}>
                Version {number}
                {number === live ? ', live' : ''}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {from === undefined ? (
        <Empty title="No version to compare with">Choose an earlier version to see what changed since.</Empty>
      ) : (
        <Comparison pathway={pathway} version={version} from={from} />
      )}
    </Panel>
  );
}

function Comparison({
  pathway,
  version,
  from,
}: {
  pathway: Pathway;
  version: PathwayVersion;
  from: number;
}): JSX.Element {
  const to = version.version_number;
  const changes = useResource(`changes ${pathway.id} ${from} ${to} ${version.revision}`, (signal) =>
    compareVersions(pathway.id, { from, to }, signal),
  );
  return (
    <Loaded what="changes" from={changes}>
      {(list) =>
        list.length === 0 ? <Empty title={`No changes since version ${from}`} /> : <Changes changes={list} />
      }
    </Loaded>
  );
}

function ForkPanel({ pathway, version }: { pathway: Pathway; version: PathwayVersion }): JSX.Element {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const fork = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    forkVersion(pathway.id, version.version_number, note).then(
      (made) => route(addressOfVersion(pathway.id, made.version_number)),
      setProblem,
    );
  };
  return (
    <Panel title="Fork" note="Copies this version to try a change without touching the draft.">
      <form class="filters" onSubmit={fork}>
        <label class="finding">
          Reason (optional)
          <input name="note" maxLength={500} autocomplete="off" placeholder="Try a shorter greeting" />
        </label>
        <button type="submit">Fork version {version.version_number}</button>
      </form>
      {problem !== undefined && (
        <Problem title="Not forked">
          <p>{problem.message}</p>
        </Problem>
      )}
    </Panel>
  );
}
