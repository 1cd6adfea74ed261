import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { whyNot } from '../api/members.js';

const usualHours = 168;

interface CreateLinkProps {
  /** Hours that a link may be valid, with their words. */
  readonly choices: readonly (readonly [hours: number, text: string])[];
  readonly isAllowed: boolean;
  readonly isBusy: boolean;
  readonly onCreate: (hours: number) => void;
}

/** Creates a link that expires. */
export function CreateLink({ choices, isAllowed, isBusy, onCreate }: CreateLinkProps): JSX.Element {
  const [hours, setHours] = useState<number>(usualHours);
  const id = useId();
  return (
    <div class="buttons">
      <label for={id}>Valid for</label>
      <select id={id} value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
        {choices.map(([value, text]) => (
          <option value={value} key={value}>
            {text}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="small"
        disabled={isBusy || !isAllowed}
        title={isAllowed ? undefined : whyNot.value}
        onClick={() => onCreate(hours)}
      >
        Create link
      </button>
    </div>
  );
}
