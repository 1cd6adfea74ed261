import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { justEnded, liveCalls } from '../../../api/live.js';
import type { LiveCall } from '../../../api/noc.js';
import type { Configuration } from '../../../api/trunks.js';
import { forgetEdits } from '../../../forms/kept-edits.js';
import { numberText } from '../../../parts/number-text.js';
import { Panel } from '../../../parts/panel.js';
import { State } from '../../../parts/state.js';
import { trunkAddress } from '../../../parts/trunk-address.js';
import { TestCallPanel } from '../test-call-panel.js';
import { SeenCall } from './seen-call.js';
import type { StepProps } from './step-form.js';
import { rememberStep } from './steps.js';

interface TestStepProps extends StepProps {
  /** The number has been changed. */
  readonly onChange: () => void;
}

/** A call in each direction, live; the set-up is complete without them, too. */
export function TestStep({ phoneNumber, existing, onBack, form, onChange }: TestStepProps): JSX.Element {
  const { discard } = form;
  useEffect(() => {
    forgetEdits(`add:${phoneNumber}`);
    discard();
  }, []);
  return (
    <>
      <div class="test-columns">
        {existing.outbound === undefined ? (
          <Panel title="Test call">
            <p class="note">The number only receives calls: no server to call.</p>
          </Panel>
        ) : (
          <TestCallPanel phoneNumber={phoneNumber} />
        )}
        {existing.inbound !== undefined && (
          <InboundTest phoneNumber={phoneNumber} inbound={existing.inbound} onChange={onChange} />
        )}
      </div>
      <div class="buttons">
        <button type="button" onClick={onBack}>
          Back
        </button>
        <a
          class="button primary"
          href={trunkAddress(phoneNumber)}
          onClick={() => rememberStep(phoneNumber, undefined)}
        >
          Finish
        </a>
      </div>
    </>
  );
}

const isTo =
  (phoneNumber: string) =>
  ({ direction, to }: LiveCall): boolean =>
    direction === 'inbound' && to.replace('+', '') === phoneNumber.replace('+', '');

/** Waits for a call to the number, and shows it as soon as it arrives. */
function InboundTest({
  phoneNumber,
  inbound,
  onChange,
}: {
  readonly phoneNumber: string;
  readonly inbound: Configuration;
  readonly onChange: () => void;
}): JSX.Element {
  const isOurs = isTo(phoneNumber);
  const active = liveCalls.value.filter(isOurs).map((call) => ({ call, end: undefined }));
  const ended = justEnded.value.filter(({ call }) => isOurs(call));
  const seen = [
    ...active,
    ...ended.filter(({ call }) => !active.some((running) => running.call.call_id === call.call_id)),
  ];
  return (
    <Panel title="Call the number" note={`Dial ${numberText(phoneNumber)} from the PBX.`}>
      <div role="status" class="seen-calls">
        {seen.length === 0 && <State tone="busy">Waiting for a call from the PBX …</State>}
        {seen.slice(0, 5).map(({ call, end }) => (
          <SeenCall
            call={call}
            end={end}
            phoneNumber={phoneNumber}
            inbound={inbound}
            onChange={onChange}
            key={call.call_id}
          />
        ))}
      </div>
    </Panel>
  );
}
