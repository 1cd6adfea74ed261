import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useResource } from '../../../api/resource.js';
import { readTrunkIfAttached } from '../../../api/trunks.js';
import { useForm } from '../../../forms/use-form.js';
import { Page } from '../../../frame/page.js';
import { Back } from '../../../parts/back.js';
import { Icon } from '../../../parts/icons.js';
import { Loaded } from '../../../parts/notice.js';
import { numberText } from '../../../parts/number-text.js';
import { numberOf } from '../../../parts/trunk-address.js';
import { PasswordForPbx } from '../edit/edit-page.js';
import { CallersStep } from './callers-step.js';
import { existingOf, type NumberPlan, planOf, stepRequests } from './number-plan.js';
import { NumberStep } from './number-step.js';
import { PbxStep } from './pbx-step.js';
import { useFocusOfStep } from './step-focus.js';
import {
  addAddress,
  rememberStep,
  type StepName,
  stepAfter,
  stepBefore,
  stepNames,
  stepOf,
  steps,
} from './steps.js';
import { TestStep } from './test-step.js';

/** "Add number": number, PBX, who may call, test call. Each step is stored by the API when it is left, so that any tab can continue. */
export function AddNumberPage(): JSX.Element {
  const { query } = useLocation();
  const phoneNumber = query.number === undefined || query.number === '' ? undefined : numberOf(query.number);
  const step = stepOf(query.step, phoneNumber);
  useFocusOfStep(step);
  return (
    <Page
      title={phoneNumber === undefined ? 'Add number' : `Add ${numberText(phoneNumber)}`}
      above={<Back href="/trunks" text="Trunks" />}
    >
      <StepList current={step} phoneNumber={phoneNumber} />
      {phoneNumber === undefined ? (
        <NumberStep phoneNumber={undefined} />
      ) : (
        <Steps phoneNumber={phoneNumber} step={step} key={phoneNumber} />
      )}
    </Page>
  );
}

function StepList({
  current,
  phoneNumber,
}: {
  current: StepName;
  phoneNumber: string | undefined;
}): JSX.Element {
  const at = steps.indexOf(current);
  return (
    <nav aria-label="Steps" class="steps">
      <ol>
        {steps.map((step, index) => {
          const shown = (
            <>
              <span class="step-number">{index < at ? <Icon name="done" /> : index + 1}</span>
              <span>{stepNames[step]}</span>
            </>
          );
          return (
            <li key={step} class={index < at ? 'past' : undefined}>
              {phoneNumber === undefined && index > 0 ? (
                <span class="task-step" aria-disabled="true">
                  {shown}
                </span>
              ) : (
                <a
                  class="task-step"
                  href={addAddress(step, phoneNumber)}
                  aria-current={step === current ? 'step' : undefined}
                >
                  {shown}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Steps({ phoneNumber, step }: { phoneNumber: string; step: StepName }): JSX.Element {
  const number = useResource(phoneNumber, (signal) => readTrunkIfAttached(phoneNumber, signal));
  useEffect(() => rememberStep(phoneNumber, step), [phoneNumber, step]);
  return (
    <Loaded what="the number" from={number}>
      {(configurations) => (
        <PlannedSteps
          phoneNumber={phoneNumber}
          step={step}
          existing={existingOf(configurations)}
          reload={number.reload}
        />
      )}
    </Loaded>
  );
}

interface PlannedStepsProps {
  readonly phoneNumber: string;
  readonly step: StepName;
  readonly existing: ReturnType<typeof existingOf>;
  readonly reload: () => void;
}

function PlannedSteps({ phoneNumber, step, existing, reload }: PlannedStepsProps): JSX.Element {
  const { route } = useLocation();
  const [password, setPassword] = useState<string | undefined>();
  const [addresses, setAddresses] = useState<readonly string[]>([]);
  const { inbound, outbound } = existing;
  const before = useMemo(() => planOf({ inbound, outbound }), [inbound, outbound]);
  const form = useForm<NumberPlan>({
    before,
    keptAs: `add:${phoneNumber}`,
    // What was typed is kept, and secrets are few.
    warnsUnsaved: false,
    requests: (from, to) => stepRequests(step, phoneNumber, existing, from, to),
  });
  const leave = (to: StepName): void => route(addAddress(to, phoneNumber));
  const save = async (): Promise<void> => {
    const answers = await form.save();
    if (answers === undefined) return;
    for (const answer of answers) {
      const { register_password_for_pbx: shown } = answer as { register_password_for_pbx?: string | null };
      if (typeof shown === 'string') setPassword(shown);
    }
    reload();
    leave(stepAfter(step));
  };
  const common = {
    form,
    phoneNumber,
    existing,
    addresses,
    onAddresses: setAddresses,
    onBack: () => leave(stepBefore(step)),
    onNext: () => void save(),
  };
  return (
    <>
      {password !== undefined && <PasswordForPbx password={password} />}
      {step === 'number' && <NumberStep phoneNumber={phoneNumber} />}
      {step === 'pbx' && <PbxStep {...common} />}
      {step === 'callers' && <CallersStep {...common} />}
      {step === 'test' && <TestStep {...common} onChange={reload} />}
    </>
  );
}
