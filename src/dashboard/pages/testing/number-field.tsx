import type { JSX } from 'preact';

/** A number within a range, which the label names; a whole one unless a step is given. */
export function NumberField({
  label,
  range: [least, most],
  step,
  value,
  onChange,
}: {
  readonly label: string;
  readonly range: readonly [least: number, most: number];
  readonly step?: number;
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
        step={step}
        required
        value={Number.isNaN(value) ? '' : value}
        onInput={({ currentTarget: { valueAsNumber } }) => onChange(valueAsNumber)}
      />
    </label>
  );
}
