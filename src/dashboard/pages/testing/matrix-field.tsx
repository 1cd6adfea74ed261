import type { JSX } from 'preact';
import { count } from '../../parts/format.js';
import {
  combinationsOf,
  type MatrixDraft,
  type MatrixRow,
  newRow,
  placeholderOf,
  variedFields,
} from './matrix-draft.js';
import { NumberField } from './number-field.js';

/** Values of the caller that a simulation combines, one row for each field. */
export function MatrixField({
  draft,
  onChange,
}: {
  readonly draft: MatrixDraft;
  readonly onChange: (draft: MatrixDraft) => void;
}): JSX.Element {
  const { rows, sample, seed } = draft;
  return (
    <details class="more-fields">
      <summary>Vary the caller</summary>
      <div class="stacked">
        <p class="note">
          A simulation runs each scenario with every combination of these values, one value a line.
          {rows.length > 0 && ` Now ${count(combinationsOf(draft), 'combination')}.`}
        </p>
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            position={index + 1}
            onChange={(changed) =>
              onChange({
                ...draft,
                rows: rows.map((current) => (current === row ? { ...current, ...changed } : current)),
              })
            }
            onRemove={() => onChange({ ...draft, rows: rows.filter((current) => current !== row) })}
          />
        ))}
        <div class="buttons">
          <button
            type="button"
            class="small"
            onClick={() => onChange({ ...draft, rows: [...rows, newRow(rows)] })}
          >
            Add a field
          </button>
        </div>
        {rows.length > 0 && (
          <div class="field-row">
            <label>
              Combinations to draw (optional)
              <input
                type="number"
                class="short"
                min={1}
                max={1_000}
                placeholder="All"
                value={sample ?? ''}
                onInput={({ currentTarget: { valueAsNumber } }) =>
                  onChange({ ...draft, sample: Number.isNaN(valueAsNumber) ? undefined : valueAsNumber })
                }
              />
            </label>
            <NumberField
              label="Seed"
              range={[0, 900_000]}
              value={seed}
              onChange={(changed) => onChange({ ...draft, seed: changed })}
            />
          </div>
        )}
      </div>
    </details>
  );
}

function Row({
  row,
  position,
  onChange,
  onRemove,
}: {
  readonly row: MatrixRow;
  readonly position: number;
  readonly onChange: (changed: Partial<MatrixRow>) => void;
  readonly onRemove: () => void;
}): JSX.Element {
  return (
    <div class="assertion stacked">
      <div class="field-row">
        <label>
          Field {position}
          <select value={row.path} onChange={({ currentTarget }) => onChange({ path: currentTarget.value })}>
            {variedFields.map(({ path, title }) => (
              <option value={path} key={path}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {row.path === '' && (
          <label>
            Its name
            <input
              value={row.otherPath}
              placeholder="request_data.city"
              onInput={({ currentTarget }) => onChange({ otherPath: currentTarget.value })}
            />
          </label>
        )}
      </div>
      <label>
        Values of field {position}
        <textarea
          rows={3}
          spellcheck={false}
          value={row.values}
          placeholder={placeholderOf(row)}
          onInput={({ currentTarget }) => onChange({ values: currentTarget.value })}
        />
      </label>
      <div class="buttons">
        <button type="button" class="small" onClick={onRemove}>
          Remove<span class="unseen"> field {position}</span>
        </button>
      </div>
    </div>
  );
}
