import type { JSX, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { send } from '../../api/request.js';
import { changeOf, creationOf, type Schedule, type ScheduleBody } from '../../api/schedules.js';
import { FormEnd } from '../../forms/form-end.js';
import { Choice } from '../../parts/choice.js';
import { count } from '../../parts/format.js';
import { ownZone, zoneNames } from '../../parts/time-zones.js';
import { draftOf, type MatrixDraft, readMatrix } from './matrix-draft.js';
import { MatrixField } from './matrix-field.js';

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

const periods = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;

/** Null: both limits are empty. */
function budgetOf(fields: FormData): Exclude<ScheduleBody['budget'], undefined> {
  const limit = (name: string): number | null => {
    const text = String(fields.get(name) ?? '').trim();
    return text === '' ? null : Number(text);
  };
  const [tokens, cost] = [limit('budget_tokens'), limit('budget_cost')];
  const period = periods.find(([name]) => name === fields.get('budget_period'))?.[0];
  return tokens === null && cost === null
    ? null
    : { ...(period === undefined ? {} : { period }), tokens, cost };
}

/** Null: nothing is varied, or it is not complete yet. */
function matrixOf(draft: MatrixDraft): Exclude<ScheduleBody['matrix'], undefined> {
  const read = readMatrix(draft);
  return read.problem === undefined ? (read.matrix ?? null) : null;
}

/** Creates or changes a recurring test. */
export function ScheduleForm({ schedule, scenarioIds, onSaved }: ScheduleFormProps): JSX.Element {
  const zones = useId();
  const [type, setType] = useState<'daily' | 'interval'>(schedule?.recurrence.type ?? 'daily');
  const [varied, setVaried] = useState(() => draftOf(schedule?.matrix ?? null));
  const [unread, setUnread] = useState<string | undefined>();
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
      matrix: matrixOf(varied),
      budget: budgetOf(fields),
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
    const { problem: wrong } = readMatrix(varied);
    setUnread(wrong);
    if (wrong !== undefined) return;
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
      <MatrixField draft={varied} onChange={setVaried} />
      <div class="field-row">
        <label>
          Tokens at most
          <input
            class="short"
            name="budget_tokens"
            type="number"
            min={1}
            placeholder="Any"
            defaultValue={schedule?.budget?.tokens?.toString()}
          />
        </label>
        <label>
          Cost at most
          <input
            class="short"
            name="budget_cost"
            type="number"
            min={0}
            step="any"
            placeholder="Any"
            defaultValue={schedule?.budget?.cost?.toString()}
          />
        </label>
        <label>
          In each
          <select name="budget_period">
            {periods.map(([name, title]) => (
              <option value={name} key={name} selected={name === (schedule?.budget?.period ?? 'month')}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="check">
        <input type="checkbox" name="notify" defaultChecked={schedule?.notify_contacts ?? true} />
        Notify the alert contacts when it begins to fail and when it passes again
      </label>
      <FormEnd
        problem={unread ?? problem?.refusal}
        scope="agent-testing:write"
        button={schedule === undefined ? 'Add recurring test' : 'Save'}
        isBusy={isBusy}
        request={request}
      />
    </form>
  );
}
