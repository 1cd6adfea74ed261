import type { JSX, TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { readEndpoints } from '../../api/webhooks.js';
import { Page } from '../../frame/page.js';
import '../../style/organization.css';
import { DeliveryList } from './delivery-list.js';
import { WebhookTabs } from './webhook-tabs.js';

const channels = [
  ['', 'All channels'],
  ['webhook', 'Webhook'],
  ['email', 'Email'],
  ['sms', 'SMS'],
] as const;

/** Everything that the organization was sent: webhooks, email and SMS. */
export function DeliveriesPage(): JSX.Element {
  const { query: search, route } = useLocation();
  const endpoints = useResource('webhooks', readEndpoints);
  const channel = channels.find(([name]) => name === search.channel)?.[0] ?? '';
  const filter = {
    webhook_id: search.webhook_id,
    subject: search.subject,
    channel: channel === '' ? undefined : channel,
  };
  const choose = (changed: Readonly<Record<string, string | undefined>>): void =>
    route(`/webhooks/deliveries${query({ ...filter, ...changed })}`, true);
  const find = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const subject = String(new FormData(event.currentTarget).get('subject') ?? '').trim();
    choose({ subject: subject === '' ? undefined : subject });
  };
  return (
    <Page title="Deliveries">
      <WebhookTabs />
      <form class="filters deliveries-filters" onSubmit={find}>
        <label>
          Endpoint
          <select
            value={search.webhook_id ?? ''}
            onChange={(event) => choose({ webhook_id: event.currentTarget.value || undefined })}
          >
            <option value="">All</option>
            {endpoints.data?.map(({ webhook_id: id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </label>
        <label>
          Channel
          <select
            value={channel}
            onChange={(event) => choose({ channel: event.currentTarget.value || undefined })}
          >
            {channels.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Call or alert
          <input
            name="subject"
            type="search"
            defaultValue={search.subject}
            placeholder="call_id or alert_id"
          />
        </label>
        <button type="submit">Filter</button>
      </form>
      <DeliveryList key={JSON.stringify(filter)} title="Deliveries" filter={filter} />
    </Page>
  );
}
