import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import {
  type Contact,
  type Deletion,
  exportAddress,
  readContact,
  readContactCalls,
  readMerges,
  renamingOf,
  titleOf,
} from '../../api/contacts.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Back } from '../../parts/back.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loaded, Loading, Problem } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { CallTable } from '../calls/call-table.js';
import { DeleteContact } from './delete-contact.js';
import { MemoryPanel } from './memory-panel.js';
import { MergePanel } from './merge-panel.js';

/** One contact: who it is, what agents remember, its calls, and what can be done with it. */
export function ContactPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const contact = useResource(id, (signal) => readContact(id, signal));
  const [deletion, setDeletion] = useState<Deletion | undefined>();
  const { data } = contact;
  if (deletion !== undefined) return <Deleted deletion={deletion} />;
  return (
    <Page
      title={data === undefined ? 'Contact' : numberText(titleOf(data))}
      above={<Back href="/contacts" text="Contacts" />}
      beside={
        data !== undefined && (
          <a class="button" href={exportAddress(data.id)} download="contact.json">
            <Icon name="download" /> Export data
          </a>
        )
      }
    >
      {data === undefined && contact.failure?.status === 404 ? (
        <Empty title="Contact not found">
          It was deleted, or never existed. <a href="/contacts">Show all contacts</a>.
        </Empty>
      ) : (
        <Loaded what="contact" from={contact}>
          {(shown) => (
            <div key={shown.id}>
              <Particulars contact={shown} onChange={contact.reload} />
              {shown.memories.map((memory) => (
                <MemoryPanel key={memory.id} memory={memory} />
              ))}
              {shown.memories.length === 0 && (
                <Panel title="Memory">
                  <Empty title="No memory yet">
                    An agent writes it during and after a call, with the call’s token.
                  </Empty>
                </Panel>
              )}
              <Calls id={shown.id} identifiers={shown.identifiers.length} />
              <MergePanel contact={shown} onMerged={contact.reload} />
              <Merges id={shown.id} identifiers={shown.identifiers.length} />
              <DeleteContact contact={shown} onDeleted={setDeletion} />
            </div>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function Deleted({ deletion }: { deletion: Deletion }): JSX.Element {
  const { memories, calls, active_calls: active } = deletion.removed;
  return (
    <Page title="Contact deleted" above={<Back href="/contacts" text="Contacts" />}>
      <Panel title="Removed">
        <Facts
          rows={[
            ['Memories', String(memories)],
            ['Calls that no longer name it', String(calls)],
            ['Active calls, whose records will not name it', String(active)],
            [
              'In the audit log',
              <code class="breakable" key="id">
                {deletion.deletion_id}
              </code>,
            ],
          ]}
        />
      </Panel>
    </Page>
  );
}

const kinds = { phone_number: 'Number', email: 'Email address', external_id: 'Your id' } as const;

function Particulars({ contact, onChange }: { contact: Contact; onChange: () => void }): JSX.Element {
  const [message, setMessage] = useState<string | undefined>();
  const request = (fields: FormData) => renamingOf(contact.id, String(fields.get('name') ?? '').trim());
  const rename = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(request(new FormData(event.currentTarget))).then(
      () => {
        setMessage('Saved.');
        onChange();
      },
      (failure: ApiFailure) => setMessage(failure.message),
    );
  };
  return (
    <Panel title="Contact">
      <form class="filters" onSubmit={rename}>
        <label class="finding">
          Name
          <input name="name" maxLength={200} defaultValue={contact.name} autocomplete="off" />
        </label>
        <button type="submit">Save name</button>
        <span role="status">{message}</span>
        <AsCurl requests={(fields) => [request(fields)]} />
      </form>
      <Facts
        rows={[
          ...contact.identifiers.map(
            (identifier) =>
              [
                kinds[identifier.identifier_type],
                <span class="figure breakable" key={identifier.id}>
                  {numberText(identifier.identifier_value)}
                </span>,
              ] as const,
          ),
          ...Object.entries(contact.metadata).map(
            ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
          ),
          ['Since', <When at={contact.created_at} key="since" />],
          [
            'Contact id',
            <code class="breakable" key="id">
              {contact.id}
            </code>,
          ],
        ]}
      />
    </Panel>
  );
}

/** @param identifiers their number changes with a merge, which brings calls */
function Calls({ id, identifiers }: { id: string; identifiers: number }): JSX.Element {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const after = cursors.at(-1);
  const page = useResource(`${id} ${identifiers} ${after ?? ''}`, (signal) =>
    readContactCalls(id, after, signal),
  );
  return (
    <Panel title="Calls">
      <Loaded what="calls" from={page}>
        {({ calls, next }) =>
          calls.length === 0 ? (
            <Empty title="No calls in the history">Ended calls with this contact are listed here.</Empty>
          ) : (
            <>
              <CallTable calls={calls} />
              <div class="pages">
                {cursors.length > 0 && (
                  <button type="button" class="small" onClick={() => setCursors(cursors.slice(0, -1))}>
                    Newer
                  </button>
                )}
                {next !== null && (
                  <button type="button" class="small" onClick={() => setCursors([...cursors, next])}>
                    Older
                  </button>
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** @param identifiers their number changes with a merge, which loads the history again */
function Merges({ id, identifiers }: { id: string; identifiers: number }): JSX.Element | null {
  const merges = useResource(`${id} ${identifiers}`, (signal) => readMerges(id, signal));
  if (merges.failure !== undefined)
    return (
      <Problem title="No merges to show">
        <p>{merges.failure.message}</p>
      </Problem>
    );
  if (merges.data === undefined) return <Loading what="merges" />;
  if (merges.data.length === 0) return null;
  return (
    <Panel title="Merged into this contact">
      <WideTable label="Merges, newest first">
        <TableHead columns={{ Contact: '', Merged: '', 'By API key': '' }} />
        <tbody>
          {merges.data.map((merge) => (
            <tr key={merge.id}>
              <th scope="row">{numberText(titleOf(merge.merged))}</th>
              <td>
                <When at={merge.merged_at} />
              </td>
              <td class="breakable">
                <code>{merge.merged_by}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Panel>
  );
}
