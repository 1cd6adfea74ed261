import type { JSX } from 'preact';
import {
  type ColumnName,
  columnHeadings,
  columnNames,
  defaultColumns,
  readColumns,
  withColumn,
} from './columns.js';
import { useStored } from './stored.js';

/** The columns that the user has chosen, and a function that keeps another choice. */
export function useColumns(): readonly [
  columns: readonly ColumnName[],
  choose: (columns: readonly ColumnName[]) => void,
] {
  const [columns, keep] = useStored('columns', readColumns);
  return [
    columns,
    // A default that is not stored can change with the release.
    (chosen) => keep(chosen, chosen === defaultColumns ? null : JSON.stringify(chosen)),
  ];
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
