import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.js';
import { type CreatedEndpoint, creationOf, type Endpoint, readEndpoints } from '../../api/webhooks.js';
import { Page } from '../../frame/page.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';
import { EndpointForm } from './endpoint-form.js';
import { OrderSecretPanel } from './order-secret-panel.js';
import { ShownSecret } from './shown-secret.js';
import { WebhookTabs } from './webhook-tabs.js';

/** The organization's webhook endpoints. */
export function WebhooksPage(): JSX.Element {
  const endpoints = useResource('webhooks', readEndpoints);
  const [created, setCreated] = useState<CreatedEndpoint | undefined>();
  return (
    <Page title="Webhooks">
      <WebhookTabs />
      {created !== undefined && <ShownSecret secret={created.secret} url={created.url} />}
      <div class="organization-columns">
        <Panel
          title="Endpoints"
          note="Each gets the events that it selects: signed, with retries for five hours, and logged."
        >
          <Loaded what="endpoints" from={endpoints}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No endpoints">Add the URL of your server to get its first event.</Empty>
              ) : (
                <EndpointTable endpoints={list} />
              )
            }
          </Loaded>
        </Panel>
        <Panel title="Add endpoint">
          <EndpointForm
            button="Add endpoint"
            request={creationOf}
            onSaved={(made) => {
              setCreated(made);
              endpoints.reload();
            }}
          />
        </Panel>
        <OrderSecretPanel />
      </div>
    </Page>
  );
}

export function EndpointTable({ endpoints }: { endpoints: readonly Endpoint[] }): JSX.Element {
  return (
    <WideTable label="Webhook endpoints, newest first">
      <TableHead columns={{ URL: '', State: '', Events: '' }} />
      <tbody class="card-rows">
        {endpoints.map((endpoint) => (
          <tr key={endpoint.webhook_id}>
            <td>
              <span class="party">
                <a href={`/webhooks/${endpoint.webhook_id}`} class="breakable">
                  <Untrusted text={endpoint.url} />
                </a>
                {endpoint.description !== '' && (
                  <span class="muted">
                    <Untrusted text={endpoint.description} />
                  </span>
                )}
              </span>
            </td>
            <td>
              <EndpointState endpoint={endpoint} />
            </td>
            <td class="breakable">{endpoint.events.join(', ').replace(/^\*$/, 'all')}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

export function EndpointState({ endpoint }: { endpoint: Endpoint }): JSX.Element {
  if (!endpoint.enabled) {
    return endpoint.disabled_reason === 'failing' ? (
      <State tone="bad">Disabled: kept failing</State>
    ) : (
      <State tone="idle">Disabled</State>
    );
  }
  if (endpoint.paused_until !== null && endpoint.silent_since !== null) {
    return (
      <State tone="bad">
        No response since <Ago at={endpoint.silent_since} />
      </State>
    );
  }
  if (endpoint.failing_since === null) return <State tone="good">Enabled</State>;
  return (
    <State tone="warn">
      Failing since <Ago at={endpoint.failing_since} />
    </State>
  );
}
