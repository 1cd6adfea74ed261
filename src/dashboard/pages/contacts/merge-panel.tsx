import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import {
  type Contact,
  type ContactSummary,
  mergeOf,
  primaryOf,
  readContacts,
  titleOf,
} from '../../api/contacts.js';
import { send } from '../../api/request.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Empty, Problem } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Panel } from '../../parts/panel.js';

const shown = 8;

/** Finds another contact and merges it into this one. */
export function MergePanel({ contact, onMerged }: { contact: Contact; onMerged: () => void }): JSX.Element {
  const [found, setFound] = useState<readonly ContactSummary[] | undefined>();
  const [chosen, setChosen] = useState<ContactSummary | undefined>();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [done, setDone] = useState<string | undefined>();
  const search = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('search') ?? '').trim();
    setProblem(undefined);
    setChosen(undefined);
    setDone(undefined);
    readContacts({ search: text }).then(
      ({ contacts }) => setFound(contacts.filter(({ id }) => id !== contact.id).slice(0, shown)),
      setProblem,
    );
  };
  const merge = (duplicate: ContactSummary): void => {
    setProblem(undefined);
    send(mergeOf(contact.id, duplicate.id)).then(() => {
      setFound(undefined);
      setChosen(undefined);
      setDone(`${numberText(titleOf(duplicate))} is merged into this contact.`);
      onMerged();
    }, setProblem);
  };
  return (
    <Panel
      title="Merge"
      note="The same person under another number or address? Merge the other contact into this one: its identifiers, memories and calls move here. A merge cannot be undone."
    >
      <form class="filters" onSubmit={search}>
        <label class="finding">
          Other contact
          <input type="search" name="search" required autocomplete="off" placeholder="Name or number" />
        </label>
        <button type="submit">Find</button>
      </form>
      {problem !== undefined && (
        <Problem title="Not merged">
          <p>{problem.message}</p>
        </Problem>
      )}
      <span role="status">{done}</span>
      {chosen === undefined && found !== undefined && found.length === 0 && (
        <Empty title="No other contact matches" />
      )}
      {chosen === undefined && found !== undefined && found.length > 0 && (
        <ul class="checks">
          {found.map((duplicate) => (
            <li key={duplicate.id}>
              <button type="button" class="small" onClick={() => setChosen(duplicate)}>
                Choose
              </button>{' '}
              {numberText(titleOf(duplicate))}
              {duplicate.name !== '' && <span class="note figure"> {primaryOf(duplicate.identifiers)}</span>}
            </li>
          ))}
        </ul>
      )}
      {chosen !== undefined && (
        <div class="confirm">
          <p>
            Merge <strong>{numberText(titleOf(chosen))}</strong> into{' '}
            <strong>{numberText(titleOf(contact))}</strong>?
          </p>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => merge(chosen)}>
              Merge for good
            </button>
            <button type="button" onClick={() => setChosen(undefined)}>
              Keep both
            </button>
          </div>
          <AsCurl requests={() => [mergeOf(contact.id, chosen.id)]} />
        </div>
      )}
    </Panel>
  );
}
