import type { JSX } from 'preact';
import { type Contacts, readContacts } from '../../api/alerts.js';
import { may, whyNot } from '../../api/members.js';
import { useResource } from '../../api/resource.js';
import { Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { ContactForm } from './contact-form.js';
import { notSent } from './contact-problem.js';
import { ContactRow } from './contact-row.js';

/** Recipients of email and SMS alerts for all numbers. */
export function ContactsPanel(): JSX.Element {
  const contacts = useResource('contacts', readContacts);
  return (
    <Panel
      title="Contacts"
      note="Recipients of the alerts of all numbers that have email or SMS enabled; at most ten of each."
    >
      <Loaded what="contacts" from={contacts}>
        {(data) => (
          <>
            <ContactList channel="email" contacts={data} onChanged={contacts.reload} />
            <ContactList channel="sms" contacts={data} onChanged={contacts.reload} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const titles = { email: 'Email', sms: 'SMS' } as const;
const maximumContacts = 10;

interface ContactListProps {
  readonly channel: 'email' | 'sms';
  readonly contacts: Contacts;
  readonly onChanged: () => void;
}

/** The contacts of one channel, and a form to add one. */
function ContactList({ channel, contacts, onChanged }: ContactListProps): JSX.Element {
  const list = channel === 'email' ? contacts.emails : contacts.phone_numbers;
  const problem = !may('alerts:write')
    ? whyNot.value
    : contacts.available[channel]
      ? undefined
      : notSent[channel];
  const addProblem =
    problem ?? (list.length < maximumContacts ? undefined : 'Ten contacts: delete one first.');
  return (
    <section class="contacts" aria-label={titles[channel]}>
      <h3>{titles[channel]}</h3>
      {list.length > 0 && (
        <ul class="contact-list">
          {list.map((contact) => (
            <ContactRow
              key={contact}
              channel={channel}
              contact={contact}
              list={list}
              problem={problem}
              onChanged={onChanged}
            />
          ))}
        </ul>
      )}
      <ContactForm
        channel={channel}
        button="Add"
        problem={addProblem}
        listWith={(contact) => [...list, contact]}
        onSaved={onChanged}
      />
    </section>
  );
}
