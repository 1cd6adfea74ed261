import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { type Contacts, readContacts, saveContacts } from '../api/alerts.js';
import type { ApiFailure } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Loaded } from '../parts/notice.js';
import { Panel } from '../parts/panel.js';

/** Recipients of email and SMS alerts for all numbers. */
export function ContactsPanel(): JSX.Element {
  const contacts = useResource('contacts', readContacts);
  return (
    <Panel
      title="Contacts"
      note="Recipients of this organization’s email and SMS alerts. One per line, at most ten."
    >
      <Loaded what="contacts" from={contacts}>
        {(data) => <ContactsForm contacts={data} onSaved={contacts.reload} />}
      </Loaded>
    </Panel>
  );
}

/** Why a channel cannot work. */
export const notSent = {
  email: 'This service cannot send email: its operator has not set DEMARC_SMTP_URL.',
  sms: 'This service cannot send SMS: its operator has not set DEMARC_SMS_ACCOUNT.',
} as const;

const lines = (text: FormDataEntryValue | null): string[] =>
  String(text ?? '')
    .split(/[\s,;]+/)
    .filter((line) => line !== '');

function ContactsForm({ contacts, onSaved }: { contacts: Contacts; onSaved: () => void }): JSX.Element {
  const [message, setMessage] = useState<readonly [kind: 'good' | 'bad', text: string] | undefined>();
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    saveContacts({ emails: lines(form.get('emails')), phone_numbers: lines(form.get('phone_numbers')) }).then(
      () => {
        setMessage(['good', 'Saved.']);
        onSaved();
      },
      (failure: ApiFailure) => setMessage(['bad', failure.message]),
    );
  };
  return (
    <form class="contacts" onSubmit={save}>
      <label>
        Email addresses
        <textarea name="emails" rows={3} defaultValue={contacts.emails.join('\n')} spellcheck={false} />
        {!contacts.available.email && <small class="field-problem">{notSent.email}</small>}
      </label>
      <label>
        Phone numbers for SMS
        <textarea
          name="phone_numbers"
          rows={3}
          defaultValue={contacts.phone_numbers.join('\n')}
          spellcheck={false}
        />
        {!contacts.available.sms && <small class="field-problem">{notSent.sms}</small>}
      </label>
      <div class="buttons">
        <button type="submit" class="small">
          Save
        </button>
        <span role="status" class={message?.[0] === 'bad' ? 'field-problem' : 'muted'}>
          {message?.[1]}
        </span>
      </div>
    </form>
  );
}
