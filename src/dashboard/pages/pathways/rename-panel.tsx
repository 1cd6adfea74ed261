import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { type Pathway, renamePathway } from '../../api/pathways.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

/** Changes name and description, which belong to the pathway and to no version of it. */
export function RenamePanel({
  pathway,
  onChanged,
}: {
  readonly pathway: Pathway;
  readonly onChanged: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [isSaved, setSaved] = useState(false);
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    setSaved(false);
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    renamePathway(pathway.id, { name: text('name'), description: text('description') || null }).then(() => {
      setSaved(true);
      onChanged();
    }, setProblem);
  };
  return (
    <Panel title="Name and description" note="They change at once, for all versions.">
      <form class="stacked" onSubmit={save}>
        <label>
          Name
          <input name="name" required maxLength={200} autocomplete="off" defaultValue={pathway.name} />
        </label>
        <label>
          Description (optional)
          <textarea name="description" rows={2} maxLength={2_000} defaultValue={pathway.description ?? ''} />
        </label>
        {problem !== undefined && (
          <Problem title="Not renamed">
            <p>{problem.message}</p>
          </Problem>
        )}
        <div class="buttons save-line">
          <button type="submit">Rename</button>
          {isSaved && <span role="status">Saved.</span>}
        </div>
      </form>
    </Panel>
  );
}
