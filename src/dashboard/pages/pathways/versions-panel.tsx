import type { JSX } from 'preact';
import { type Pathway, type PathwayVersionSummary, readVersions } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { addressOfVersion, VersionState } from './version-state.js';

/** All versions of a pathway. */
export function VersionsPanel({ pathway }: { pathway: Pathway }): JSX.Element {
  const versions = useResource(`versions ${pathway.id} ${pathway.updated_at}`, (signal) =>
    readVersions(pathway.id, signal),
  );
  return (
    <Panel
      title="Versions"
      note="A version that was live can be promoted again. A fork is a copy beside the draft."
    >
      <Loaded what="versions" from={versions}>
        {(list) => (
          <WideTable label="Versions, newest first">
            <TableHead columns={{ Version: '', State: '', Note: 'wide-only', Changed: '' }} />
            <tbody>
              {list.map((version) => (
                <VersionRow key={version.id} version={version} />
              ))}
            </tbody>
          </WideTable>
        )}
      </Loaded>
    </Panel>
  );
}

function VersionRow({ version }: { version: PathwayVersionSummary }): JSX.Element {
  const note = [
    version.forked_from === null ? undefined : `Copy of version ${version.forked_from}.`,
    version.note ?? undefined,
  ].filter((part) => part !== undefined);
  return (
    <tr>
      <th scope="row">
        <a href={addressOfVersion(version.pathway_id, version.version_number)}>
          Version {version.version_number}
        </a>
      </th>
      <td>
        <VersionState version={version} />
      </td>
      <td class="wide-only">{note.join(' ') || <span class="muted">–</span>}</td>
      <td>
        <When at={version.updated_at} />
      </td>
    </tr>
  );
}
