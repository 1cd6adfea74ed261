import type { FunctionComponent, JSX } from 'preact';
import { lazy } from 'preact-iso';
import { Page } from '../frame/page.js';
import { Problem } from '../parts/notice.js';

const pauseMilliseconds = [200, 800, 2_000];

/** Of this page by the browser: once is tried, not again and again. */
const isReload = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload') && performance.now() < 15_000;

/**
 * Loads the whole page again once Demarc responds: browsers end their requests when the network changes, as with a VPN, and never fetch a
 * file again whose import has failed.
 */
async function reload(): Promise<FunctionComponent> {
  for (const pause of isReload() ? [] : pauseMilliseconds) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const response = await fetch(location.href, { method: 'HEAD', headers: { accept: 'text/html' } }).catch(
      () => undefined,
    );
    if (response?.ok !== true) continue;
    location.reload();
    return new Promise(() => {});
  }
  return NotLoaded;
}

/**
 * Pages in files that the browser fetches on the first visit. The router keeps the previous page until the file is there.
 * A file is missing after an upgrade replaced the files of the open dashboard.
 */
const page = (load: () => Promise<FunctionComponent>): FunctionComponent => lazy(() => load().catch(reload));

function NotLoaded(): JSX.Element {
  return (
    <Page title="Page not loaded">
      <Problem title="The browser could not load this page">
        <p>Demarc does not respond, or its files are missing.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Problem>
    </Page>
  );
}

