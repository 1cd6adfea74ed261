import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { justEnded, liveCalls } from '../../../api/live.js';
import type { LiveCall } from '../../../api/noc.js';
import { forgetEdits } from '../../../forms/kept-edits.js';
import { numberText } from '../../../parts/number-text.js';
import { Panel } from '../../../parts/panel.js';
import { PhoneNumber } from '../../../parts/phone-number.js';
import { NamedState, State } from '../../../parts/state.js';
import { trunkAddress } from '../../../parts/trunk-address.js';
import { TestCallPanel } from '../test-call-panel.js';
import type { StepProps } from './step-form.js';
import { rememberStep } from './steps.js';

/** A call in each direction, live; the set-up is complete without them, too. */
export function TestStep({ phoneNumber, existing, onBack, form }: StepProps): JSX.Element {
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
        {existing.inbound !== undefined && <InboundTest phoneNumber={phoneNumber} />}
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
function InboundTest({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const active = liveCalls.value.filter(isTo(phoneNumber));
  const ended = justEnded.value.map(({ call }) => call).filter(isTo(phoneNumber));
  const seen = [
    ...active,
    ...ended.filter(({ call_id }) => !active.some((call) => call.call_id === call_id)),
  ];
  return (
    <Panel title="Call the number" note={`Dial ${numberText(phoneNumber)} from the PBX.`}>
      <div role="status" class="seen-calls">
        {seen.length === 0 && <State tone="busy">Waiting for a call from the PBX …</State>}
        {seen.slice(0, 5).map((call) => (
          <p key={call.call_id}>
            {active.includes(call) ? <NamedState name={call.state} /> : <State tone="idle">Ended</State>}{' '}
            <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
              from <PhoneNumber text={call.from} />
            </a>
          </p>
        ))}
      </div>
    </Panel>
  );
}
