import type { JSX, TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { useAction } from '../../api/action.js';
import { resolutionOf } from '../../api/contacts.js';
import { send } from '../../api/request.js';
import { FormEnd } from '../../forms/form-end.js';
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
  const { isBusy, problem, follow } = useAction();
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(requestOf(new FormData(event.currentTarget))), ({ contact }) =>
      route(`/contacts/${contact.id}`),
    );
  };
  return (
    <Panel
      title="Find or add a contact"
      note="Opens the contact with exactly this number, email address or id. It gets what it lacks; if there is none, it is created."
    >
      <form class="plain-form" onSubmit={submit}>
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
        <FormEnd
          problem={problem?.refusal}
          scope="contacts:write"
          button="Find or add"
          isBusy={isBusy}
          request={requestOf}
        />
      </form>
    </Panel>
  );
}
