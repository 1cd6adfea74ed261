import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import {
  type AlertKind,
  changeOf,
  creationOf,
  kindNames,
  type MaintenanceWindow,
  type Weekday,
  type WindowBody,
  weekdays,
} from '../../api/maintenance.js';
import { RequestForm } from '../../forms/request-form.js';
import { Choice } from '../../parts/choice.js';
import { capitalized } from '../../parts/format.js';
import { ownZone, zoneNames } from '../../parts/time-zones.js';
import { clockOf, localTimeIn, minutesBetween } from './window-times.js';

interface WindowFormProps {
  /** Absent: a new one. */
  readonly window?: MaintenanceWindow | undefined;
  readonly onSaved: () => void;
}

const types = [
  ['once', 'Once'],
  ['weekly', 'Every week'],
] as const;

const kinds = Object.keys(kindNames) as AlertKind[];

/** Creates or changes a maintenance window. */
export function WindowForm({ window, onSaved }: WindowFormProps): JSX.Element {
  const zones = useId();
  const [type, setType] = useState<'once' | 'weekly'>(window?.schedule.type ?? 'once');
  const zone = window?.time_zone ?? ownZone();
  const once = window?.schedule.type === 'once' ? window.schedule : undefined;
  const weekly = window?.schedule.type === 'weekly' ? window.schedule : undefined;
  const read = (fields: FormData): WindowBody => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    return {
      name: text('name'),
      phone_number: text('phone_number') === '' ? null : text('phone_number'),
      trunk_id: window?.trunk_id ?? null,
      kinds: fields.getAll('kinds') as AlertKind[],
      time_zone: text('time_zone'),
      schedule:
        type === 'once'
          ? { type, starts_at: text('starts_at'), ends_at: text('ends_at') }
          : {
              type,
              weekdays: fields.getAll('weekdays') as Weekday[],
              start_time: text('start_time'),
              duration_minutes: minutesBetween(text('start_time'), text('end_time')),
            },
    };
  };
  const request = (fields: FormData) =>
    window === undefined ? creationOf(read(fields)) : changeOf(window.window_id, read(fields));
  return (
    <RequestForm
      label="Maintenance window"
      request={request}
      scope="alerts:write"
      button={window === undefined ? 'Add window' : 'Save'}
      onSent={onSaved}
    >
      <label>
        What is done
        <input
          name="name"
          required
          maxLength={100}
          autocomplete="off"
          placeholder="PBX upgrade"
          defaultValue={window?.name}
        />
      </label>
      {window?.trunk_id == null ? (
        <label>
          Number
          <input
            name="phone_number"
            placeholder="All numbers"
            autocomplete="off"
            defaultValue={window?.phone_number ?? ''}
          />
        </label>
      ) : (
        <p class="note">For the numbers of trunk {window.trunk_id}.</p>
      )}
      <Choice label="How often" value={type} options={types} onChange={setType} />
      {type === 'once' ? (
        <div class="field-row">
          <label>
            From
            <input
              name="starts_at"
              type="datetime-local"
              required
              defaultValue={once && localTimeIn(zone, once.starts_at)}
            />
          </label>
          <label>
            Until
            <input
              name="ends_at"
              type="datetime-local"
              required
              defaultValue={once && localTimeIn(zone, once.ends_at)}
            />
          </label>
        </div>
      ) : (
        <>
          <fieldset class="plain-form event-area">
            <legend>Starts on</legend>
            <div class="check-columns">
              {weekdays.map((day) => (
                <label class="check" key={day}>
                  <input
                    type="checkbox"
                    name="weekdays"
                    value={day}
                    defaultChecked={weekly?.weekdays.includes(day) ?? day === 'sunday'}
                  />
                  {capitalized(day)}
                </label>
              ))}
            </div>
          </fieldset>
          <div class="field-row">
            <label>
              From
              <input name="start_time" type="time" required defaultValue={weekly?.start_time ?? '02:00'} />
            </label>
            <label>
              Until
              <input
                name="end_time"
                type="time"
                required
                defaultValue={weekly ? clockOf(weekly.start_time, weekly.duration_minutes) : '04:00'}
              />
            </label>
          </div>
        </>
      )}
      <label>
        Time zone
        <input name="time_zone" list={zones} required defaultValue={zone} autocomplete="off" />
      </label>
      <datalist id={zones}>
        {zoneNames().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <fieldset class="plain-form event-area">
        <legend>Alerts that are not sent</legend>
        <div class="check-columns">
          {kinds.map((kind) => (
            <label class="check" key={kind}>
              <input
                type="checkbox"
                name="kinds"
                value={kind}
                defaultChecked={window?.kinds.includes(kind) ?? true}
              />
              {kindNames[kind]}
            </label>
          ))}
        </div>
      </fieldset>
    </RequestForm>
  );
}
