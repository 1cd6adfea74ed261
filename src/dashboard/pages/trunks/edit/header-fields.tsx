import type { JSX } from 'preact';
import { At, FieldProblem, SelectField, TextField, useField } from '../../../forms/fields.js';
import { Icon } from '../../../parts/icons.js';
import type { HeaderMapping } from './direction-fields.js';

const mostMappings = 15;

type Kind = 'mapped' | 'constant' | 'uui';

const kindOf = (mapping: HeaderMapping): Kind =>
  mapping.type === 'uui' ? 'uui' : mapping.passthrough === true ? 'constant' : 'mapped';

/** A mapping of another kind keeps what both have. */
function ofKind(mapping: HeaderMapping, kind: Kind): HeaderMapping {
  if (kind === 'uui')
    return { type: 'uui', target: mapping.type === 'custom' ? mapping.value : mapping.target };
  const { key, value } = mapping.type === 'custom' ? mapping : { key: '', value: mapping.target };
  return { type: 'custom', key, value, passthrough: kind === 'constant' };
}

/** How SIP headers of the trunk and variables of the agent correspond. */
export function HeaderFields({ direction }: { direction: 'inbound' | 'outbound' }): JSX.Element {
  const list = useField('headers');
  const mappings = (list.value as readonly HeaderMapping[] | undefined) ?? [];
  const isInbound = direction === 'inbound';
  return (
    <fieldset class="form-section">
      <legend>Headers</legend>
      <p class="note">
        {isInbound
          ? 'Headers of the caller’s INVITE become variables of the agent. Without a mapping, every X- header does.'
          : 'Variables of the agent become headers of INVITEs to the trunk.'}
      </p>
      {mappings.map((mapping, at) => (
        <At path={`headers.${at}`} key={at}>
          <div class="mapping">
            <div class="fields-grid">
              <KindField direction={direction} mapping={mapping} at={at} />
              {mapping.type === 'uui' ? (
                <UserToUserFields />
              ) : (
                <CustomFields kind={kindOf(mapping)} isInbound={isInbound} />
              )}
            </div>
            <button
              type="button"
              class="bare small"
              aria-label={`Remove mapping ${at + 1}`}
              onClick={() => list.set(mappings.filter((_, index) => index !== at))}
            >
              <Icon name="remove" />
            </button>
          </div>
        </At>
      ))}
      <FieldProblem text={mappings.length === 0 ? list.problem : undefined} />
      <div class="buttons">
        <button
          type="button"
          class="small"
          disabled={mappings.length >= mostMappings}
          onClick={() => list.set([...mappings, { type: 'custom', key: '', value: '', passthrough: false }])}
        >
          <Icon name="add" />
          Add mapping
        </button>
      </div>
    </fieldset>
  );
}

interface KindFieldProps {
  readonly direction: 'inbound' | 'outbound';
  readonly mapping: HeaderMapping;
  readonly at: number;
}

function KindField({ direction, mapping, at }: KindFieldProps): JSX.Element {
  const list = useField('type');
  const whole = useField('passthrough');
  const { name } = list;
  const kinds: readonly (readonly [Kind, string])[] = [
    ['mapped', direction === 'inbound' ? 'Header → variable' : 'Variable → header'],
    ['constant', direction === 'inbound' ? 'Constant variable' : 'Constant header'],
    ['uui', 'User-to-User (RFC 7433)'],
  ];
  const change = (kind: Kind): void => {
    const changed = ofKind(mapping, kind);
    list.set(changed.type);
    whole.set(changed.type === 'custom' ? changed.passthrough : undefined);
  };
  return (
    <div class="field">
      <label for={`${name}-kind`}>Mapping {at + 1}</label>
      <select
        id={`${name}-kind`}
        name={name}
        value={kindOf(mapping)}
        onChange={(event) => change(event.currentTarget.value as Kind)}
      >
        {kinds.map(([kind, shown]) => (
          <option value={kind} key={kind}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

function CustomFields({ kind, isInbound }: { kind: Kind; isInbound: boolean }): JSX.Element {
  const isConstant = kind === 'constant';
  const keyLabel = isInbound === isConstant ? 'Variable' : 'SIP header';
  const valueLabel = isConstant ? 'Text' : isInbound ? 'Variable' : 'SIP header';
  const example = (label: string): string =>
    label === 'SIP header' ? 'X-Account' : label === 'Text' ? '' : 'account';
  return (
    <>
      <TextField path="key" label={keyLabel} placeholder={example(keyLabel)} isMono />
      <TextField path="value" label={valueLabel} placeholder={example(valueLabel)} isMono />
    </>
  );
}

function UserToUserFields(): JSX.Element {
  return (
    <>
      <TextField path="target" label="Variable" placeholder="ticket" isMono />
      <TextField path="purpose" label="Purpose" note="Parameter of the header. Empty: any" isMono />
      <SelectField
        path="encoding"
        label="Encoding"
        options={[
          ['', 'hex (default)'],
          ['hex', 'hex'],
          ['ascii', 'ascii'],
        ]}
      />
      <TextField path="content" label="Content" note="Parameter of the header" isMono />
    </>
  );
}
