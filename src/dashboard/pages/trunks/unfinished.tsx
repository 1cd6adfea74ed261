import type { JSX } from 'preact';
import type { Configuration } from '../../api/trunks.js';
import { addAddress, rememberedStep, type StepName, stepNames, steps } from './add/steps.js';

/** Set-up that was begun here and not finished, or a direction that the number lacks: where to continue. */
export function Unfinished({
  phoneNumber,
  configurations,
}: {
  phoneNumber: string;
  configurations: readonly Configuration[];
}): JSX.Element | null {
  const step = rememberedStep(phoneNumber) ?? missingStep(configurations);
  if (step === undefined) return null;
  return (
    <div class="problem mild">
      <p>
        {rememberedStep(phoneNumber) === undefined
          ? 'No source may call this number: it has no inbound direction.'
          : `Set-up is not finished: step ${steps.indexOf(step) + 1} of ${steps.length}, ${stepNames[step]}.`}{' '}
        <a href={addAddress(step, phoneNumber)}>
          {rememberedStep(phoneNumber) === undefined ? 'Set up inbound calls' : 'Continue'}
        </a>
      </p>
    </div>
  );
}

/** A number that receives calls and places none is complete. */
const missingStep = (configurations: readonly Configuration[]): StepName | undefined =>
  configurations.some(({ direction }) => direction === 'inbound') ? undefined : 'callers';
