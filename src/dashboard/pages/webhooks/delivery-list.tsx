import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListDeliveriesQuery } from '../../../../clients/typescript/src/index.js';
import { useResource } from '../../api/resource.js';
import { type Delivery, readDeliveries } from '../../api/webhooks.js';
import { Choice } from '../../parts/choice.js';
import { count } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { Due, When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';

interface DeliveryListProps {
  readonly title: string;
  readonly filter: ListDeliveriesQuery;
}

const statuses = [
  ['', 'All'],
  ['failed', 'Failed'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
] as const;
type Status = (typeof statuses)[number][0];

const pageSize = 20;
const everyMilliseconds = 5_000;

/** Deliveries that match, newest first, with a choice of status. */
export function DeliveryList({ title, filter }: DeliveryListProps): JSX.Element {
  const [status, setStatus] = useState<Status>('');
  const [after, setAfter] = useState<string | undefined>();
  const parameters = { ...filter, after, limit: pageSize, status: status === '' ? undefined : status };
  const deliveries = useResource(
    `deliveries ${JSON.stringify(parameters)}`,
    (signal) => readDeliveries(parameters, signal),
    { everyMilliseconds },
  );
  return (
    <Panel
      title={title}
      aside={
        <Choice
          label="Status"
          value={status}
          options={statuses}
          onChange={(chosen) => {
            setAfter(undefined);
            setStatus(chosen);
          }}
        />
      }
    >
      <Loaded what="deliveries" from={deliveries}>
        {(page) => (
          <>
            {page.deliveries.length === 0 ? (
              <Empty title="No deliveries" />
            ) : (
              <WideTable label="Deliveries, newest first">
                <TableHead columns={{ Event: '', Status: '', Attempts: '', Created: 'wide-only' }} />
                <tbody class="card-rows">
                  {page.deliveries.map((delivery) => (
                    <DeliveryRow key={delivery.delivery_id} delivery={delivery} />
                  ))}
                </tbody>
              </WideTable>
            )}
            <nav class="pages" aria-label="Pages of deliveries">
              {after !== undefined && (
                <button type="button" class="small" onClick={() => setAfter(undefined)}>
                  Newest
                </button>
              )}
              {page.next !== null && (
                <button type="button" class="small" onClick={() => setAfter(page.next ?? undefined)}>
                  Older
                </button>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

export function DeliveryRow({ delivery }: { delivery: Delivery }): JSX.Element {
  return (
    <tr>
      <td>
        <span class="party">
          <a href={`/webhooks/deliveries/${delivery.delivery_id}`}>{delivery.event}</a>
          <span class="muted breakable">
            <Untrusted text={delivery.subject} />
          </span>
        </span>
      </td>
      <td>
        <NamedState name={delivery.status} />
        {delivery.last_error !== null && <span class="under muted">{delivery.last_error}</span>}
      </td>
      <td>
        {count(delivery.attempts, 'attempt')}
        {delivery.next_attempt_at !== null && (
          <span class="under muted">
            next <Due at={delivery.next_attempt_at} />
          </span>
        )}
      </td>
      <td class="wide-only">
        <When at={delivery.created_at} />
      </td>
    </tr>
  );
}
