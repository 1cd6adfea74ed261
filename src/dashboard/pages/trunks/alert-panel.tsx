import type { JSX, TargetedSubmitEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type AlertTest, alertConfigOf, type Contacts, readContacts, testAlerts } from '../../api/alerts.js';
import type { ApiFailure } from '../../api/client.js';
import { type ApiRequest, send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import type { AlertConfig, Configuration, Direction } from '../../api/trunks.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { capitalized, milliseconds, spoken } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { problemOf } from '../alerts/contact-problem.js';
import { readForm } from './alert-fields.js';

interface AlertPanelProps {
  readonly phoneNumber: string;
  readonly configurations: readonly Configuration[];
  readonly onChanged: () => void;
}

/** Alert thresholds and notification channels, one form per direction. */
export function AlertPanel({ phoneNumber, configurations, onChanged }: AlertPanelProps): JSX.Element {
  const directions = configurations.filter(
    (configuration, index) =>
      configurations.findIndex(({ direction }) => direction === configuration.direction) === index,
  );
  const contacts = useResource('contacts', readContacts);
  return (
    <Panel title="Alerts" aside={<a href="/alerts">History and contacts</a>}>
      {directions.map(({ direction, alert_config: config }) => (
        <AlertForm
          key={direction}
          phoneNumber={phoneNumber}
          direction={direction}
          config={config}
          contacts={contacts.data}
          onChanged={onChanged}
        />
      ))}
    </Panel>
  );
}

interface AlertFormProps {
  readonly phoneNumber: string;
  readonly direction: Direction;
  readonly config: AlertConfig | null;
  /** Undefined: not known yet. */
  readonly contacts: Contacts | undefined;
  readonly onChanged: () => void;
}

const channelNames: Readonly<Record<string, string>> = { email: 'Email', sms: 'SMS', webhook: 'Webhook' };

type Message = readonly [kind: 'good' | 'bad', text: string];

export function AlertForm({
  phoneNumber,
  direction,
  config,
  contacts,
  onChanged,
}: AlertFormProps): JSX.Element {
  const [message, setMessage] = useState<Message | undefined>();
  const [test, setTest] = useState<AlertTest | undefined>();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setMessage(undefined);
    setTest(undefined);
    await work().catch((failure: ApiFailure) => setMessage(['bad', failure.message]));
    setBusy(false);
  };
  const form = useRef<HTMLFormElement>(null);
  const request = (): ApiRequest =>
    alertConfigOf(phoneNumber, direction, readForm(new FormData(form.current!), direction));
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const wanted = request();
    void run(async () => {
      await send(wanted);
      setMessage(['good', 'Saved.']);
      onChanged();
    });
  };
  const thresholds = config?.thresholds ?? {};
  const channels = config?.channels ?? {};
  return (
    <form class="alert-form" ref={form} onSubmit={save} aria-label={`Alerts of ${direction} calls`}>
      <h3>
        <label class="check">
          <input type="checkbox" name="enabled" defaultChecked={config?.enabled ?? false} />
          {capitalized(direction)} calls
        </label>
      </h3>
      {direction === 'outbound' && (
        <div class="alert-fields">
          <NumberField
            name="unreachable_minutes"
            label="Unreachable for"
            unit="minutes"
            value={thresholds.unreachable_minutes}
            most={1_440}
          />
          <NumberField
            name="response_time_ms"
            label="Response time above"
            unit="ms"
            value={thresholds.response_time_ms}
            most={60_000}
          />
        </div>
      )}
      <div class="alert-fields">
        <NumberField
          name="failure_rate_percent"
          label="Failure rate above"
          unit="%"
          value={thresholds.failure_rate_percent}
          most={100}
        />
        <NumberField
          name="failure_rate_window_minutes"
          label="measured over"
          unit="minutes"
          value={thresholds.failure_rate_window_minutes}
          most={1_440}
        />
      </div>
      <div class="alert-fields">
        <ChannelBox name="email" isSet={channels.email === true} contacts={contacts} />
        <ChannelBox name="sms" isSet={channels.sms === true} contacts={contacts} />
        <label class="grow">
          Webhook
          <input
            type="url"
            name="webhook"
            placeholder="https://…"
            defaultValue={typeof channels.webhook === 'string' ? channels.webhook : ''}
          />
        </label>
      </div>
      <div class="buttons">
        <button
          type="submit"
          class="small"
          disabled={isBusy || lackOf('trunks:write') !== undefined}
          title={lackOf('trunks:write')}
        >
          Save
        </button>
        <button
          type="button"
          class="small"
          disabled={isBusy || config === null || lackOf('alerts:write') !== undefined}
          title={lackOf('alerts:write') ?? (config === null ? 'Save the alert first.' : undefined)}
          onClick={() => void run(async () => setTest(await testAlerts(phoneNumber, direction)))}
        >
          Send a test notice
        </button>
        <span role="status" class={message?.[0] === 'bad' ? 'field-problem' : 'muted'}>
          {message?.[1]}
        </span>
      </div>
      {test !== undefined && (
        <div role="status">
          <ul class="targets">
            {test.channels.map((channel) => (
              <li key={`${channel.channel} ${channel.target}`}>
                {channelNames[channel.channel] ?? channel.channel}{' '}
                <State
                  tone={
                    channel.status === 'delivered' ? 'good' : channel.status === 'failed' ? 'bad' : 'idle'
                  }
                >
                  {capitalized(spoken(channel.status))}
                </State>{' '}
                <span class="muted breakable">
                  {channel.target} {channel.detail}{' '}
                  {channel.status === 'delivered' && milliseconds(channel.milliseconds)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <AsCurl requests={() => [request()]} />
    </form>
  );
}

interface ChannelBoxProps {
  readonly name: 'email' | 'sms';
  readonly isSet: boolean;
  readonly contacts: Contacts | undefined;
}

/** A channel that cannot work can be switched off, but not on. */
function ChannelBox({ name, isSet, contacts }: ChannelBoxProps): JSX.Element {
  const problem = contacts && problemOf(name, contacts);
  const id = useId();
  return (
    <span class="channel">
      <label class="check">
        <input
          type="checkbox"
          name={name}
          defaultChecked={isSet}
          disabled={problem !== undefined && !isSet}
          aria-describedby={problem === undefined ? undefined : id}
        />{' '}
        {channelNames[name]}
      </label>
      {problem !== undefined && (
        <small id={id} class={isSet ? 'field-problem' : ''}>
          {problem}
        </small>
      )}
    </span>
  );
}

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number | undefined;
  readonly most: number;
}

function NumberField({ name, label, unit, value, most }: NumberFieldProps): JSX.Element {
  return (
    <label>
      {label}
      <span class="with-unit">
        <input
          type="number"
          name={name}
          min={1}
          max={most}
          defaultValue={value === undefined ? '' : String(value)}
        />
        <span>{unit}</span>
      </span>
    </label>
  );
}
