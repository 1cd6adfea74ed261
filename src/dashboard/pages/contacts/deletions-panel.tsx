import type { JSX } from 'preact';
import { type RecordedDeletion, readDeletions } from '../../api/contacts.js';
import { useResource } from '../../api/resource.js';
import { count } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';

/** Evidence of erasures: who deleted when, and how much, but not whom. */
export function DeletionsPanel(): JSX.Element {
  const deletions = useResource('deletions', readDeletions);
  return (
    <Loaded what="deletions" from={deletions}>
      {(list) => <DeletionList deletions={list} />}
    </Loaded>
  );
}

export function DeletionList({ deletions }: { deletions: readonly RecordedDeletion[] }): JSX.Element | null {
  if (deletions.length === 0) return null;
  return (
    <Panel title="Deleted contacts" note="Who deleted when, and how much; not whom. The newest 50.">
      <WideTable label="Deleted contacts, newest first">
        <TableHead columns={{ Deleted: '', By: '', Removed: '' }} />
        <tbody>
          {deletions.map(({ deletion_id, deleted_at, deleted_by, removed }) => (
            <tr key={deletion_id}>
              <th scope="row">
                <When at={deleted_at} />
              </th>
              <td class="mono breakable">{deleted_by}</td>
              <td>
                {count(removed.memories, 'memory', 'memories')}, {count(removed.calls, 'call record')},{' '}
                {count(removed.trace_messages, 'SIP message')}
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Panel>
  );
}
