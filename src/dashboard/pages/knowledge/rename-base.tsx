import type { JSX } from 'preact';
import { type KnowledgeBase, renamingOf } from '../../api/knowledge.js';
import { RequestForm } from '../../forms/request-form.js';

interface RenameProps {
  readonly base: Pick<KnowledgeBase, 'id' | 'name' | 'description'>;
  readonly onRenamed: () => void;
}

/** The text itself cannot be changed: agents would find other passages than those that were tested. */
export function RenameBase({ base: { id, name, description }, onRenamed }: RenameProps): JSX.Element {
  const fieldOf = (fields: FormData, field: string): string => String(fields.get(field) ?? '').trim();
  const requestOf = (fields: FormData) =>
    renamingOf(id, fieldOf(fields, 'name'), fieldOf(fields, 'description'));
  return (
    <details>
      <summary>
        Rename<span class="unseen"> {name}</span>
      </summary>
      <RequestForm
        class="knowledge-form"
        request={requestOf}
        scope="knowledge:write"
        button="Save"
        onSent={onRenamed}
      >
        <label>
          Name
          <input name="name" required maxLength={200} autocomplete="off" defaultValue={name} />
        </label>
        <label>
          Description <span class="note">optional</span>
          <input name="description" maxLength={2_000} autocomplete="off" defaultValue={description} />
        </label>
      </RequestForm>
    </details>
  );
}
