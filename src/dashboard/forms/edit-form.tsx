import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Scope } from '../api/keys.js';
import { AsCurl } from '../parts/as-curl.js';
import { count } from '../parts/format.js';
import { Problem, RequestNote } from '../parts/notice.js';
import { FieldsOf } from './fields.js';
import { lackOf } from './lack.js';
import type { Form } from './use-form.js';

interface EditFormProps<Before> {
  /** Names the form for screen readers. */
  readonly label: string;
  /** What the session must be allowed to save. */
  readonly scope: Scope;
  readonly form: Form<Before>;
  readonly button?: string;
  /** Reads what the API has now. */
  readonly reload: () => void;
  /** Called with the data of the answers after all requests have succeeded. */
  readonly onSaved?: (answers: readonly unknown[]) => void;
  /** What saving restricts or deletes: it is shown, and saved with a second click. */
  readonly consequences?: readonly string[];
  readonly children: ComponentChildren;
}

/** A form that changes something, and its end: what is unsaved, what was refused, the requests as curl. */
export function EditForm<Before>({
  label,
  scope,
  form,
  button = 'Save',
  reload,
  onSaved,
  consequences = [],
  children,
}: EditFormProps<Before>): JSX.Element {
  const [isSaved, setSaved] = useState(false);
  // What was confirmed: another change needs another confirmation.
  const [asked, setAsked] = useState('');
  const wanted = consequences.join(' ');
  const isAsking = wanted !== '' && asked === wanted;
  const save = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setSaved(false);
    if (wanted !== '' && !isAsking) {
      setAsked(wanted);
      return;
    }
    const answers = await form.save();
    setAsked('');
    if (answers === undefined) return;
    setSaved(true);
    reload();
    onSaved?.(answers);
  };
  return (
    // The API validates: what it refuses stands at its field.
    <form class="edit-form" aria-label={label} noValidate onSubmit={(event) => void save(event)}>
      <FieldsOf form={form}>{children}</FieldsOf>
      <SaveBar
        form={form}
        button={button}
        reload={reload}
        isSaved={isSaved}
        refusal={lackOf(scope)}
        confirming={isAsking ? consequences : []}
      />
    </form>
  );
}

interface SaveBarProps<Before> {
  readonly form: Form<Before>;
  readonly button: string;
  readonly reload: () => void;
  readonly isSaved: boolean;
  /** Why this session cannot save; undefined: it can. */
  readonly refusal: string | undefined;
  /** What is confirmed by saving now. */
  readonly confirming: readonly string[];
}

/** Drawn after all fields, which note the problems that they show. */
function SaveBar<Before>({
  form,
  button,
  reload,
  isSaved,
  refusal,
  confirming,
}: SaveBarProps<Before>): JSX.Element {
  const isDirty = form.changed.length > 0;
  const problems = form.otherProblems();
  const isConflict = form.failure?.code === 'PRECONDITION_FAILED';
  return (
    <div class={`save-bar ${isDirty ? 'unsaved' : ''}`}>
      {form.failure !== null && (
        <Problem title={isConflict ? 'Changed by another user since you opened it' : 'Not saved'}>
          {isConflict ? (
            <>
              <p>
                Your changes were not saved. Read the new values: your own changes stay in the fields, and
                saving again then replaces only these.
              </p>
              <button type="button" class="small" onClick={reload}>
                Read the new values
              </button>
            </>
          ) : (
            <>
              {problems.map((message) => (
                <p key={message}>{message}</p>
              ))}
              {problems.length === 0 && <p>Correct the marked fields.</p>}
            </>
          )}
          <RequestNote failure={form.failure} isNamed={!isConflict && form.failure.faults.length === 0} />
        </Problem>
      )}
      {confirming.length > 0 && (
        <Problem title="Confirm the restrictions">
          {confirming.map((consequence) => (
            <p key={consequence}>{consequence}</p>
          ))}
        </Problem>
      )}
      <div class="buttons">
        <button
          type="submit"
          class={confirming.length > 0 ? 'danger' : 'primary'}
          disabled={!isDirty || form.isBusy || refusal !== undefined}
        >
          {form.isBusy ? 'Saving …' : confirming.length > 0 ? 'Save all the same' : button}
        </button>
        <button type="button" disabled={!isDirty || form.isBusy} onClick={form.discard}>
          Discard
        </button>
        <span role="status" class="muted save-state">
          {refusal ?? (isDirty ? count(form.changed.length, 'unsaved change') : isSaved ? 'Saved.' : '')}
        </span>
      </div>
      <AsCurl requests={form.requests} />
    </div>
  );
}
