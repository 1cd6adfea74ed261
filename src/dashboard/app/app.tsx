import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { ApiFailure } from '../api/client.js';
import { forgetEverything, readAhead, startListening, stopListening } from '../api/live.js';
import { resumeSession, session } from '../api/session.js';
import { Page } from '../frame/page.js';
import { SignIn } from '../frame/sign-in.js';
import { CallsPage } from '../pages/calls/calls-page.js';
import { OverviewPage } from '../pages/overview/overview-page.js';
import { Problem } from '../parts/notice.js';
import { FaultBarrier } from './fault.js';
import { Layout } from './layout.js';
import {
  AccountPage,
  AddNumberPage,
  AgentsPage,
  AlertsPage,
  AnalyticsPage,
  AuditPage,
  BatchesPage,
  BatchPage,
  BotsPage,
  CallBatchesPage,
  CallBatchPage,
  CallPage,
  ContactPage,
  ContactsPage,
  DeliveriesPage,
  DeliveryPage,
  DiscoverPage,
  EditNumberPage,
  EditPathwayPage,
  EndpointPage,
  FirewallPage,
  GeneratePage,
  GuidesPage,
  IncidentPage,
  IncidentsPage,
  JoinPage,
  KeysPage,
  KnowledgePage,
  LoadTestPage,
  LoadTestsPage,
  MaintenancePage,
  MembersPage,
  NewPortPage,
  NewScenarioPage,
  NewSharedTrunkPage,
  OrganizationPage,
  OrganizationsPage,
  PathwayPage,
  PathwaysPage,
  PersonaPage,
  PersonasPage,
  PortingPage,
  PortPage,
  QueuedPage,
  QueuePage,
  ResetPage,
  RunPage,
  RunsPage,
  ScenarioPage,
  ScenariosPage,
  ScreenPage,
  SharedCallPage,
  SharedTrunkPage,
  SharedTrunksPage,
  SimulationPage,
  SimulationsPage,
  TemplatesPage,
  TestMonitorsPage,
  TestSchedulesPage,
  TornadoSessionPage,
  TornadoSessionsPage,
  TornadoStartPage,
  TrunkPage,
  TrunksPage,
  UsagePage,
  VersionPage,
  WebAgentsPage,
  WebhooksPage,
} from './pages.js';

/** Paths of the dashboard: all except those that the server serves itself. */
const ownPaths = /^\/(?!v1\/|sign\/|carrier\/|docs|openapi\.json|metrics|readyz|livez)/;

export function App(): JSX.Element {
  return (
    <LocationProvider scope={ownPaths}>
      <Gate />
    </LocationProvider>
  );
}

const linkPaths: ReadonlySet<string> = new Set(['/join', '/reset', '/shared-call', '/screen']);

const retryMilliseconds = 5_000;

