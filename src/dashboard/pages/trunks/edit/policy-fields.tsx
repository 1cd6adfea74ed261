import type { JSX } from 'preact';
import { CheckField, LinesField, NumberField, SelectField, useField } from '../../../forms/fields.js';
import { Choice } from '../../../parts/choice.js';

/** Limits and transfers of a direction. */

export function LimitFields(): JSX.Element {
  return (
    <fieldset class="form-section">
      <legend>Limits</legend>
      <p class="note">Empty: no limit of its own.</p>
      <div class="fields-grid">
        <NumberField
          path="limits.concurrent_calls"
          label="Concurrent calls"
          least={0}
          most={10_000}
          note="Calls above it get 503"
        />
        <NumberField
          path="limits.calls_per_second"
          label="New calls"
          least={0.1}
          most={1_000}
          step="any"
          unit="per second"
        />
        <NumberField
          path="limits.max_duration_seconds"
          label="Longest call"
          least={1}
          most={86_400}
          unit="seconds"
          note="The call is ended then"
        />
      </div>
    </fieldset>
  );
}

export function TransferFields(): JSX.Element {
  const mode = useField('transfer_config.mode');
  const targets = useField('transfer_config.allowed_targets');
  const isListed = targets.value !== undefined;
  return (
    <fieldset class="form-section">
      <legend>Transfers</legend>
      <div class="fields-grid">
        <SelectField
          path="transfer_config.mode"
          label="When the agent transfers a call"
          options={[
            ['', 'Default: Demarc calls the target'],
            ['bridge', 'Demarc calls the target and connects it (bridge)'],
            ['refer', 'The PBX transfers the call (REFER)'],
          ]}
        />
        {mode.value === 'refer' && (
          <CheckField
            path="transfer_config.fallback"
            label="Bridge what the PBX refuses"
            note="Unless the target was busy, declined or did not answer"
          />
        )}
        {mode.value !== undefined && (
          <div class="field wide-field">
            <span class="field-name">Allowed targets</span>
            <Choice
              label="Allowed targets"
              value={isListed ? 'listed' : 'usual'}
              options={[
                ['usual', 'Extensions and own numbers'],
                ['listed', 'Only listed ones'],
              ]}
              onChange={(value) => targets.set(value === 'listed' ? [] : undefined)}
            />
            {!isListed && (
              <small class="note">
                Agents may also transfer to any number except premium and emergency ones.
              </small>
            )}
          </div>
        )}
        {isListed && (
          <LinesField
            path="transfer_config.allowed_targets"
            label="Listed targets"
            placeholder={'+1415\n1001\ndesk.example.com'}
            note="Number prefixes with +, exact extensions and codes, hosts; one per line. Empty: no transfer is allowed"
          />
        )}
      </div>
    </fieldset>
  );
}
