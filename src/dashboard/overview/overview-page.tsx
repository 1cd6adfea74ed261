import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { problem, scope, summary } from '../api/live.js';
import { type WindowName, windowNames } from '../api/noc.js';
import { LivePanel } from '../calls/live-panel.js';
import { Choice } from '../parts/choice.js';
import { Loading, Problem } from '../parts/notice.js';
import { StaleNotice } from '../shell/connection-state.js';
import { Page } from '../shell/page.js';
import { ScopeChoice } from '../shell/scope-choice.js';
import { CallSeriesPanel } from './call-series.js';
import { Failures } from './failures.js';
import { Figures } from './figures.js';
import { FleetPanel, OrganizationsPanel } from './fleet-panel.js';
import { PartsPanel } from './parts-panel.js';
import { TrunksPanel } from './trunks-panel.js';
import { Verdict } from './verdict.js';

const windowOptions: Readonly<Record<WindowName, string>> = { '5m': '5 min', '1h': '1 h', '24h': '24 h' };

export function OverviewPage(): JSX.Element {
  const [window, setWindow] = useState<WindowName>('1h');
  const known = summary.value;
  const isFleet = scope.value === 'fleet';
  const calls = isFleet ? known?.fleet?.calls : known?.calls;
  return (
    <Page
      title="Overview"
      beside={
        <div class="buttons">
          <ScopeChoice />
          <Choice
            label="Figures of"
            value={window}
            options={windowNames.map((name) => [name, windowOptions[name]] as const)}
            onChange={setWindow}
          />
        </div>
      }
    >
      <StaleNotice />
      {calls === undefined && problem.value !== undefined && (
        <Problem title="No data">
          <p>{problem.value}</p>
        </Problem>
      )}
      {calls === undefined && problem.value === undefined && <Loading what="the overview" />}
      {known !== undefined && calls !== undefined && (
        <>
          <Verdict summary={known} calls={calls} />
          <Figures calls={calls} window={window} />
          <div class="overview-columns">
            <div>
              <CallSeriesPanel />
              <LivePanel most={6} />
              {isFleet && known.fleet !== null && (
                <OrganizationsPanel organizations={known.fleet.organizations} />
              )}
              {calls.windows !== null && <Failures figures={calls.windows[window]} window={window} />}
            </div>
            <div>
              <PartsPanel parts={known.parts} registrations={known.registrations} />
              <TrunksPanel {...known} />
            </div>
          </div>
          {known.fleet !== null && <FleetPanel fleet={known.fleet} />}
        </>
      )}
    </Page>
  );
}
