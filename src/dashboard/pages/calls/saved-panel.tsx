import type { JSX, TargetedSubmitEvent } from 'preact';
import { query } from '../../api/client.js';
import { readSaved, type SavedSearch, withoutSaved, withSaved } from './saved-searches.js';
import { isFiltered, type Search } from './search.js';
import { useStored } from './stored.js';

/** The saved searches as links, and a form that saves the present one. */
export function SavedSearches({ search }: { search: Search }): JSX.Element | null {
  const [saved, keepText] = useStored('searches', readSaved);
  const keep = (changed: readonly SavedSearch[]): void => keepText(changed, JSON.stringify(changed));
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    keep(withSaved(saved, String(new FormData(event.currentTarget).get('saved_name') ?? ''), search));
    event.currentTarget.reset();
  };
  const canSave = isFiltered(search);
  if (saved.length === 0 && !canSave) return null;
  return (
    <div class="saved-searches">
      {saved.length > 0 && (
        <ul aria-label="Saved searches">
          {saved.map(({ name, search: wanted }) => (
            <li key={name}>
              <a href={`/calls${query({ ...wanted })}`}>{name}</a>
              <button
                type="button"
                class="bare small"
                aria-label={`Forget the search ${name}`}
                onClick={() => keep(withoutSaved(saved, name))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {canSave && (
        <form onSubmit={save} aria-label="Save this search">
          <label>
            <span class="unseen">Name of the search</span>
            <input
              name="saved_name"
              required
              maxLength={60}
              placeholder="Name of the search"
              autocomplete="off"
            />
          </label>
          <button type="submit" class="small">
            Save search
          </button>
        </form>
      )}
    </div>
  );
}
