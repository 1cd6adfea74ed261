import type { JSX, TargetedSubmitEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { contactsOf } from '../../api/alerts.js';
import { send } from '../../api/request.js';
import { AsCurl } from '../../parts/as-curl.js';
import '../../style/organization.css';

interface ContactFormProps {
  readonly channel: 'email' | 'sms';
  /** The contact to change; absent: a new one. */
  readonly contact?: string;
  readonly button: string;
  /** Why it is disabled. */
  readonly problem: string | undefined;
  /** The whole list of the channel with what was entered. */
  readonly listWith: (contact: string) => string[];
  readonly onSaved: () => void;
  readonly onCancel?: () => void;
}

const fields = {
  email: { label: 'Email address', inputMode: 'email', placeholder: 'noc@example.com' },
  sms: { label: 'Phone number', inputMode: 'tel', placeholder: '+1 415 555 0123' },
} as const;

/** Adds or changes one contact. */
export function ContactForm(props: ContactFormProps): JSX.Element {
  const { channel, contact, button, problem, listWith, onSaved, onCancel } = props;
  const form = useRef<HTMLFormElement>(null);
  const reason = useId();
  const { isBusy, problem: failure, follow } = useAction();
  const { label, inputMode, placeholder } = fields[channel];
  const request = () => {
    const entered = String(new FormData(form.current!).get('contact') ?? '').trim();
    return contactsOf(channel, listWith(entered));
  };
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(request()), () => {
      if (contact === undefined) form.current?.reset();
      onSaved();
    });
  };
  return (
    <form class="plain-form" ref={form} onSubmit={save}>
      <label>
        {contact === undefined ? label : `${label} instead of ${contact}`}
        <input
          name="contact"
          inputMode={inputMode}
          required
          maxLength={254}
          autocomplete="off"
          placeholder={placeholder}
          defaultValue={contact}
          disabled={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : reason}
        />
      </label>
      {problem !== undefined && (
        <p class="note" id={reason}>
          {problem}
        </p>
      )}
      {failure !== undefined && (
        <p class="field-problem" role="alert">
          {failure.refusal}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="small" disabled={problem !== undefined || isBusy}>
          {button}
        </button>
        {onCancel !== undefined && (
          <button type="button" class="small" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
      {problem === undefined && <AsCurl requests={() => [request()]} />}
    </form>
  );
}
