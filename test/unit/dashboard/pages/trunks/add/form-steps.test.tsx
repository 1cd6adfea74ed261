import type { JSX } from 'preact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '../../../../../../src/dashboard/api/session.js';
import type { Configuration } from '../../../../../../src/dashboard/api/trunks.js';
import { useForm } from '../../../../../../src/dashboard/forms/use-form.js';
import { CallersStep } from '../../../../../../src/dashboard/pages/trunks/add/callers-step.js';
import { existingOf, planOf } from '../../../../../../src/dashboard/pages/trunks/add/number-plan.js';
import { PbxStep } from '../../../../../../src/dashboard/pages/trunks/add/pbx-step.js';
import { type Rendered, rendered } from '../../../rendered.js';
import { signInAs } from '../../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

const configuration = (direction: 'inbound' | 'outbound', fields: object = {}): Configuration =>
  ({
    id: direction,
    direction,
    auth_mode: 'ip',
    sip_endpoint: direction === 'outbound' ? 'sip:pbx.example' : null,
    options: {},
    allowed_ips: [],
    agent_streams: [],
    register_auth: null,
    ...fields,
  }) as unknown as Configuration;

interface Shown {
  readonly attached?: readonly Configuration[];
  readonly wanted?: { readonly inbound: boolean; readonly outbound: boolean };
  readonly inbound?: object;
  readonly addresses?: readonly string[];
}

/** A step of a number with these configurations, edited to these wishes. */
function step(
  Step: typeof CallersStep,
  { attached = [], wanted, inbound, addresses = [] }: Shown = {},
): Rendered {
  const existing = existingOf(attached);
  const plan = planOf(existing);
  const before = {
    ...plan,
    inbound: { ...plan.inbound, ...inbound },
    ...(wanted === undefined ? {} : { wanted }),
  };
  const nothing = (): void => undefined;
  function Page(): JSX.Element {
    const form = useForm({ before: before as typeof plan, requests: () => [], warnsUnsaved: false });
    return (
      <Step
        form={form}
        phoneNumber="+14155550100"
        existing={existing}
        addresses={addresses}
        onAddresses={nothing}
        onBack={nothing}
        onNext={nothing}
      />
    );
  }
  return rendered(<Page />);
}

const mayContinue = ({ elements }: Rendered): boolean =>
  elements('button').find(({ type }) => type === 'submit')!.disabled !== true;
const none = { inbound: false, outbound: false };

describe('the step "Who may call"', () => {
  const both = [configuration('inbound'), configuration('outbound')];

  it('needs one direction of the number at least', () => {
    const missing = 'The number needs one direction at least.';
    expect(step(CallersStep, { wanted: none }).html).toContain(missing);
    expect(step(CallersStep).html).not.toContain(missing);
    expect(step(CallersStep, { attached: [configuration('outbound')], wanted: none }).html).not.toContain(
      missing,
    );
  });

  it('asks whether the number receives calls until it does', () => {
    expect(step(CallersStep).text).toContain('The number receives calls');
    expect(step(CallersStep, { attached: both }).text).not.toContain('The number receives calls');
    const withoutCalls = step(CallersStep, { wanted: none });
    expect(withoutCalls.text).not.toContain('How callers are recognized');
    expect(withoutCalls.text).not.toContain('Concurrent calls to the number');
  });

  it('limits each direction that the number has', () => {
    const outboundLimits = ['Concurrent calls from the number', 'New calls from the number'];
    const fresh = step(CallersStep).text;
    expect(fresh).toContain('Concurrent calls to the number');
    for (const label of outboundLimits) expect(fresh).not.toContain(label);
    for (const label of outboundLimits) expect(step(CallersStep, { attached: both }).text).toContain(label);
  });

  it('says who may call while no address is allowed', () => {
    expect(step(CallersStep).text).toContain('no source may call');
    expect(step(CallersStep, { attached: both }).text).toContain(
      'only the addresses of sip:pbx.example may call',
    );
    const allowed = step(CallersStep, { inbound: { allowed_ips: ['192.0.2.1'] } });
    expect(allowed.text).not.toContain('may call,');
  });

  it('offers the addresses that discovery found', () => {
    const offered = (addresses: readonly string[]) =>
      step(CallersStep, { addresses })
        .all('button')
        .filter((text) => text.startsWith('Add the PBX'));
    expect(offered([])).toEqual([]);
    expect(offered(['192.0.2.1'])).toEqual(['Add the PBX’s address: 192.0.2.1']);
    expect(offered(['192.0.2.1', '192.0.2.2'])).toEqual(['Add the PBX’s addresses: 192.0.2.1, 192.0.2.2']);
  });

  it('shows the fields of a registration, or those of addresses and credentials', () => {
    const registered = step(CallersStep, { inbound: { auth_mode: 'register' } }).text;
    expect(registered).not.toContain('Or by digest credentials');
    expect(step(CallersStep).text).toContain('Or by digest credentials');
    expect(registered).not.toBe(step(CallersStep).text);
  });
});

describe('the step "PBX"', () => {
  it('needs an address only of a number that places calls', () => {
    const missing = 'Enter the address of the PBX.';
    expect(step(PbxStep).html).toContain(missing);
    expect(mayContinue(step(PbxStep))).toBe(false);
    expect(step(PbxStep, { wanted: { inbound: true, outbound: false } }).html).not.toContain(missing);
    expect(mayContinue(step(PbxStep, { attached: [configuration('outbound')] }))).toBe(true);
  });

  it('asks whether the number places calls until it does', () => {
    expect(step(PbxStep).text).toContain('The number places calls');
    expect(step(PbxStep, { attached: [configuration('outbound')] }).text).not.toContain(
      'The number places calls',
    );
  });
});
