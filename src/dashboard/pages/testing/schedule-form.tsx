import type { JSX, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { send } from '../../api/request.js';
import { changeOf, creationOf, type Schedule, type ScheduleBody } from '../../api/schedules.js';
import { FormEnd } from '../../forms/form-end.js';
import { Choice } from '../../parts/choice.js';
import { count } from '../../parts/format.js';
import { ownZone, zoneNames } from '../../parts/time-zones.js';

interface ScheduleFormProps {
  /** Absent: a new one. */
  readonly schedule?: Schedule | undefined;
  readonly scenarioIds: readonly string[];
  readonly onSaved: () => void;
}

const types = [
  ['daily', 'Every day'],
  ['interval', 'At intervals'],
] as const;

const hours = (minutes: number): number => minutes / 60;
const percent = (share: number): number => Math.round(share * 1_000) / 10;

/** Creates or changes a recurring test. */
export function ScheduleForm({ schedule, scenarioIds, onSaved }: ScheduleFormProps): JSX.Element {
  const zones = useId();
  const [type, setType] = useState<'daily' | 'interval'>(schedule?.recurrence.type ?? 'daily');
  const { isBusy, problem, follow } = useAction();
  const daily = schedule?.recurrence.type === 'daily' ? schedule.recurrence : undefined;
  const interval = schedule?.recurrence.type === 'interval' ? schedule.recurrence : undefined;
  const read = (fields: FormData): ScheduleBody => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    return {
      name: text('name'),
      scenario_ids: [...scenarioIds],
      simulations_per_scenario: Number(text('simulations')),
      version: text('version') === 'draft' ? 'draft' : 'live',
      required_pass_rate: Number(text('required')) / 100,
      notify_contacts: fields.has('notify'),
      recurrence:
        type === 'daily'
          ? { type, time: text('time'), time_zone: text('time_zone') }
          : { type, minutes: Math.round(Number(text('hours')) * 60) },
    };
  };
  const request = (fields: FormData) =>
    schedule === undefined ? creationOf(read(fields)) : changeOf(schedule.id, read(fields));
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(request(new FormData(event.currentTarget))), onSaved);
  };
  return (
    <form class="plain-form" onSubmit={save} aria-label="Recurring test">
      <p class="note">{count(scenarioIds.length, 'scenario')}, each judged by its own runs.</p>
      <label>
        Name
        <input
          name="name"
          required
          maxLength={100}
          autocomplete="off"
          placeholder="Front desk, every morning"
          defaultValue={schedule?.name}
        />
      </label>
      <Choice label="How often" value={type} options={types} onChange={setType} />
      {type === 'daily' ? (
        <div class="field-row">
          <label>
            At
            <input name="time" type="time" required defaultValue={daily?.time ?? '06:30'} />
          </label>
          <label>
            Time zone
            <input
              name="time_zone"
              list={zones}
              required
              defaultValue={daily?.time_zone ?? ownZone()}
              autocomplete="off"
            />
          </label>
          <datalist id={zones}>
            {zoneNames().map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      ) : (
        <label>
          Hours between two starts (0.25–168)
          <input
            class="short"
            name="hours"
            type="number"
            min={0.25}
            max={168}
            step={0.25}
            required
            defaultValue={String(interval === undefined ? 6 : hours(interval.minutes))}
          />
        </label>
      )}
      <div class="field-row">
        <label>
          Runs of each scenario (1–100)
          <input
            class="short"
            name="simulations"
            type="number"
            min={1}
            max={100}
            required
            defaultValue={String(schedule?.simulations_per_scenario ?? 5)}
          />
        </label>
        <label>
          Must pass, in per cent
          <input
            class="short"
            name="required"
            type="number"
            min={0.1}
            max={100}
            step={0.1}
            required
            defaultValue={String(percent(schedule?.required_pass_rate ?? 0.8))}
          />
        </label>
      </div>
      <label>
        Version
        <select name="version">
          <option value="live">Live</option>
          <option value="draft" selected={schedule?.version === 'draft'}>
            Draft, else live
          </option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="notify" defaultChecked={schedule?.notify_contacts ?? true} />
        Notify the alert contacts when it begins to fail and when it passes again
      </label>
      <FormEnd
        problem={problem?.refusal}
        scope="agent-testing:write"
        button={schedule === undefined ? 'Add recurring test' : 'Save'}
        isBusy={isBusy}
        request={request}
      />
    </form>
  );
}
