import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { problem, scope, summary } from '../../api/live.js';
import { type SeriesWindow, seriesWindows, type WindowName, windowNames } from '../../api/noc.js';
import { StaleNotice } from '../../frame/connection-state.js';
import { Page } from '../../frame/page.js';
import { ScopeChoice } from '../../frame/scope-choice.js';
import { Choice } from '../../parts/choice.js';
import { Loading, Problem } from '../../parts/notice.js';
import { MaintenanceBanner } from '../alerts/maintenance-banner.js';
import { LivePanel } from '../calls/live-panel.js';
import { CallSeriesPanel } from './call-series.js';
import { Failures } from './failures.js';
import { Figures } from './figures.js';
import { FirstSteps } from './first-steps.js';
import { FleetPanel, FleetTrunksPanel, OrganizationsPanel } from './fleet-panel.js';
import { PartsPanel } from './parts-panel.js';
import { TrunksPanel } from './trunks-panel.js';
import { Verdict } from './verdict.js';

const windowOptions: Readonly<Record<WindowName, string>> = { '5m': '5 min', '1h': '1 h', '24h': '24 h' };

export function OverviewPage(): JSX.Element {
  const { query: search, route } = useLocation();
  const window = windowNames.find((name) => name === search.window) ?? '1h';
  const plotted = seriesWindows.find((name) => name === search.plot) ?? '1h';
  // In the address, so that what is seen can be sent to a colleague and survives a reload.
  const choose = (changed: { window?: WindowName; plot?: SeriesWindow }): void =>
    route(`/${query({ ...search, ...changed })}`, true);
  const overview = summary.value;
  const isFleet = scope.value === 'fleet';
  const calls = isFleet ? overview?.fleet?.calls : overview?.calls;
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
            onChange={(chosen) => choose({ window: chosen })}
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
      {overview !== undefined && calls !== undefined && (
        <>
          <MaintenanceBanner />
          <Verdict summary={overview} calls={calls} />
          {!isFleet && <FirstSteps summary={overview} />}
          <Figures calls={calls} window={window} />
          <div class="overview-columns">
            <CallSeriesPanel window={plotted} onWindow={(chosen) => choose({ plot: chosen })} />
            {calls.windows !== null && <Failures figures={calls.windows[window]} window={window} />}
          </div>
          <div class="overview-columns">
            <div>
              <LivePanel most={6} />
              <PartsPanel parts={overview.parts} registrations={overview.registrations} />
            </div>
            {isFleet && overview.fleet !== null ? (
              <FleetTrunksPanel fleet={overview.fleet} />
            ) : (
              <TrunksPanel {...overview} />
            )}
          </div>
          {isFleet && overview.fleet !== null && (
            <OrganizationsPanel organizations={overview.fleet.organizations} />
          )}
          {overview.fleet !== null && <FleetPanel fleet={overview.fleet} />}
        </>
      )}
    </Page>
  );
}