export const CallPage = page(async () => (await import('../pages/call/call-page.js')).CallPage);
export const CallBatchesPage = page(
  async () => (await import('../pages/batches/batches-page.js')).CallBatchesPage,
);
export const CallBatchPage = page(async () => (await import('../pages/batches/batch-page.js')).CallBatchPage);
export const AgentsPage = page(async () => (await import('../pages/setup/agents-page.js')).AgentsPage);
export const ContactsPage = page(
  async () => (await import('../pages/contacts/contacts-page.js')).ContactsPage,
);
export const ContactPage = page(async () => (await import('../pages/contacts/contact-page.js')).ContactPage);
export const PersonasPage = page(
  async () => (await import('../pages/personas/personas-page.js')).PersonasPage,
);
export const PersonaPage = page(async () => (await import('../pages/personas/persona-page.js')).PersonaPage);
export const PathwaysPage = page(
  async () => (await import('../pages/pathways/pathways-page.js')).PathwaysPage,
);
export const PathwayPage = page(async () => (await import('../pages/pathways/pathway-page.js')).PathwayPage);
export const EditPathwayPage = page(
  async () => (await import('../pages/pathways/edit-page.js')).EditPathwayPage,
);
export const VersionPage = page(async () => (await import('../pages/pathways/version-page.js')).VersionPage);
export const ScenariosPage = page(
  async () => (await import('../pages/testing/scenarios-page.js')).ScenariosPage,
);
export const ScenarioPage = page(
  async () => (await import('../pages/testing/scenario-page.js')).ScenarioPage,
);
export const NewScenarioPage = page(
  async () => (await import('../pages/testing/new-scenario-page.js')).NewScenarioPage,
);
export const GeneratePage = page(
  async () => (await import('../pages/testing/generate-page.js')).GeneratePage,
);
export const RunsPage = page(async () => (await import('../pages/testing/runs-page.js')).RunsPage);
export const RunPage = page(async () => (await import('../pages/testing/run-page.js')).RunPage);
export const BatchesPage = page(async () => (await import('../pages/testing/lists-page.js')).BatchesPage);
export const SimulationsPage = page(
  async () => (await import('../pages/testing/lists-page.js')).SimulationsPage,
);
export const TornadoSessionsPage = page(
  async () => (await import('../pages/testing/lists-page.js')).TornadoSessionsPage,
);
export const BatchPage = page(async () => (await import('../pages/testing/batch-page.js')).BatchPage);
export const AnalyticsPage = page(
  async () => (await import('../pages/testing/analytics-page.js')).AnalyticsPage,
);
export const SimulationPage = page(
  async () => (await import('../pages/testing/simulation-page.js')).SimulationPage,
);
export const TornadoStartPage = page(
  async () => (await import('../pages/testing/tornado-page.js')).TornadoStartPage,
);
export const TornadoSessionPage = page(
  async () => (await import('../pages/testing/tornado-session-page.js')).TornadoSessionPage,
);
export const TestSchedulesPage = page(
  async () => (await import('../pages/testing/schedules-page.js')).SchedulesPage,
);
export const LoadTestsPage = page(
  async () => (await import('../pages/testing/load-tests-page.js')).LoadTestsPage,
);
export const LoadTestPage = page(
  async () => (await import('../pages/testing/load-test-page.js')).LoadTestPage,
);
export const TestMonitorsPage = page(
  async () => (await import('../pages/testing/monitors-page.js')).MonitorsPage,
);
export const TemplatesPage = page(
  async () => (await import('../pages/testing/templates-page.js')).TemplatesPage,
);
export const TrunksPage = page(async () => (await import('../pages/trunks/trunks-page.js')).TrunksPage);
export const AddNumberPage = page(
  async () => (await import('../pages/trunks/add/add-page.js')).AddNumberPage,
);
export const EditNumberPage = page(
  async () => (await import('../pages/trunks/edit/edit-page.js')).EditNumberPage,
);
export const SharedTrunksPage = page(
  async () => (await import('../pages/trunks/shared/trunk-pages.js')).SharedTrunksPage,
);
export const NewSharedTrunkPage = page(
  async () => (await import('../pages/trunks/shared/trunk-pages.js')).NewSharedTrunkPage,
);
export const SharedTrunkPage = page(
  async () => (await import('../pages/trunks/shared/trunk-pages.js')).SharedTrunkPage,
);
export const TrunkPage = page(async () => (await import('../pages/trunks/trunk-page.js')).TrunkPage);
export const PortingPage = page(async () => (await import('../pages/porting/porting-page.js')).PortingPage);
export const NewPortPage = page(async () => (await import('../pages/porting/new-port-page.js')).NewPortPage);
export const QueuePage = page(async () => (await import('../pages/porting/queue-pages.js')).QueuePage);
export const QueuedPage = page(async () => (await import('../pages/porting/queue-pages.js')).QueuedPage);
export const PortPage = page(async () => (await import('../pages/porting/port-page.js')).PortPage);
export const KnowledgePage = page(
  async () => (await import('../pages/knowledge/knowledge-page.js')).KnowledgePage,
);
export const MaintenancePage = page(
  async () => (await import('../pages/alerts/maintenance-page.js')).MaintenancePage,
);
export const AlertsPage = page(async () => (await import('../pages/alerts/alerts-page.js')).AlertsPage);
export const FirewallPage = page(async () => (await import('../pages/setup/firewall-page.js')).FirewallPage);
export const GuidesPage = page(async () => (await import('../pages/guides/guides-page.js')).GuidesPage);
export const WebAgentsPage = page(
  async () => (await import('../pages/setup/web-agents-page.js')).WebAgentsPage,
);
export const BotsPage = page(async () => (await import('../pages/setup/bots-page.js')).BotsPage);
export const KeysPage = page(async () => (await import('../pages/setup/keys-page.js')).KeysPage);
export const DiscoverPage = page(async () => (await import('../pages/setup/discover-page.js')).DiscoverPage);
export const MembersPage = page(async () => (await import('../pages/members/members-page.js')).MembersPage);
export const UsagePage = page(async () => (await import('../pages/usage/usage-page.js')).UsagePage);
export const OrganizationsPage = page(
  async () => (await import('../pages/organizations/organizations-page.js')).OrganizationsPage,
);
export const OrganizationPage = page(
  async () => (await import('../pages/organizations/organization-page.js')).OrganizationPage,
);
export const AuditPage = page(async () => (await import('../pages/members/audit-page.js')).AuditPage);
export const AccountPage = page(async () => (await import('../pages/members/account-page.js')).AccountPage);
export const JoinPage = page(async () => (await import('../pages/members/link-pages.js')).JoinPage);
export const ResetPage = page(async () => (await import('../pages/members/link-pages.js')).ResetPage);
export const WebhooksPage = page(
  async () => (await import('../pages/webhooks/webhooks-page.js')).WebhooksPage,
);
export const EndpointPage = page(
  async () => (await import('../pages/webhooks/endpoint-page.js')).EndpointPage,
);
export const DeliveriesPage = page(
  async () => (await import('../pages/webhooks/deliveries-page.js')).DeliveriesPage,
);
export const DeliveryPage = page(
  async () => (await import('../pages/webhooks/delivery-page.js')).DeliveryPage,
);
export const IncidentsPage = page(
  async () => (await import('../pages/incidents/incidents-page.js')).IncidentsPage,
);
export const IncidentPage = page(
  async () => (await import('../pages/incidents/incident-page.js')).IncidentPage,
);
export const ScreenPage = page(async () => (await import('../pages/incidents/screen-page.js')).ScreenPage);
export const SharedCallPage = page(
  async () => (await import('../pages/shared-call/shared-call-page.js')).SharedCallPage,
);
