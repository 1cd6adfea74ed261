import type { JSX, TargetedSubmitEvent } from 'preact';
import { useAction } from '../../api/action.js';
import { type KnowledgeBase, renamingOf } from '../../api/knowledge.js';
import { send } from '../../api/request.js';
import { FormEnd } from '../../forms/form-end.js';

interface RenameProps {
  readonly base: Pick<KnowledgeBase, 'id' | 'name' | 'description'>;
  readonly onRenamed: () => void;
}

/** The text itself cannot be changed: agents would find other passages than those that were tested. */
export function RenameBase({ base: { id, name, description }, onRenamed }: RenameProps): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const fieldOf = (fields: FormData, field: string): string => String(fields.get(field) ?? '').trim();
  const requestOf = (fields: FormData) =>
    renamingOf(id, fieldOf(fields, 'name'), fieldOf(fields, 'description'));
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(requestOf(new FormData(event.currentTarget))), onRenamed);
  };
  return (
    <details>
      <summary>
        Rename<span class="unseen"> {name}</span>
      </summary>
      <form class="knowledge-form" onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={200} autocomplete="off" defaultValue={name} />
        </label>
        <label>
          Description <span class="note">optional</span>
          <input name="description" maxLength={2_000} autocomplete="off" defaultValue={description} />
        </label>
        <FormEnd
          problem={problem?.refusal}
          scope="knowledge:write"
          button="Save"
          isBusy={isBusy}
          request={requestOf}
        />
      </form>
    </details>
  );
}
