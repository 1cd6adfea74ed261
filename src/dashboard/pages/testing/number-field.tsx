import type { JSX } from 'preact';

/** A whole number within a range, which the label names. */
export function NumberField({
  label,
  range: [least, most],
  value,
  onChange,
}: {
  readonly label: string;
  readonly range: readonly [least: number, most: number];
  readonly value: number;
  readonly onChange: (value: number) => void;
}): JSX.Element {
  return (
    <label>
      {label} ({least}–{most})
      <input
        type="number"
        class="short"
        min={least}
        max={most}
        required
        value={Number.isNaN(value) ? '' : value}
        onInput={({ currentTarget: { valueAsNumber } }) => onChange(valueAsNumber)}
      />
    </label>
  );
}
