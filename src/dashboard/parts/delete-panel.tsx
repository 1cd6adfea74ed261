import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/action.js';
import { Problem } from './notice.js';
import { Panel } from './panel.js';

interface DeletePanelProps {
  /** What is deleted: `contact`. */
  readonly what: string;
  /** What the deletion takes with it, and what stays. */
  readonly note: ComponentChildren;
  /** Rejects with an `ApiFailure`, which is shown. */
  readonly remove: () => Promise<void>;
  /** Text that must be written before deletion, and the sentence that asks for it. Absent: a second click is enough. */
  readonly written?: { readonly text: string; readonly request: ComponentChildren };
}

/** Deletes the thing that a page is about, after a confirmation. */
export function DeletePanel({ what, note, remove, written }: DeletePanelProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [text, setText] = useState('');
  const { isBusy, problem, follow } = useAction();
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(remove());
  };
  const isConfirmed = written === undefined || text.trim() === written.text;
  return (
    <Panel title="Delete" note={note}>
      {problem !== undefined && (
        <Problem title="Not deleted">
          <p>{problem.message}</p>
        </Problem>
      )}
      {isAsking ? (
        <form class="confirm" onSubmit={submit}>
          {written !== undefined && (
            <label>
              <span>{written.request}</span>
              <input
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
                autocomplete="off"
              />
            </label>
          )}
          <div class="buttons">
            <button type="submit" class="danger" disabled={!isConfirmed || isBusy}>
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
            Delete {what}
          </button>
        </div>
      )}
    </Panel>
  );
}
