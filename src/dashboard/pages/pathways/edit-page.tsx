import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type Pathway, readPathway, readVersion, saveDraft } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Loaded } from '../../parts/notice.js';
import { Editor } from './editor.js';
import { BackToPathway } from './version-page.js';
import { addressOfVersion } from './version-state.js';

/** Leads to the draft; without one, changes of the live version make it. */
export function EditPathwayPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const pathway = useResource(`pathway ${id}`, (signal) => readPathway(id, signal));
  const draft = pathway.data?.current_draft_version?.version_number;
  useEffect(() => {
    if (draft !== undefined) route(addressOfVersion(id, draft), true);
  }, [draft, id, route]);
  return (
    <Page
      title={pathway.data === undefined ? 'Edit pathway' : `Edit ${pathway.data.name}`}
      above={<BackToPathway id={id} name={pathway.data?.name} />}
    >
      <Loaded what="pathway" from={pathway}>
        {(data) => (draft === undefined ? <NewDraft pathway={data} /> : null)}
      </Loaded>
    </Page>
  );
}

function NewDraft({ pathway }: { pathway: Pathway }): JSX.Element {
  const { route } = useLocation();
  const live = pathway.current_production_version?.version_number ?? 1;
  const version = useResource(`version ${pathway.id} ${live}`, (signal) =>
    readVersion(pathway.id, live, signal),
  );
  return (
    <>
      <p class="note">Saving makes a draft. The live version {live} does not change.</p>
      <Loaded what="version" from={version}>
        {(data) => (
          <Editor
            version={data}
            action="Save as draft"
            save={(document) =>
              saveDraft(pathway.id, document).then(({ current_draft_version: made }) =>
                route(addressOfVersion(pathway.id, made?.version_number ?? live)),
              )
            }
          />
        )}
      </Loaded>
    </>
  );
}
