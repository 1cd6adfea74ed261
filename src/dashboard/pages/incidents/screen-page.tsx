import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { readIncidents } from '../../api/incidents.js';
import { summary } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { session, signIn } from '../../api/session.js';
import { ConnectionState, StaleNotice } from '../../frame/connection-state.js';
import { Empty, Loaded, Loading } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { Untrusted } from '../../parts/untrusted.js';
import { CallSeriesPanel } from '../overview/call-series.js';
import { Figures } from '../overview/figures.js';
import { Verdict } from '../overview/verdict.js';
import { IncidentState, IncidentTimes } from './incident-words.js';

const everyMilliseconds = 10_000;
const shown = 5;

/** `/screen#…`: for a screen on the wall. The key of the link signs its browser in, and leaves the address. */
export function ScreenPage(): JSX.Element {
  const [key] = useState(() => location.hash.slice(1));
  const [isReady, setReady] = useState(key === '');
  const [problem, setProblem] = useState<string | undefined>();
  const current = session.value;
  // The session that the browser had before is asked for first: its answer must not replace the one of the link.
  const isKnown = current !== undefined;
  useEffect(() => {
    document.title = 'NOC screen · Demarc';
    if (key === '' || !isKnown) return;
    history.replaceState(null, '', '/screen');
    signIn(key).then(
      () => setReady(true),
      (failure: ApiFailure) => setProblem(failure.message),
    );
  }, [key, isKnown]);
  if (problem !== undefined || (isReady && current === null)) {
    return (
      <main class="screen">
        <h1>NOC screen</h1>
        <p role="alert">
          The link is not valid: it has expired or was revoked. Ask its sender for a new one.
        </p>
      </main>
    );
  }
  if (!isReady || current === undefined || current === null) return <Loading what="the screen" />;
  return <Screen name={current.organization.name} />;
}

function Screen({ name }: { name: string }): JSX.Element {
  const overview = summary.value;
  return (
    <main class="screen">
      <header class="page-head">
        <h1>{name}</h1>
        <ConnectionState />
      </header>
      <StaleNotice />
      {overview === undefined ? (
        <Loading what="the overview" />
      ) : (
        <>
          <Verdict summary={overview} calls={overview.calls} isLinked={false} />
          <Figures calls={overview.calls} window="5m" />
          <div class="overview-columns">
            <CallSeriesPanel window="1h" />
            <Latest />
          </div>
        </>
      )}
    </main>
  );
}

function Latest(): JSX.Element {
  const incidents = useResource('latest', (signal) => readIncidents({ limit: shown }, signal), {
    everyMilliseconds,
  });
  return (
    <Panel title="Latest incidents">
      <Loaded what="incidents" from={incidents}>
        {(page) => (
          <>
            {page.incidents.length === 0 && <Empty title="No incidents yet" />}
            <ul class="alerts">
              {page.incidents.map((incident) => (
                <li key={incident.incident_id}>
                  <p class="failed-call-head">
                    <IncidentState incident={incident} />
                    <b>
                      <Untrusted text={incident.title} />
                    </b>
                  </p>
                  <IncidentTimes incident={incident} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
