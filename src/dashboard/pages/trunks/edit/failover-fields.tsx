import type { JSX } from 'preact';
import type * as api from '../../../../../clients/typescript/src/index.js';
import {
  At,
  CheckField,
  FieldProblem,
  NumberField,
  SelectField,
  TextField,
  useField,
} from '../../../forms/fields.js';
import { OrderedList } from '../../../forms/ordered-list.js';
import { Icon } from '../../../parts/icons.js';

type Backup = api.FailoverSettings['endpoints'][number];
type Trigger = NonNullable<api.FailoverSettings['triggers']>[number];

const mostBackups = 2;

const triggers = {
  unreachable: 'Unreachable: no connection, 500, 502, 503',
  timeout: 'Timeout: no response for 4 s, 408, 504',
  auth_failure: 'Refused credentials: 401, 403, 407',
} as const satisfies Readonly<Record<Trigger, string>>;
const defaultTriggers: readonly Trigger[] = ['unreachable', 'timeout'];

/** Backup servers in their order, and when they are used. */
export function FailoverFields(): JSX.Element {
  const list = useField('failover_config.endpoints');
  const backups = (list.value as readonly Backup[] | undefined) ?? [];
  // Unique, as keys of the list; what is sent is their order.
  const priority = Math.max(0, ...backups.map((backup) => backup.priority)) + 1;
  const add = (): void => list.set([...backups, { host: '', priority }]);
  return (
    <fieldset class="form-section">
      <legend>Failover</legend>
      <p class="note">
        Servers that are tried after the server above, in this order. {backups.length === 0 && 'None now.'}
      </p>
      <OrderedList
        label="Backup servers, in the order in which they are tried"
        items={backups.map((backup, at) => ({ backup, at }))}
        keyOf={({ backup }) => String(backup.priority)}
        nameOf={({ backup, at }) => (backup.host === '' ? `backup ${at + 1}` : backup.host)}
        onOrder={(order) => list.set(order.map(({ backup }) => backup))}
      >
        {({ backup }, at) => (
          <At path={`failover_config.endpoints.${at}`}>
            <div class="fields-grid backup">
              <TextField path="host" label="Host" placeholder="backup.example.com" isMono />
              <NumberField path="port" label="Port" least={1} most={65_535} placeholder="5061" />
              <SelectField
                path="transport"
                label="Transport"
                options={[
                  ['', 'TLS'],
                  ['tcp', 'TCP'],
                  ['udp', 'UDP'],
                ]}
              />
            </div>
            <button
              type="button"
              class="bare small"
              aria-label={`Remove ${backup.host || `backup ${at + 1}`}`}
              onClick={() => list.set(backups.filter((_, index) => index !== at))}
            >
              <Icon name="remove" />
            </button>
          </At>
        )}
      </OrderedList>
      <FieldProblem text={list.problem} />
      <div class="buttons">
        <button type="button" class="small" onClick={add} disabled={backups.length >= mostBackups}>
          <Icon name="add" />
          Add backup server
        </button>
        {backups.length >= mostBackups && <span class="note">At most {mostBackups}.</span>}
      </div>
      {backups.length > 0 && (
        <>
          <CheckField path="failover_config.enabled" label="Failover is on" byDefault />
          <TriggerFields />
          <SelectField
            path="failover_config.failback"
            label="Back to the first server"
            options={[
              ['', 'Automatically, after successful probes'],
              ['manual', 'On request (Fail back, on the page of the number)'],
            ]}
          />
        </>
      )}
    </fieldset>
  );
}

function TriggerFields(): JSX.Element {
  const field = useField('failover_config.triggers');
  const chosen = (field.value as readonly Trigger[] | undefined) ?? defaultTriggers;
  return (
    <fieldset class="choices">
      <legend class="field-name">Next server after</legend>
      {(Object.keys(triggers) as Trigger[]).map((trigger) => (
        <label class="check" key={trigger}>
          <input
            type="checkbox"
            name={`${field.name}.${trigger}`}
            checked={chosen.includes(trigger)}
            onChange={({ currentTarget: { checked } }) =>
              field.set(checked ? [...chosen, trigger] : chosen.filter((candidate) => candidate !== trigger))
            }
          />
          {triggers[trigger]}
        </label>
      ))}
      <FieldProblem text={field.problem} />
    </fieldset>
  );
}
