import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import { may, whyNot } from '../../api/members.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import {
  changeOf,
  deleteEndpoint,
  type Endpoint,
  readEndpoint,
  rotateSecret,
  testEndpoint,
} from '../../api/webhooks.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { DeletePanel } from '../../parts/delete-panel.js';
import { count } from '../../parts/format.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { Due, When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import '../../style/organization.css';
import { DeliveryList } from './delivery-list.js';
import { EndpointForm } from './endpoint-form.js';
import { ReplayPanel } from './replay-panel.js';
import { ShownSecret } from './shown-secret.js';
import { EndpointState } from './webhooks-page.js';

/** One endpoint with its deliveries. */
export function EndpointPage(): JSX.Element {
  const { params } = useRoute();
  const id = params.id ?? '';
  const endpoint = useResource(`webhook ${id}`, (signal) => readEndpoint(id, signal));
  return (
    <Page title="Webhook endpoint" above={<Back href="/webhooks" text="Webhooks" />}>
      <Loaded what="endpoint" from={endpoint}>
        {(found) => <Details endpoint={found} onChanged={endpoint.reload} />}
      </Loaded>
    </Page>
  );
}

interface DetailsProps {
  readonly endpoint: Endpoint;
  readonly onChanged: () => void;
}

function Details({ endpoint, onChanged }: DetailsProps): JSX.Element {
  const { route } = useLocation();
  const [secret, setSecret] = useState<string | undefined>();
  // A new value reloads the deliveries.
  const [sent, setSent] = useState(0);
  const { webhook_id: id } = endpoint;
  return (
    <>
      {secret !== undefined && <ShownSecret secret={secret} url={endpoint.url} />}
      <div class="organization-columns">
        <div>
          <StatePanel
            endpoint={endpoint}
            onChanged={onChanged}
            onSecret={setSecret}
            onSent={() => setSent(sent + 1)}
          />
          <DeliveryList key={sent} filter={{ webhook_id: id }} title="Deliveries" />
          <ReplayPanel endpoint={endpoint} onReplayed={() => setSent(sent + 1)} />
        </div>
        <div>
          <Panel title="Settings">
            <EndpointForm
              key={endpoint.updated_at}
              endpoint={endpoint}
              button="Save"
              request={(fields) => changeOf(id, fields)}
              onSaved={onChanged}
            />
          </Panel>
          {may('webhooks:write') && (
            <DeletePanel
              what="endpoint"
              note="Pending deliveries are dropped; finished ones stay in the list."
              remove={() => deleteEndpoint(id).then(() => route('/webhooks'))}
            />
          )}
        </div>
      </div>
    </>
  );
}

interface StatePanelProps extends DetailsProps {
  readonly onSecret: (secret: string) => void;
  readonly onSent: () => void;
}

export function StatePanel({ endpoint, onChanged, onSecret, onSent }: StatePanelProps): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [isRotating, setRotating] = useState(false);
  const { webhook_id: id, enabled } = endpoint;
  const isAllowed = may('webhooks:write');
  const common = {
    type: 'button',
    disabled: !isAllowed,
    title: isAllowed ? undefined : whyNot.value,
  } as const;
  const run = (work: Promise<unknown>, then: () => void): void => {
    setProblem(undefined);
    work.then(then, setProblem);
  };
  return (
    <Panel title="State" aside={<EndpointState endpoint={endpoint} />}>
      {problem !== undefined && (
        <Problem title="Not done">
          <p>{problem.message}</p>
        </Problem>
      )}
      <Facts
        rows={[
          ['URL', <Untrusted key="url" text={endpoint.url} />],
          ['Created', <When key="created" at={endpoint.created_at} />],
          ...(endpoint.disabled_at === null
            ? []
            : [['Disabled', <When key="disabled" at={endpoint.disabled_at} />] as const]),
          ...(endpoint.pending_deliveries === 0
            ? []
            : [['Waiting', count(endpoint.pending_deliveries, 'delivery', 'deliveries')] as const]),
          ...(endpoint.paused_until === null
            ? []
            : [['Next probe', <Due key="probe" at={endpoint.paused_until} />] as const]),
          ...(endpoint.dropped_deliveries === 0
            ? []
            : [['Dropped', count(endpoint.dropped_deliveries, 'delivery', 'deliveries')] as const]),
          ...(endpoint.previous_secret_until === null
            ? []
            : [
                [
                  'Secrets',
                  <>
                    Deliveries are also signed with the previous secret until{' '}
                    <When at={endpoint.previous_secret_until} />
                  </>,
                ] as const,
              ]),
        ]}
      />
      <div class="buttons">
        <button {...common} disabled={!isAllowed || !enabled} onClick={() => run(testEndpoint(id), onSent)}>
          Send test
        </button>
        <button {...common} onClick={() => run(send(changeOf(id, { enabled: !enabled })), onChanged)}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        {isRotating ? (
          <>
            <button
              {...common}
              class="danger"
              onClick={() => {
                setRotating(false);
                run(
                  rotateSecret(id).then(({ secret }) => onSecret(secret)),
                  onChanged,
                );
              }}
            >
              Create a new secret
            </button>
            <button type="button" onClick={() => setRotating(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button {...common} onClick={() => setRotating(true)}>
            Rotate secret …
          </button>
        )}
      </div>
      {isRotating && (
        <p class="note">Deliveries are signed with both secrets for 24 hours, then with the new one alone.</p>
      )}
    </Panel>
  );
}
