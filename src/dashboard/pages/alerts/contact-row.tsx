import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type ContactTest, contactsOf, testContact } from '../../api/alerts.js';
import type { ApiFailure } from '../../api/client.js';
import { may, whyNot } from '../../api/members.js';
import { send } from '../../api/request.js';
import { milliseconds } from '../../parts/format.js';
import { numberText } from '../../parts/number-text.js';
import { State } from '../../parts/state.js';
import { ContactForm } from './contact-form.js';

interface ContactRowProps {
  readonly channel: 'email' | 'sms';
  readonly contact: string;
  /** All contacts of the channel. */
  readonly list: readonly string[];
  /** Why nothing can be sent to it. */
  readonly problem: string | undefined;
  readonly onChanged: () => void;
}

/** One contact: test, change, delete. A contact of a channel that cannot work can be deleted. */
export function ContactRow({ channel, contact, list, problem, onChanged }: ContactRowProps): JSX.Element {
  const [test, setTest] = useState<ContactTest | 'sending' | undefined>();
  const [isEdited, setEdited] = useState(false);
  const [failure, setFailure] = useState<string | undefined>();
  const rest = list.filter((item) => item !== contact);
  const failed = ({ message }: ApiFailure): void => setFailure(message);
  const sendTest = (): void => {
    setFailure(undefined);
    setTest('sending');
    testContact(channel, contact).then(setTest, (reason: ApiFailure) => {
      setTest(undefined);
      failed(reason);
    });
  };
  if (isEdited) {
    return (
      <li>
        <ContactForm
          channel={channel}
          contact={contact}
          button="Save"
          problem={problem}
          listWith={(changed) => list.map((item) => (item === contact ? changed : item))}
          onSaved={() => {
            setEdited(false);
            onChanged();
          }}
          onCancel={() => setEdited(false)}
        />
      </li>
    );
  }
  const common = { type: 'button', class: 'small' } as const;
  return (
    <li>
      <span class="contact-head">
        <span class="breakable">{numberText(contact)}</span>
        <span class="buttons">
          <button
            {...common}
            disabled={problem !== undefined || test === 'sending'}
            title={problem}
            aria-label={`Send test to ${contact}`}
            onClick={sendTest}
          >
            Send test
          </button>
          <button
            {...common}
            disabled={problem !== undefined}
            title={problem}
            aria-label={`Change ${contact}`}
            onClick={() => setEdited(true)}
          >
            Change
          </button>
          <button
            {...common}
            disabled={!may('alerts:write')}
            title={may('alerts:write') ? undefined : whyNot.value}
            aria-label={`Delete ${contact}`}
            onClick={() => void send(contactsOf(channel, rest)).then(onChanged, failed)}
          >
            Delete
          </button>
        </span>
      </span>
      <span role="status">{test !== undefined && <TestOutcome test={test} />}</span>
      {failure !== undefined && (
        <span class="field-problem" role="alert">
          {failure}
        </span>
      )}
    </li>
  );
}

function TestOutcome({ test }: { test: ContactTest | 'sending' }): JSX.Element {
  if (test === 'sending') return <span class="muted">Sending …</span>;
  if (test.status === 'delivered') {
    return (
      <>
        <State tone="good">Delivered</State> <span class="muted">in {milliseconds(test.milliseconds)}</span>
      </>
    );
  }
  return (
    <>
      <State tone="bad">Failed</State> <span class="muted">{test.detail}</span>
    </>
  );
}
