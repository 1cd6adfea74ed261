import type { JSX } from 'preact';

interface Example {
  readonly conversation: string;
  readonly verdict: string;
  readonly reasoning?: string;
}

/** Conversations with the right verdict, which a judge goes by. */
export function ExamplesField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}): JSX.Element {
  const examples = Array.isArray(value) ? (value as readonly Example[]) : [];
  const send = (next: readonly Example[]): void => onChange(next.length === 0 ? undefined : next);
  const change = (index: number, changed: Partial<Example>): void =>
    send(examples.map((example, at) => (at === index ? { ...example, ...changed } : example)));
  return (
    <fieldset class="stacked">
      <legend>{label}</legend>
      {examples.map((example, index) => (
        <div class="stacked" key={String(index)}>
          <label>
            What was said
            <textarea
              required
              rows={3}
              maxLength={5_000}
              value={example.conversation}
              onInput={({ currentTarget }) => change(index, { conversation: currentTarget.value })}
            />
          </label>
          <label>
            Right verdict
            <input
              required
              maxLength={100}
              value={example.verdict}
              placeholder="true"
              onInput={({ currentTarget }) => change(index, { verdict: currentTarget.value })}
            />
          </label>
          <button type="button" class="link" onClick={() => send(examples.filter((_, at) => at !== index))}>
            Remove this example
          </button>
        </div>
      ))}
      {examples.length < 10 && (
        <button
          type="button"
          class="link"
          onClick={() => send([...examples, { conversation: '', verdict: '' }])}
        >
          Add an example
        </button>
      )}
    </fieldset>
  );
}
