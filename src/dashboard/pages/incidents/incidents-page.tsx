import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { type Incident, readIncidents } from '../../api/incidents.js';
import { scope } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { ScopeChoice } from '../../frame/scope-choice.js';
import { Choice } from '../../parts/choice.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { Untrusted } from '../../parts/untrusted.js';
import { AlertTabs } from '../alerts/alert-tabs.js';
import { IncidentState, IncidentTimes, incidentAddress } from './incident-words.js';
import { ScreenLinkPanel } from './screen-link-panel.js';

const pageSize = 25;
const everyMilliseconds = 10_000;
const states = [
  ['', 'All'],
  ['open', 'Open'],
  ['recovered', 'Recovered'],
] as const;

const stateOf = (text: string): Incident['state'] | undefined =>
  text === 'open' || text === 'recovered' ? text : undefined;

/** When the verdict was red, newest first. */
export function IncidentsPage(): JSX.Element {
  const { query: search, route } = useLocation();
  const { state = '', after } = search;
  const filter = { state: stateOf(state), after, limit: pageSize, scope: scope.value };
  const incidents = useResource(
    `${state} ${after ?? ''} ${scope.value}`,
    (signal) => readIncidents(filter, signal),
    { everyMilliseconds },
  );
  return (
    <Page
      title="Incidents"
      beside={
        <div class="buttons">
          <ScopeChoice />
          <Choice
            label="State"
            value={state}
            options={states}
            onChange={(chosen) => route(`/alerts/incidents${query({ state: chosen })}`)}
          />
        </div>
      }
    >
      <AlertTabs />
      <div class="alert-columns">
        <Panel
          title="Incidents"
          note="From the time at which the verdict turned red until it was not red for a minute."
        >
          <Loaded what="incidents" from={incidents}>
            {(page) => (
              <>
                {page.incidents.length === 0 && (
                  <Empty title={state === '' ? 'No incidents yet' : 'No incidents in this state'} />
                )}
                <ul class="alerts">
                  {page.incidents.map((incident) => (
                    <Item incident={incident} key={incident.incident_id} />
                  ))}
                </ul>
                <nav class="pages" aria-label="Pages of incidents">
                  {after !== undefined && <a href={`/alerts/incidents${query({ state })}`}>Newest</a>}
                  {page.next !== null && (
                    <a href={`/alerts/incidents${query({ state, after: page.next })}`}>Older</a>
                  )}
                </nav>
              </>
            )}
          </Loaded>
        </Panel>
        <ScreenLinkPanel />
      </div>
    </Page>
  );
}

function Item({ incident }: { incident: Incident }): JSX.Element {
  return (
    <li class={`alert ${incident.state === 'open' ? 'active' : 'recovered'}`}>
      <p class="failed-call-head">
        <IncidentState incident={incident} />
        <a href={incidentAddress(incident)}>
          <b>
            <Untrusted text={incident.title} />
          </b>
        </a>
      </p>
      <IncidentTimes incident={incident} />
      {incident.acknowledged_by !== null && (
        <p class="note">
          Acknowledged by <b>{incident.acknowledged_by}</b>
        </p>
      )}
    </li>
  );
}
