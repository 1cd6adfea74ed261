import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Alert, type Notice, readAlerts } from '../../api/alerts.js';
import { query } from '../../api/client.js';
import { onEvent } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Choice } from '../../parts/choice.js';
import { capitalized, count, spoken } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { Ago, When } from '../../parts/time.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { AlertTabs } from './alert-tabs.js';
import { ContactsPanel } from './contacts-panel.js';
import { Handling } from './handling.js';
import { MaintenanceBanner } from './maintenance-banner.js';

const pageSize = 25;
const everyMilliseconds = 60_000;

const states = [
  ['', 'All'],
  ['active', 'Active'],
  ['recovered', 'Recovered'],
  ['closed', 'Closed'],
] as const;

/** Filters stored in the page URL; the API validates them. */
const stateOf = (text: string) => (text === '' ? undefined : (text as Alert['state']));

export function AlertsPage(): JSX.Element {
  const { query: search, route } = useLocation();
  const { state = '', before } = search;
  const alerts = useResource(
    `${state} ${before ?? ''}`,
    (signal) => readAlerts({ state: stateOf(state), after: before, limit: pageSize }, signal),
    { everyMilliseconds },
  );
  const { reload } = alerts;
  useEffect(() => onEvent('alert', reload), [reload]);
  return (
    <Page
      title="Alerts"
      beside={
        <Choice
          label="State"
          value={state}
          options={states}
          onChange={(state) => route(`/alerts${query({ state })}`)}
        />
      }
    >
      <AlertTabs />
      <MaintenanceBanner />
      <div class="alert-columns">
        <Panel
          title="History"
          aside={
            <span class="figure">{alerts.data !== undefined && `${alerts.data.active_count} active`}</span>
          }
        >
          <Loaded what="alerts" from={alerts}>
            {(page) => (
              <>
                {page.alerts.length === 0 && <NoAlerts isFiltered={state !== ''} />}
                <ul class="alerts">
                  {page.alerts.map((alert) => (
                    <AlertItem alert={alert} onChanged={reload} key={alert.alert_id} />
                  ))}
                </ul>
                <nav class="pages" aria-label="Pages of alerts">
                  {before !== undefined && <a href={`/alerts${query({ state })}`}>Newest</a>}
                  {page.has_more && (
                    <a href={`/alerts${query({ state, before: page.alerts.at(-1)!.alert_id })}`}>Older</a>
                  )}
                </nav>
              </>
            )}
          </Loaded>
        </Panel>
        <ContactsPanel />
      </div>
    </Page>
  );
}

function NoAlerts({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (isFiltered) return <Empty title="No alerts in this state" />;
  return (
    <Empty title="No alerts yet">
      Each number’s page under <a href="/trunks">Trunks</a> sets its thresholds and can send a test notice.
    </Empty>
  );
}

export function AlertItem({ alert, onChanged }: { alert: Alert; onChanged: () => void }): JSX.Element {
  return (
    <li class={`alert ${alert.state}`}>
      <p class="failed-call-head">
        <NamedState name={alert.state} />
        <b>{alert.title}</b>
      </p>
      <p>{alert.summary}</p>
      {alert.state === 'active' && (
        <p class="note">
          {alert.cause} {alert.advice}
        </p>
      )}
      <p class="note">
        <a href={trunkAddress(alert.phone_number)} class="figure">
          {alert.phone_number}
        </a>{' '}
        {alert.direction}, since <When at={alert.since} />, fired <Ago at={alert.fired_at} />
        {alert.recovered_at !== null && (
          <>
            , over <When at={alert.recovered_at} />
          </>
        )}
        {'. '}
        {alert.kind === 'failure_rate' && <a href={callsOf(alert)}>Failed calls of this trunk</a>}
      </p>
      {alert.state === 'active' &&
        alert.acknowledged_at === null &&
        alert.maintenance?.withheld !== true &&
        isUnnoticed(alert.notices) && (
          <div class="problem">
            <p>
              <strong>No recipient was notified.</strong> {whyUnnoticed(alert.notices)}
            </p>
          </div>
        )}
      {alert.maintenance !== null && (
        <p class="note">
          In the maintenance window <a href="/alerts/maintenance">{alert.maintenance.name}</a>:{' '}
          {alert.maintenance.withheld
            ? alert.state === 'active'
              ? 'not sent; it is sent if it persists afterwards.'
              : 'not sent.'
            : 'sent after the window, because it persisted.'}
        </p>
      )}
      <Handling alert={alert} onChanged={onChanged} />
      {alert.notices.length > 0 && (
        <details>
          <summary>{noticesInWords(alert.notices)}</summary>
          <ul class="targets">
            {alert.notices.map((notice) => (
              <li key={notice.delivery_id}>
                {capitalized(spoken(notice.event.replace('alert.', '')))} by {notice.channel}{' '}
                <NamedState name={notice.status} />{' '}
                <span class="muted breakable">
                  to {notice.target}, {notice.attempts} attempts
                  {notice.last_error !== null && `, ${notice.last_error}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

const callsOf = ({ phone_number, direction }: Alert): string =>
  `/calls${query({ number: phone_number, direction, outcome: 'unsuccessful' })}`;

/** A notice that is retried for longer has reached no recipient; control counts alike. */
const noticeMilliseconds = 120_000;

/** No notice of its begin was delivered, and none was queued a moment ago. */
const isUnnoticed = (notices: readonly Notice[]): boolean =>
  notices.every(
    ({ event, status, created_at }) =>
      event !== 'alert.fired' ||
      status === 'failed' ||
      (status === 'pending' && Date.now() - Date.parse(created_at) > noticeMilliseconds),
  );

function whyUnnoticed(notices: readonly Notice[]): JSX.Element {
  const errors = [...new Set(notices.flatMap(({ last_error }) => last_error ?? []))];
  const attempts = notices.reduce((sum, notice) => sum + notice.attempts, 0);
  if (notices.some(({ status }) => status === 'pending')) {
    return (
      <>
        Not delivered yet after {count(attempts, 'attempt')}: {errors.join(' ')}
      </>
    );
  }
  if (errors.length > 0) return <>{errors.join(' ')}</>;
  return (
    <>
      The trunk has no channel: add contacts here, and enable email, SMS or a webhook on the page of the
      number.
    </>
  );
}

function noticesInWords(notices: readonly Notice[]): string {
  const delivered = notices.filter(({ status }) => status === 'delivered').length;
  const failed = notices.filter(({ status }) => status === 'failed').length;
  return `${delivered} of ${notices.length} notices delivered${failed === 0 ? '' : `, ${failed} failed`}`;
}
