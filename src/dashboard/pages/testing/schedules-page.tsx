import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { changeOf, deleteSchedule, readSchedules, type Schedule } from '../../api/schedules.js';
import { count, money, whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { useRowActions } from '../../parts/row-actions.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';
import { scoreText } from './run-state.js';
import { ScheduleForm } from './schedule-form.js';
import { TestingPage } from './testing-page.js';

const everyMilliseconds = 15_000;

/** Scenarios that run again and again, and alert when they fail. */
export function SchedulesPage(): JSX.Element {
  const { query: search, route } = useLocation() as {
    query: { readonly scenarios?: string };
    route: (url: string) => void;
  };
  const schedules = useResource('test schedules', readSchedules, { everyMilliseconds });
  const [edited, setEdited] = useState<Schedule | undefined>();
  const chosen = search.scenarios?.split(',') ?? [];
  const scenarioIds = edited?.scenario_ids ?? chosen;
  return (
    <TestingPage title="Testing">
      <div class="organization-columns">
        <Panel
          title="Recurring tests"
          note="Scenarios that run again and again. When one passes less often than required, Demarc notifies the alert contacts and your webhooks once, and again when it passes."
        >
          <Loaded what="recurring tests" from={schedules}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No recurring tests">
                  Select <a href="/testing">scenarios</a> and repeat them.
                </Empty>
              ) : (
                <ScheduleTable schedules={list} onChanged={schedules.reload} onEdit={setEdited} />
              )
            }
          </Loaded>
        </Panel>
        {scenarioIds.length > 0 && (
          <Panel
            title={edited === undefined ? 'Add recurring test' : `Change ${edited.name}`}
            aside={
              edited !== undefined && (
                <button type="button" class="small" onClick={() => setEdited(undefined)}>
                  Cancel
                </button>
              )
            }
          >
            <ScheduleForm
              key={edited?.id ?? search.scenarios}
              schedule={edited}
              scenarioIds={scenarioIds}
              onSaved={() => {
                setEdited(undefined);
                schedules.reload();
                if (edited === undefined) route('/testing/schedules');
              }}
            />
          </Panel>
        )}
      </div>
    </TestingPage>
  );
}

interface ScheduleTableProps {
  readonly schedules: readonly Schedule[];
  readonly onChanged: () => void;
  readonly onEdit: (schedule: Schedule) => void;
}

function ScheduleTable({ schedules, onChanged, onEdit }: ScheduleTableProps): JSX.Element {
  const { button, run, refusal } = useRowActions('agent-testing:write', onChanged);
  return (
    <>
      {refusal}
      <WideTable label="Recurring tests, newest first">
        <TableHead columns={{ Test: '', Result: '', Next: '', Actions: '' }} />
        <tbody class="card-rows">
          {schedules.map((schedule) => (
            <tr key={schedule.id}>
              <td>
                <span class="party">
                  <b>
                    <Untrusted text={schedule.name} />
                  </b>
                  <span class="muted">{recurrenceText(schedule)}</span>
                  <span class="muted">
                    {count(schedule.scenario_ids.length, 'scenario')} ×{' '}
                    {count(schedule.simulations_per_scenario, 'run')}
                    {schedule.matrix !== null &&
                      `, varied: ${Object.keys(schedule.matrix.fields).join(', ')}`}
                  </span>
                </span>
              </td>
              <td class="breakable">
                <Result schedule={schedule} />
              </td>
              <td>
                {schedule.next_run_at === null ? (
                  <State tone="idle">Paused</State>
                ) : (
                  <When at={schedule.next_run_at} />
                )}
              </td>
              <td>
                <div class="buttons">
                  <button {...button} onClick={() => onEdit(schedule)}>
                    Change
                  </button>
                  <button
                    {...button}
                    onClick={() => run(send(changeOf(schedule.id, { enabled: !schedule.enabled })))}
                  >
                    {schedule.enabled ? 'Pause' : 'Resume'}
                  </button>
                  <button {...button} onClick={() => run(deleteSchedule(schedule.id))}>
                    Delete
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

function Result({ schedule }: { schedule: Schedule }): JSX.Element {
  const { state, state_since: since, lowest_pass_rate: rate, problem } = schedule;
  const last = schedule.last_simulation_set_id;
  return (
    <span class="party">
      {state === null ? (
        <State tone="idle">No result yet</State>
      ) : (
        <State tone={state === 'passing' ? 'good' : 'bad'}>
          {state === 'passing' ? 'Passing' : 'Failing'}
        </State>
      )}
      {since !== null && (
        <span class="muted">
          since <When at={since} />
        </span>
      )}
      {problem === null ? (
        rate !== null && <span class="muted">Lowest pass rate {scoreText(rate)}</span>
      ) : (
        <Untrusted text={problem} />
      )}
      <Usage schedule={schedule} />
      {last !== null && <a href={`/testing/simulations/${last}`}>Last runs</a>}
    </span>
  );
}

/** What the runs of the period took, of the budget if there is one. */
function Usage({ schedule: { usage, budget } }: { schedule: Schedule }): JSX.Element | null {
  if (budget === null && usage.tokens === 0) return null;
  const tokens = budget === null || budget.tokens === null ? '' : ` of ${whole(budget.tokens)}`;
  const cost = budget === null || budget.cost === null ? '' : ` of ${budget.cost.toLocaleString('en-US')}`;
  return (
    <span class="muted">
      This {usage.period}: {whole(usage.tokens)}
      {tokens} tokens, {money(usage.cost)}
      {cost}
    </span>
  );
}

function recurrenceText({ recurrence }: Schedule): string {
  if (recurrence.type === 'daily') return `Every day at ${recurrence.time} (${recurrence.time_zone})`;
  const hours = recurrence.minutes / 60;
  return hours < 1
    ? `Every ${recurrence.minutes} minutes`
    : `Every ${hours === 1 ? 'hour' : `${hours} hours`}`;
}
