import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../api/client.js';
import { type Contact, type Deletion, deleteContact, exportAddress, titleOf } from '../api/contacts.js';
import { Problem } from '../parts/notice.js';
import { Panel } from '../parts/panel.js';

/** Deletes the contact, once its name or number is written out. */
export function DeletePanel({
  contact,
  onDeleted,
}: {
  contact: Contact;
  onDeleted: (deletion: Deletion) => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const title = titleOf(contact);
  const remove = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    deleteContact(contact.id).then(onDeleted, (failure: ApiFailure) => {
      setProblem(failure);
      setBusy(false);
    });
  };
  return (
    <Panel
      title="Delete"
      note="For a request for erasure: deletes the contact with its memories, takes it out of call records and deletes their SIP traces. Times and quality figures stay. Upcoming calls to it are cancelled."
    >
      {problem !== undefined && (
        <Problem title="Not deleted">
          <p>{problem.message}</p>
        </Problem>
      )}
      {isAsking ? (
        <form class="confirm" onSubmit={remove}>
          <label>
            <span>
              Write <strong>{title}</strong> to delete it for good. It cannot be undone;{' '}
              <a href={exportAddress(contact.id)} download="contact.json">
                export its data
              </a>{' '}
              first if you need them.
            </span>
            <input value={text} onInput={(event) => setText(event.currentTarget.value)} autocomplete="off" />
          </label>
          <div class="buttons">
            <button type="submit" class="danger" disabled={text.trim() !== title || isBusy}>
              Delete for good
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Keep it
            </button>
          </div>
        </form>
      ) : (
        <div class="buttons">
          <button type="button" onClick={() => setAsking(true)}>
            Delete contact
          </button>
        </div>
      )}
    </Panel>
  );
}
