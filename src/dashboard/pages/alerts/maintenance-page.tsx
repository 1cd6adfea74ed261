import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  changeOf,
  deleteWindow,
  kindNames,
  type MaintenanceWindow,
  readWindows,
} from '../../api/maintenance.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { capitalized } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { useRowActions } from '../../parts/row-actions.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';
import { AlertTabs } from './alert-tabs.js';
import { WindowForm } from './window-form.js';
import { clockOf } from './window-times.js';

const everyMilliseconds = 60_000;

/** Planned work, during which alerts are recorded but not sent. */
export function MaintenancePage(): JSX.Element {
  const windows = useResource('windows', (signal) => readWindows({}, signal), { everyMilliseconds });
  const [edited, setEdited] = useState<MaintenanceWindow | undefined>();
  // Another number empties the form; a reload of the list must not.
  const [saved, setSaved] = useState(0);
  return (
    <Page title="Maintenance windows">
      <AlertTabs />
      <div class="organization-columns">
        <Panel
          title="Windows"
          note="While a window is open, alerts of its kinds are recorded but not sent. What persists is sent afterwards."
        >
          <Loaded what="windows" from={windows}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No maintenance windows">Add one before planned work on a PBX.</Empty>
              ) : (
                <WindowTable windows={list} onChanged={windows.reload} onEdit={setEdited} />
              )
            }
          </Loaded>
        </Panel>
        <Panel
          title={edited === undefined ? 'Add window' : `Change ${edited.name}`}
          aside={
            edited !== undefined && (
              <button type="button" class="small" onClick={() => setEdited(undefined)}>
                Cancel
              </button>
            )
          }
        >
          <WindowForm
            key={edited?.window_id ?? `new ${saved}`}
            window={edited}
            onSaved={() => {
              setEdited(undefined);
              setSaved(saved + 1);
              windows.reload();
            }}
          />
        </Panel>
      </div>
    </Page>
  );
}

interface WindowTableProps {
  readonly windows: readonly MaintenanceWindow[];
  readonly onChanged: () => void;
  readonly onEdit: (window: MaintenanceWindow) => void;
}

export function WindowTable({ windows, onChanged, onEdit }: WindowTableProps): JSX.Element {
  const { button, run, refusal } = useRowActions('alerts:write', onChanged);
  return (
    <>
      {refusal}
      <WideTable label="Maintenance windows, newest first">
        <TableHead columns={{ Window: '', When: '', State: '', Actions: '' }} />
        <tbody class="card-rows">
          {windows.map((maintenance) => (
            <tr key={maintenance.window_id}>
              <td>
                <span class="party">
                  <b>
                    <Untrusted text={maintenance.name} />
                  </b>
                  <span class="muted">{subjectOf(maintenance)}</span>
                  <span class="muted">
                    by <Untrusted text={maintenance.updated_by} />, <When at={maintenance.updated_at} />
                  </span>
                </span>
              </td>
              <td>
                <span class="party">
                  {scheduleText(maintenance)}
                  <span class="muted">{maintenance.time_zone}</span>
                </span>
              </td>
              <td>
                <WindowState window={maintenance} />
              </td>
              <td>
                <div class="buttons">
                  <button {...button} onClick={() => onEdit(maintenance)}>
                    Change
                  </button>
                  <button
                    {...button}
                    onClick={() =>
                      run(send(changeOf(maintenance.window_id, { enabled: !maintenance.enabled })))
                    }
                  >
                    {maintenance.enabled ? 'Disable' : 'Enable'}
                  </button>
                  <button {...button} onClick={() => run(deleteWindow(maintenance.window_id))}>
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

function subjectOf({ phone_number, trunk_id, kinds }: MaintenanceWindow): string {
  const subject = phone_number ?? (trunk_id === null ? 'All numbers' : `Trunk ${trunk_id}`);
  const all = Object.keys(kindNames).length;
  return kinds.length === all ? subject : `${subject}: ${kinds.map((kind) => kindNames[kind]).join(', ')}`;
}

function scheduleText({ schedule }: MaintenanceWindow): JSX.Element {
  if (schedule.type === 'once') {
    return (
      <span>
        <When at={schedule.starts_at} /> – <When at={schedule.ends_at} />
      </span>
    );
  }
  const days = schedule.weekdays.map((day) => capitalized(day.slice(0, 3))).join(', ');
  return (
    <span>
      {days} {schedule.start_time}–{clockOf(schedule.start_time, schedule.duration_minutes)}
    </span>
  );
}

function WindowState({ window }: { window: MaintenanceWindow }): JSX.Element {
  if (!window.enabled) return <State tone="idle">Disabled</State>;
  if (window.is_open) return <State tone="warn">Open</State>;
  if (window.starts_at === null) return <State tone="over">Over</State>;
  return (
    <span class="party">
      <State tone="planned">Planned</State>
      <span class="muted">
        <When at={window.starts_at} />
      </span>
    </span>
  );
}
