import type { JSX } from 'preact';
import { AgentFields } from '../../../forms/agent-fields.js';
import { At, CheckField, NumberField } from '../../../forms/fields.js';
import { Choice } from '../../../parts/choice.js';
import { Panel } from '../../../parts/panel.js';
import {
  AddressesField,
  CredentialFields,
  RegistrationFields,
  TrustFields,
} from '../edit/connection-fields.js';
import { storedOf } from '../edit/direction-forms.js';
import { StepForm, type StepProps } from './step-form.js';

/** Who may call the number, what answers, and the limits of both directions. */
export function CallersStep({ form, existing, addresses, onBack, onNext }: StepProps): JSX.Element {
  const { inbound, outbound, wanted } = form.draft;
  const isRegistered = inbound.auth_mode === 'register';
  const stored =
    existing.inbound === undefined
      ? { sipPassword: false, registerPassword: false }
      : storedOf(existing.inbound);
  const hasServer = existing.outbound !== undefined;
  const missing = !wanted.inbound && !hasServer ? 'The number needs one direction at least.' : undefined;
  return (
    <Panel title="Who may call" note="Calls from other sources are refused before they cost anything.">
      <StepForm form={form} label="Who may call" onBack={onBack} onNext={onNext} missing={missing}>
        {existing.inbound === undefined && (
          <CheckField path="wanted.inbound" label="The number receives calls" />
        )}
        {wanted.inbound && (
          <At path="inbound">
            <Choice
              label="How callers are recognized"
              value={isRegistered ? 'register' : 'ip'}
              options={[
                ['ip', 'Address or credentials'],
                ['register', 'Demarc registers with the PBX'],
              ]}
              onChange={(mode) => form.set('inbound.auth_mode', mode)}
            />
            {isRegistered ? (
              <RegistrationFields isStored={stored.registerPassword} />
            ) : (
              <>
                <div class="fields-grid">
                  <AddressesField />
                </div>
                {addresses.length > 0 && (
                  <div class="buttons">
                    <button
                      type="button"
                      class="small"
                      onClick={() =>
                        form.set('inbound.allowed_ips', [
                          ...new Set([...(inbound.allowed_ips ?? []), ...addresses]),
                        ])
                      }
                    >
                      Add the PBX’s {addresses.length === 1 ? 'address' : 'addresses'}: {addresses.join(', ')}
                    </button>
                  </div>
                )}
                {(inbound.allowed_ips ?? []).length === 0 && (
                  <p class="note">
                    {hasServer
                      ? `Empty: only the addresses of ${outbound.sip_endpoint} may call.`
                      : 'Empty, and without credentials: no source may call, unless the service allows any.'}
                  </p>
                )}
                <CredentialFields
                  title="Or by digest credentials"
                  note="Callers from other addresses are challenged and need this user and password."
                  isStored={stored.sipPassword}
                  hasRealm={false}
                />
              </>
            )}
            {isRegistered && <TrustFields />}
            <fieldset class="form-section">
              <legend>What answers</legend>
              <AgentFields />
            </fieldset>
          </At>
        )}
        <fieldset class="form-section">
          <legend>Limits</legend>
          <p class="note">Empty: no limit of its own.</p>
          <div class="fields-grid">
            {wanted.inbound && (
              <ConcurrencyField direction="inbound" label="Concurrent calls to the number" />
            )}
            {hasServer && <ConcurrencyField direction="outbound" label="Concurrent calls from the number" />}
            {hasServer && (
              <At path="outbound">
                <NumberField
                  path="limits.calls_per_second"
                  label="New calls from the number"
                  least={0.1}
                  most={1_000}
                  step="any"
                  unit="per second"
                />
              </At>
            )}
          </div>
        </fieldset>
      </StepForm>
    </Panel>
  );
}

function ConcurrencyField({
  direction,
  label,
}: {
  direction: 'inbound' | 'outbound';
  label: string;
}): JSX.Element {
  return (
    <At path={direction}>
      <NumberField path="limits.concurrent_calls" label={label} least={0} most={10_000} />
    </At>
  );
}
