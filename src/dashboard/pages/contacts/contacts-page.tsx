import type { JSX, TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { type ContactSearch, type ContactSummary, readContacts, titleOf } from '../../api/contacts.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { AddContact } from './add-contact.js';
import { DeletionsPanel } from './deletions-panel.js';

const to = (search: ContactSearch): string =>
  `/contacts${query({ search: search.search, after: search.after })}`;

/** The people that the organization talks to. */
export function ContactsPage(): JSX.Element {
  const { query: given, route } = useLocation() as {
    query: ContactSearch;
    route: (url: string) => void;
  };
  const search: ContactSearch = { search: given.search || undefined, after: given.after };
  const page = useResource(JSON.stringify(search), (signal) => readContacts(search, signal));
  const find = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('search') ?? '').trim();
    route(to({ search: text || undefined }));
  };
  return (
    <Page title="Contacts">
      <Panel title="People you talk to" note="Every caller and callee with a number becomes a contact.">
        <form class="filters" onSubmit={find}>
          <label class="finding">
            Name, number, email address or your own id
            <input
              type="search"
              name="search"
              key={search.search}
              defaultValue={search.search}
              autocomplete="off"
              placeholder="Jane, 0100, jane@example.com"
            />
          </label>
          <button type="submit">Search</button>
        </form>
        <Loaded what="contacts" from={page}>
          {({ contacts, next }) => (
            <>
              {contacts.length === 0 ? (
                <NoContacts search={search.search} />
              ) : (
                <ContactTable contacts={contacts} />
              )}
              <nav class="pages" aria-label="Pages of contacts">
                {search.after !== undefined && <a href={to({ search: search.search })}>Newest</a>}
                {next !== null && <a href={to({ search: search.search, after: next })}>Older</a>}
              </nav>
            </>
          )}
        </Loaded>
      </Panel>
      {search.search === undefined && search.after === undefined && (
        <>
          <AddContact />
          <DeletionsPanel />
        </>
      )}
    </Page>
  );
}

function NoContacts({ search }: { search: string | undefined }): JSX.Element {
  if (search === undefined) {
    return (
      <Empty title="No contacts yet">
        The first call from or to a number creates one; see <a href="/trunks">Trunks</a>.
      </Empty>
    );
  }
  return (
    <Empty title={`No contact matches “${search}”`}>
      Words match the beginning of a name, an email address or an id; digits the beginning or the end of a
      number. <a href="/contacts">Show all contacts</a>.
    </Empty>
  );
}

const valuesOf = (contact: ContactSummary, type: string): string =>
  contact.identifiers
    .flatMap((identifier) =>
      identifier.identifier_type === type ? numberText(identifier.identifier_value) : [],
    )
    .join(', ');

function ContactTable({ contacts }: { contacts: readonly ContactSummary[] }): JSX.Element {
  return (
    <WideTable label="Contacts, newest first">
      <TableHead
        columns={{ Name: '', Number: '', Email: 'wide-only', 'Your id': 'wide-only', Created: 'wide-only' }}
      />
      <tbody>
        {contacts.map((contact) => (
          <tr key={contact.id}>
            <th scope="row" class="breakable">
              <a href={`/contacts/${contact.id}`}>{numberText(titleOf(contact))}</a>
            </th>
            <td class="figure">{valuesOf(contact, 'phone_number') || '–'}</td>
            <td class="wide-only breakable">{valuesOf(contact, 'email') || '–'}</td>
            <td class="wide-only breakable">{valuesOf(contact, 'external_id') || '–'}</td>
            <td class="wide-only">
              <When at={contact.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
