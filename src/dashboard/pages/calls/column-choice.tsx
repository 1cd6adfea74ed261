import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { session } from '../../api/session.js';
import {
  type ColumnName,
  columnHeadings,
  columnNames,
  defaultColumns,
  readColumns,
  withColumn,
} from './columns.js';

/** Beside the saved searches: in this browser, apart for each organization. */
const storageName = (): string => `demarc.columns.${session.value?.organization.id}`;

function stored(): readonly ColumnName[] {
  try {
    return readColumns(localStorage.getItem(storageName()));
  } catch {
    // Storage is blocked.
    return defaultColumns;
  }
}

/** The columns that the user has chosen, and a function that keeps another choice. */
export function useColumns(): readonly [
  columns: readonly ColumnName[],
  choose: (columns: readonly ColumnName[]) => void,
] {
  const [columns, setColumns] = useState(stored);
  const choose = (chosen: readonly ColumnName[]): void => {
    setColumns(chosen);
    try {
      // A default that is not stored can change with the release.
      if (chosen === defaultColumns) localStorage.removeItem(storageName());
      else localStorage.setItem(storageName(), JSON.stringify(chosen));
    } catch {
      // Storage is blocked: the choice lasts as long as the page.
    }
  };
  return [columns, choose];
}

interface ColumnChoiceProps {
  readonly columns: readonly ColumnName[];
  readonly onChoose: (columns: readonly ColumnName[]) => void;
}

/** Not on narrow screens, where a row shows a call in lines and has no such columns. */
export function ColumnChoice({ columns, onChoose }: ColumnChoiceProps): JSX.Element {
  return (
    <details class="column-choice wide-only">
      <summary>Columns</summary>
      <fieldset class="choices">
        <legend class="unseen">Columns of past calls</legend>
        {columnNames.map((name) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              checked={columns.includes(name)}
              onChange={({ currentTarget }) => onChoose(withColumn(columns, name, currentTarget.checked))}
            />
            {columnHeadings[name]}
          </label>
        ))}
        <button type="button" class="small" onClick={() => onChoose(defaultColumns)}>
          Default columns
        </button>
      </fieldset>
    </details>
  );
}
