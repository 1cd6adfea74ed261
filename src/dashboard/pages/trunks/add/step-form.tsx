import type { ComponentChildren, JSX } from 'preact';
import { FieldsOf } from '../../../forms/fields.js';
import { lackOf } from '../../../forms/lack.js';
import type { Form } from '../../../forms/use-form.js';
import { AsCurl } from '../../../parts/as-curl.js';
import { Problem, RequestNote } from '../../../parts/notice.js';
import type { existingOf, NumberPlan } from './number-plan.js';

export interface StepProps {
  readonly form: Form<NumberPlan>;
  readonly phoneNumber: string;
  readonly existing: ReturnType<typeof existingOf>;
  /** Addresses of the PBX, as discovery found them. */
  readonly addresses: readonly string[];
  readonly onAddresses: (addresses: readonly string[]) => void;
  readonly onBack: () => void;
  /** Sends what the step changes, then shows the next one. */
  readonly onNext: () => void;
}

interface StepFormProps extends Pick<StepProps, 'form' | 'onBack' | 'onNext'> {
  readonly label: string;
  /** Why the step cannot be left yet; undefined: it can. */
  readonly missing?: string | undefined;
  readonly children: ComponentChildren;
}

/** One step: its fields, what the API refused, its requests as curl, back and next. */
export function StepForm({ form, onBack, onNext, label, missing, children }: StepFormProps): JSX.Element {
  return (
    // The API validates: what it refuses stands at its field.
    <form
      class="edit-form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onNext();
      }}
    >
      <FieldsOf form={form}>{children}</FieldsOf>
      <StepEnd form={form} onBack={onBack} missing={lackOf('trunks:write') ?? missing} />
    </form>
  );
}

/** Drawn after all fields, which note the problems that they show. */
function StepEnd({ form, onBack, missing }: Pick<StepFormProps, 'form' | 'onBack' | 'missing'>): JSX.Element {
  const problems = form.otherProblems();
  return (
    <div class="step-end">
      {form.failure !== null && (
        <Problem title="Not saved">
          {problems.map((message) => (
            <p key={message}>{message}</p>
          ))}
          {problems.length === 0 && <p>Correct the marked fields.</p>}
          <RequestNote failure={form.failure} />
        </Problem>
      )}
      <div class="buttons">
        <button type="button" onClick={onBack}>
          Back
        </button>
        <button type="submit" class="primary" disabled={form.isBusy || missing !== undefined}>
          {form.isBusy ? 'Saving …' : 'Save and continue'}
        </button>
        {missing !== undefined && <span class="note save-state">{missing}</span>}
      </div>
      <AsCurl requests={form.requests} />
    </div>
  );
}
