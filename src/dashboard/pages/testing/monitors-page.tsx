import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  deleteMonitor,
  type Monitor,
  type MonitorBody,
  monitorChangeOf,
  monitorCreationOf,
  readMonitors,
} from '../../api/monitors.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { readScenarios } from '../../api/testing.js';
import { RequestForm } from '../../forms/request-form.js';
import { count, money, whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { useRowActions } from '../../parts/row-actions.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';
import { scoreText } from './run-state.js';
import { useTargets } from './targets.js';
import { TestingPage } from './testing-page.js';

const everyMilliseconds = 15_000;

/** Real calls, judged as tests are. */
export function MonitorsPage(): JSX.Element {
  const monitors = useResource('test monitors', readMonitors, { everyMilliseconds });
  return (
    <TestingPage title="Testing">
      <div class="organization-columns">
        <Panel
          title="Real calls"
          note="Assertions of a scenario judge a share of the calls that people make. When they pass less often than required, or than before, Demarc notifies the alert contacts and your webhooks once. What was said is known if the agent stores it in the memory of the contact."
        >
          <Loaded what="monitors" from={monitors}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No monitors">Add one for a number or a persona.</Empty>
              ) : (
                <MonitorTable monitors={list} onChanged={monitors.reload} />
              )
            }
          </Loaded>
        </Panel>
        <Panel title="Add monitor">
          <MonitorForm onSaved={monitors.reload} />
        </Panel>
      </div>
    </TestingPage>
  );
}

function MonitorTable({
  monitors,
  onChanged,
}: {
  monitors: readonly Monitor[];
  onChanged: () => void;
}): JSX.Element {
  const { button, run, refusal } = useRowActions('agent-testing:write', onChanged);
  return (
    <>
      {refusal}
      <WideTable label="Monitors, newest first">
        <TableHead columns={{ Monitor: '', Result: '', 'Latest calls': '', Actions: '' }} />
        <tbody class="card-rows">
          {monitors.map((monitor) => (
            <tr key={monitor.id}>
              <td>
                <span class="party">
                  <b>
                    <Untrusted text={monitor.name} />
                  </b>
                  <span class="muted">
                    {monitor.number ?? 'Calls of a persona'}, {scoreText(monitor.share)} of the calls
                  </span>
                  <a href={`/testing/scenarios/${monitor.scenario_id}`}>Scenario</a>
                </span>
              </td>
              <td class="breakable">
                <Standing monitor={monitor} />
              </td>
              <td>
                <span class="party">
                  <span>
                    {scoreText(monitor.recent.pass_rate)} of{' '}
                    {count(monitor.recent.passed + monitor.recent.failed, 'call')}
                  </span>
                  {monitor.earlier.pass_rate !== null && (
                    <span class="muted">
                      Before: {scoreText(monitor.earlier.pass_rate)} of{' '}
                      {monitor.earlier.passed + monitor.earlier.failed}
                    </span>
                  )}
                  {monitor.unheard_calls > 0 && (
                    <span class="muted">{count(monitor.unheard_calls, 'call')} without messages</span>
                  )}
                  {monitor.usage_this_month.tokens > 0 && (
                    <span class="muted">
                      This month: {whole(monitor.usage_this_month.tokens)} tokens,{' '}
                      {money(monitor.usage_this_month.cost)}
                    </span>
                  )}
                  <a href={`/testing/runs?monitor_id=${monitor.id}`}>Judged calls</a>
                </span>
              </td>
              <td>
                <div class="buttons">
                  <button
                    {...button}
                    onClick={() => run(send(monitorChangeOf(monitor.id, { enabled: !monitor.enabled })))}
                  >
                    {monitor.enabled ? 'Pause' : 'Resume'}
                  </button>
                  <button {...button} onClick={() => run(deleteMonitor(monitor.id))}>
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

function Standing({ monitor }: { monitor: Monitor }): JSX.Element {
  const { state, state_since: since, problem, enabled, drift } = monitor;
  return (
    <span class="party">
      {!enabled ? (
        <State tone="idle">Paused</State>
      ) : state === null ? (
        <State tone="idle">No call judged yet</State>
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
      {drift === 'better' && <span class="muted">Better than before</span>}
      {problem !== null && <Untrusted text={problem} />}
    </span>
  );
}

function MonitorForm({ onSaved }: { onSaved: () => void }): JSX.Element {
  const scenarios = useResource('scenarios to monitor with', (signal) => readScenarios({}, signal));
  const personas = useTargets().filter(({ kind }) => kind === 'persona');
  const read = (fields: FormData): MonitorBody => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const persona = text('persona');
    return {
      name: text('name'),
      scenario_id: text('scenario'),
      ...(persona === '' ? { number: text('number') } : { persona_id: persona }),
      share: Number(text('share')) / 100,
      required_pass_rate: Number(text('required')) / 100,
      notify_contacts: fields.has('notify'),
    };
  };
  const request = (fields: FormData) => monitorCreationOf(read(fields));
  const [persona, setPersona] = useState('');
  return (
    <RequestForm
      label="Monitor"
      request={request}
      scope="agent-testing:write"
      button="Add monitor"
      onSent={onSaved}
    >
      <label>
        Name
        <input name="name" required maxLength={100} autocomplete="off" placeholder="Front desk" />
      </label>
      <label>
        Assertions of scenario
        <select name="scenario" required>
          {(scenarios.data?.scenarios ?? []).map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Calls of
        <select
          name="persona"
          value={persona}
          onChange={({ currentTarget }) => setPersona(currentTarget.value)}
        >
          <option value="">A number</option>
          {personas.map(({ id, name }) => (
            <option value={id} key={id}>
              Persona {name}
            </option>
          ))}
        </select>
      </label>
      {persona === '' && (
        <label>
          Number
          <input name="number" type="tel" required placeholder="+14155550100" autocomplete="off" />
        </label>
      )}
      <div class="field-row">
        <label>
          Share of calls, in per cent
          <input
            class="short"
            name="share"
            type="number"
            min={0.1}
            max={100}
            step={0.1}
            required
            defaultValue="10"
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
            defaultValue="80"
          />
        </label>
      </div>
      <label class="check">
        <input type="checkbox" name="notify" defaultChecked />
        Notify the alert contacts when it begins to fail and when it passes again
      </label>
    </RequestForm>
  );
}
