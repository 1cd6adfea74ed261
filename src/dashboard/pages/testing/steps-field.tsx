import type { JSX } from 'preact';
import { NumberField } from './number-field.js';
import { emptyStep, type StepDraft } from './voice-draft.js';

/** Turns in which the caller presses keys, is silent, or holds the call. */
export function StepsField({
  steps,
  onChange,
}: {
  readonly steps: readonly StepDraft[];
  readonly onChange: (steps: readonly StepDraft[]) => void;
}): JSX.Element {
  const change = (index: number, changed: Partial<StepDraft>): void =>
    onChange(steps.map((step, at) => (at === index ? { ...step, ...changed } : step)));
  return (
    <fieldset class="stacked">
      <legend>Keys, silence and hold</legend>
      {steps.map((step, index) => (
        <div class="stacked" key={String(index)}>
          <label>
            After the agent has said (empty: in a turn by its number)
            <input
              value={step.heard}
              maxLength={500}
              placeholder="press one for sales"
              onInput={({ currentTarget }) => change(index, { heard: currentTarget.value })}
            />
          </label>
          {step.heard.trim() === '' && (
            <NumberField
              label="Turn of the caller"
              range={[1, 50]}
              value={step.turn}
              onChange={(turn) => change(index, { turn })}
            />
          )}
          <label>
            The caller
            <select
              value={step.action}
              onChange={({ currentTarget }) =>
                change(index, { action: currentTarget.value as StepDraft['action'] })
              }
            >
              <option value="digits">presses keys</option>
              <option value="silence_ms">is silent</option>
              <option value="hold_ms">holds the call</option>
            </select>
          </label>
          {step.action === 'digits' ? (
            <label>
              Keys; w waits a second
              <input
                required
                pattern="[0-9A-D*#w]{1,64}"
                value={step.digits}
                onInput={({ currentTarget }) => change(index, { digits: currentTarget.value })}
              />
            </label>
          ) : (
            <NumberField
              label="Milliseconds"
              range={step.action === 'hold_ms' ? [500, 120_000] : [100, 60_000]}
              value={step.milliseconds}
              onChange={(milliseconds) => change(index, { milliseconds })}
            />
          )}
          <button type="button" class="link" onClick={() => onChange(steps.filter((_, at) => at !== index))}>
            Remove this step
          </button>
        </div>
      ))}
      {steps.length < 50 && (
        <button type="button" class="link" onClick={() => onChange([...steps, emptyStep])}>
          Add a step
        </button>
      )}
    </fieldset>
  );
}
