import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ApiFailure } from '../../../api/client.js';
import { type ApiRequest, send } from '../../../api/request.js';
import { isOperator, session } from '../../../api/session.js';
import { checkNumber, type NumberCheck } from '../../../api/trunks.js';
import { FieldProblem } from '../../../forms/fields.js';
import { keepEdits, keptEdits } from '../../../forms/kept-edits.js';
import { AsCurl } from '../../../parts/as-curl.js';
import { Copy } from '../../../parts/copy.js';
import { numberText } from '../../../parts/number-text.js';
import { Panel } from '../../../parts/panel.js';
import { State } from '../../../parts/state.js';
import { trunkAddress } from '../../../parts/trunk-address.js';
import { addAddress, rememberedStep } from './steps.js';

const typingMilliseconds = 300;

/** The number, and whether this organization can attach it. Nothing is changed yet. */
export function NumberStep({ phoneNumber }: { phoneNumber: string | undefined }): JSX.Element {
  const { route } = useLocation();
  const [typed, setTyped] = useState(phoneNumber ?? '');
  const [checks, setChecks] = useState(0);
  const { check, failure } = useCheck(typed, checks);
  const id = useId();
  const problem = failure?.at('phone_number') ?? failure?.message;
  const canContinue = check?.state === 'available' || check?.state === 'attached';

  const next = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check === undefined || !canContinue) return;
    // What was typed for a mistyped number is meant for this one.
    if (phoneNumber !== undefined && phoneNumber !== check.phone_number)
      keepEdits(`add:${check.phone_number}`, keptEdits(`add:${phoneNumber}`));
    const step = check.state === 'attached' ? rememberedStep(check.phone_number) : undefined;
    route(addAddress(step === undefined || step === 'number' ? 'pbx' : step, check.phone_number));
  };
  return (
    <Panel title="Number" note="The number as the world dials it, with its country code.">
      <form class="edit-form" aria-label="Number" noValidate onSubmit={next}>
        <div class="field">
          <label for={id}>Phone number, E.164</label>
          <input
            id={id}
            name="phone_number"
            type="tel"
            class="figure"
            value={typed}
            placeholder="+14155550100"
            autocomplete="off"
            aria-invalid={problem === undefined ? undefined : 'true'}
            aria-describedby={`${id}-state`}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <div id={`${id}-state`} role="status">
            <FieldProblem text={problem} />
            {check !== undefined && <Checked check={check} />}
          </div>
        </div>
        {check?.state === 'proof_required' && (
          <Proof phoneNumber={check.phone_number} onConfirmed={() => setChecks(checks + 1)} />
        )}
        <div class="step-end">
          <div class="buttons">
            <a class="button" href="/trunks">
              Cancel
            </a>
            <button type="submit" class="primary" disabled={!canContinue}>
              Continue
            </button>
          </div>
        </div>
      </form>
    </Panel>
  );
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

export function Checked({ check }: { check: NumberCheck }): JSX.Element {
  const { phone_number, country, state } = check;
  const shown = (
    <b class="figure">
      {numberText(phone_number)}
      {country !== null && `, ${countryNames.of(country)}`}
    </b>
  );
  switch (state) {
    case 'available':
      return (
        <p>
          <State tone="good">Can be added</State> {shown}
        </p>
      );
    case 'attached':
      return (
        <p>
          <State tone="good">Already yours</State> {shown}: continue its set-up here, or{' '}
          <a href={trunkAddress(phone_number)}>open its page</a>.
        </p>
      );
    case 'taken':
      return (
        <p>
          <State tone="bad">Taken</State> {shown} belongs to another organization of this service. If it is
          yours, ask the operator.
        </p>
      );
    case 'proof_required':
      return (
        <p>
          <State tone="warn">Ownership not confirmed</State> {shown}
        </p>
      );
  }
}

/** What the operator needs in order to confirm; operators confirm here. */
export function Proof({
  phoneNumber,
  onConfirmed,
}: {
  phoneNumber: string;
  onConfirmed: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>();
  const organizationId = session.value?.organization.id ?? '';
  const request: ApiRequest = (client) =>
    client.proveNumbers({ organization_id: organizationId, phone_numbers: [phoneNumber] });
  const confirm = (): void => {
    send(request).then(onConfirmed, (failure: ApiFailure) => setProblem(failure.message));
  };
  return (
    <div class="explanation">
      <p>
        This service asks for proof that a number is yours, such as an invoice of its carrier. An operator
        confirms it for your organization, then you can continue.
      </p>
      <p class="identifier">
        <span>
          Organization <b class="mono">{organizationId}</b>
        </span>
        <Copy text={`${organizationId} ${phoneNumber}`} what="organization and number" />
      </p>
      <div class="buttons">
        {isOperator.value && (
          <button type="button" class="small" onClick={confirm}>
            Confirm ownership as operator
          </button>
        )}
        <button type="button" class="small" onClick={onConfirmed}>
          Check again
        </button>
      </div>
      <FieldProblem text={problem} />
      {isOperator.value && <AsCurl requests={() => [request]} />}
    </div>
  );
}

/** The check of what was typed, shortly after the last keystroke. */
function useCheck(
  typed: string,
  checks: number,
): { readonly check?: NumberCheck | undefined; readonly failure?: ApiFailure | undefined } {
  const [result, setResult] = useState<{ check?: NumberCheck; failure?: ApiFailure }>({});
  useEffect(() => {
    setResult({});
    const entered = typed.trim();
    if (entered.replace(/\D/g, '').length < 3) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      checkNumber(entered, abort.signal).then(
        (check) => setResult({ check }),
        (failure: unknown) => {
          if (!abort.signal.aborted && failure instanceof ApiFailure) setResult({ failure });
        },
      );
    }, typingMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed, checks]);
  return result;
}
