import type { JSX } from 'preact';
import {
  type ArgumentDraft,
  type ArgumentOperator,
  argumentDrafts,
  argumentOperators,
  hasValue,
  newArgument,
  sentArguments,
} from './argument-draft.js';

/** What the arguments of a tool must be, one row for each value. */
export function ArgumentsField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}): JSX.Element {
  const rows = argumentDrafts(value);
  const change = (changed: readonly ArgumentDraft[]): void => onChange(sentArguments(changed));
  return (
    <fieldset class="stacked">
      <legend>{label}</legend>
      <p class="note">
        Values are JSON; other text counts as text. A path has names and positions with dots, as slots.0.time.
      </p>
      {rows.map((row, index) => {
        const replace = (part: Partial<ArgumentDraft>): void =>
          change(rows.map((row, position) => (position === index ? { ...row, ...part } : row)));
        return (
          <div class="buttons" key={index}>
            <input
              aria-label={`Path of argument ${index + 1}`}
              placeholder="All arguments"
              value={row.path}
              onInput={({ currentTarget }) => replace({ path: currentTarget.value })}
            />
            <select
              aria-label={`Comparison of argument ${index + 1}`}
              value={row.operator}
              onChange={({ currentTarget }) => replace({ operator: currentTarget.value as ArgumentOperator })}
            >
              {argumentOperators.map(([operator, text]) => (
                <option value={operator} key={operator}>
                  {text}
                </option>
              ))}
            </select>
            {hasValue(row.operator) && (
              <input
                aria-label={`Value of argument ${index + 1}`}
                required
                placeholder="2026-12-01"
                value={row.value}
                onInput={({ currentTarget }) => replace({ value: currentTarget.value })}
              />
            )}
            <button
              type="button"
              class="small"
              onClick={() => change(rows.filter((_, position) => position !== index))}
            >
              Remove<span class="unseen"> argument {index + 1}</span>
            </button>
          </div>
        );
      })}
      <div class="buttons">
        <button type="button" class="small" onClick={() => change([...rows, newArgument])}>
          Add an argument
        </button>
      </div>
    </fieldset>
  );
}