/** Shows only the sign-in page to signed-out users; the URL is kept, so that sign-in leads to the requested page. */
function Gate(): JSX.Element | null {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [attempt, setAttempt] = useState(0);
  // Before the first paint: the answer decides what is painted.
  useLayoutEffect(() => {
    resumeSession().catch(setProblem);
  }, [attempt]);
  useEffect(() => {
    if (problem === undefined) return;
    const timer = setTimeout(() => setAttempt((last) => last + 1), retryMilliseconds);
    return () => clearTimeout(timer);
  }, [problem]);
  const { path } = useLocation();
  const isOverview = useRef(false);
  isOverview.current = path === '/';
  const current = session.value;
  // A person who switches to another organization must not see the figures of the one before.
  const user = current && `${current.key?.id ?? current.member?.id} ${current.organization.id}`;
  useLayoutEffect(() => {
    if (user === undefined || user === null) return;
    startListening();
    if (isOverview.current) void readAhead();
    // Another tab takes over at once. A page that comes back from the browser's cache listens again.
    const resume = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) startListening();
    };
    addEventListener('pagehide', stopListening);
    addEventListener('pageshow', resume);
    return () => {
      removeEventListener('pagehide', stopListening);
      removeEventListener('pageshow', resume);
      forgetEverything();
    };
  }, [user]);

  // Links with a token work with and without a session.
  if (linkPaths.has(path)) {
    return (
      <Router>
        <Route path="/join" component={JoinPage} />
        <Route path="/reset" component={ResetPage} />
        <Route path="/shared-call" component={SharedCallPage} />
        <Route path="/screen" component={ScreenPage} />
      </Router>
    );
  }
  if (problem !== undefined && current === undefined) {
    return (
      <main class="sign-in">
        <Problem title={problem.status === 503 ? 'Sign-in is unavailable' : 'Demarc is unreachable'}>
          <p>{problem.message}</p>
          <p class="note">Retrying every five seconds.</p>
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </Problem>
      </main>
    );
  }
  if (current === undefined) return null;
  if (current === null) return <SignIn />;
  if (!current.organization.sip_enabled) {
    return (
      <Layout>
        <Problem title="SIP is not enabled for this organization">
          <p>
            The operator of the service enables it on the page “All organizations”, or with{' '}
            <code>demarc org entitle {current.organization.name}</code>.
          </p>
        </Problem>
      </Layout>
    );
  }
  return (
    <Layout>
      <FaultBarrier path={path}>
        <Router>
          <Route path="/" component={OverviewPage} />
          <Route path="/calls" component={CallsPage} />
          <Route path="/calls/batches" component={CallBatchesPage} />
          <Route path="/calls/batches/:id" component={CallBatchPage} />
          <Route path="/calls/:id" component={CallPage} />
          <Route path="/contacts" component={ContactsPage} />
          <Route path="/contacts/:id" component={ContactPage} />
          <Route path="/personas" component={PersonasPage} />
          <Route path="/personas/:id" component={PersonaPage} />
          <Route path="/pathways" component={PathwaysPage} />
          <Route path="/pathways/:id" component={PathwayPage} />
          <Route path="/pathways/:id/edit" component={EditPathwayPage} />
          <Route path="/pathways/:id/versions/:version" component={VersionPage} />
          <Route path="/testing" component={ScenariosPage} />
          <Route path="/testing/new" component={NewScenarioPage} />
          <Route path="/testing/generate" component={GeneratePage} />
          <Route path="/testing/scenarios/:id" component={ScenarioPage} />
          <Route path="/testing/runs" component={RunsPage} />
          <Route path="/testing/runs/:id" component={RunPage} />
          <Route path="/testing/batches" component={BatchesPage} />
          <Route path="/testing/simulations" component={SimulationsPage} />
          <Route path="/testing/tornado" component={TornadoSessionsPage} />
          <Route path="/testing/schedules" component={TestSchedulesPage} />
          <Route path="/testing/load" component={LoadTestsPage} />
          <Route path="/testing/load/:id" component={LoadTestPage} />
          <Route path="/testing/monitors" component={TestMonitorsPage} />
          <Route path="/testing/batches/:id" component={BatchPage} />
          <Route path="/testing/analytics/:id" component={AnalyticsPage} />
          <Route path="/testing/simulations/:id" component={SimulationPage} />
          <Route path="/testing/tornado/start/:id" component={TornadoStartPage} />
          <Route path="/testing/tornado/:id" component={TornadoSessionPage} />
          <Route path="/testing/templates" component={TemplatesPage} />
          <Route path="/trunks" component={TrunksPage} />
          <Route path="/trunks/add" component={AddNumberPage} />
          <Route path="/trunks/shared" component={SharedTrunksPage} />
          <Route path="/trunks/shared/new" component={NewSharedTrunkPage} />
          <Route path="/trunks/shared/:id" component={SharedTrunkPage} />
          <Route path="/trunks/:number" component={TrunkPage} />
          <Route path="/trunks/:number/edit" component={EditNumberPage} />
          <Route path="/porting" component={PortingPage} />
          <Route path="/porting/new" component={NewPortPage} />
          <Route path="/porting/queue" component={QueuePage} />
          <Route path="/porting/queue/:id" component={QueuedPage} />
          <Route path="/porting/:id" component={PortPage} />
          <Route path="/knowledge" component={KnowledgePage} />
          <Route path="/alerts" component={AlertsPage} />
          <Route path="/alerts/maintenance" component={MaintenancePage} />
          <Route path="/alerts/incidents" component={IncidentsPage} />
          <Route path="/alerts/incidents/:id" component={IncidentPage} />
          <Route path="/webhooks" component={WebhooksPage} />
          <Route path="/webhooks/deliveries" component={DeliveriesPage} />
          <Route path="/webhooks/deliveries/:id" component={DeliveryPage} />
          <Route path="/webhooks/:id" component={EndpointPage} />
          <Route path="/members" component={MembersPage} />
          <Route path="/members/audit" component={AuditPage} />
          <Route path="/members/account" component={AccountPage} />
          <Route path="/usage" component={UsagePage} />
          <Route path="/organizations" component={OrganizationsPage} />
          <Route path="/organizations/:id" component={OrganizationPage} />
          <Route path="/setup" component={FirewallPage} />
          <Route path="/setup/pbx" component={GuidesPage} />
          <Route path="/setup/bots" component={BotsPage} />
          <Route path="/setup/web-agents" component={WebAgentsPage} />
          <Route path="/setup/agents" component={AgentsPage} />
          <Route path="/setup/keys" component={KeysPage} />
          <Route path="/setup/discover" component={DiscoverPage} />
          <Route default component={Missing} />
        </Router>
      </FaultBarrier>
    </Layout>
  );
}

function Missing(): JSX.Element {
  return (
    <Page title="Page not found">
      <p>
        This address does not exist. <a href="/">Go to the overview</a>.
      </p>
    </Page>
  );
}
