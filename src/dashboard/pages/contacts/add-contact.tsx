import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { resolutionOf } from '../../api/contacts.js';
import { RequestForm } from '../../forms/request-form.js';
import { Panel } from '../../parts/panel.js';
import '../../style/organization.css';

const fields = [
  ['phone_number', 'Number', '+14155550100', 'tel'],
  ['email', 'Email address', 'jane@example.com', 'email'],
  ['external_id', 'Your id', 'customer-17', 'text'],
  ['name', 'Name', 'Jane Doe', 'text'],
] as const;

export const requestOf = (form: FormData) =>
  resolutionOf(
    Object.fromEntries(
      fields.flatMap(([name]) => {
        const value = String(form.get(name) ?? '').trim();
        return value === '' ? [] : [[name, value]];
      }),
    ),
  );

/** Finds the contact that has one of the identifiers and adds the others to it, or creates it; then opens it. */
export function AddContact(): JSX.Element {
  const { route } = useLocation();
  return (
    <Panel
      title="Find or add a contact"
      note="Opens the contact with exactly this number, email address or id. It gets what it lacks; if there is none, it is created."
    >
      <RequestForm
        request={requestOf}
        scope="contacts:write"
        button="Find or add"
        onSent={({ contact }) => route(`/contacts/${contact.id}`)}
      >
        {fields.map(([name, label, placeholder, inputMode]) => (
          <label key={name}>
            {label}
            <input
              name={name}
              inputMode={inputMode}
              placeholder={placeholder}
              maxLength={256}
              autocomplete="off"
            />
          </label>
        ))}
      </RequestForm>
    </Panel>
  );
}
