import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Endpoint = api.WebhookEndpoint;
export type Delivery = api.Delivery;
export type DeliveryDetail = api.DeliveryDetail;
export type EventFilter = Endpoint['events'][number];
export type CreatedEndpoint = api.CreateWebhookAnswer['data'];

/** Areas with their events, in the order of the form. */
export const eventsByArea: Readonly<Record<string, readonly EventFilter[]>> = {
  call: ['call.initiated', 'call.ringing', 'call.answered', 'call.completed', 'call.failed'],
  alert: ['alert.fired', 'alert.recovered'],
  trunk: ['trunk.unreachable', 'trunk.recovered'],
  registration: ['registration.registered', 'registration.failed'],
  port: [
    ...(['port.waiting_for_signature', 'port.submitted', 'port.in_progress'] as const),
    ...(['port.completed', 'port.failed', 'port.canceled'] as const),
  ],
  usage: ['usage.near_limit'],
  persona: ['persona.promoted'],
  pathway: ['pathway.promoted'],
  agent_test: [
    'agent_test.schedule_failed',
    'agent_test.schedule_recovered',
    'agent_test.monitor_failed',
    'agent_test.monitor_recovered',
  ],
  webhook: ['webhook.paused', 'webhook.resumed', 'webhook.deliveries_dropped'],
};

/** The events of filters: `*` and areas in full. */
export const tickedBy = (filters: readonly EventFilter[]): ReadonlySet<EventFilter> =>
  new Set(
    Object.entries(eventsByArea).flatMap(([area, events]) =>
      events.filter((event) =>
        filters.some((filter) => filter === '*' || filter === `${area}.*` || filter === event),
      ),
    ),
  );

/** The shortest filters for ticked events; all of an area includes those that are added later. */
export function filtersOf(ticked: ReadonlySet<string>): EventFilter[] {
  const areas = Object.entries(eventsByArea);
  const isWhole = (events: readonly EventFilter[]): boolean => events.every((event) => ticked.has(event));
  if (areas.every(([, events]) => isWhole(events))) return ['*'];
  return areas.flatMap(([area, events]) =>
    isWhole(events) ? [`${area}.*` as EventFilter] : events.filter((event) => ticked.has(event)),
  );
}

export const readEndpoints = async (signal?: AbortSignal): Promise<Endpoint[]> =>
  (await ask(demarc.listWebhooks({}, { signal }))).webhooks;

export const readEndpoint = (webhook_id: string, signal?: AbortSignal): Promise<Endpoint> =>
  ask(demarc.getWebhook({ webhook_id }, { signal }));

export const creationOf =
  (body: api.CreateWebhookBody): ApiRequest<CreatedEndpoint> =>
  (client) =>
    client.createWebhook(body);

export const changeOf =
  (webhook_id: string, body: api.UpdateWebhookBody): ApiRequest<Endpoint> =>
  (client) =>
    client.updateWebhook({ webhook_id }, body);

export const deleteEndpoint = (webhook_id: string): Promise<unknown> =>
  ask(demarc.deleteWebhook({ webhook_id }));

export const rotateSecret = (webhook_id: string): Promise<api.RotateWebhookSecretAnswer['data']> =>
  ask(demarc.rotateWebhookSecret({ webhook_id }));

export const testEndpoint = (webhook_id: string): Promise<{ event_id: string }> =>
  ask(demarc.testWebhook({ webhook_id }));

export const readDeliveries = async (
  filter: api.ListDeliveriesQuery,
  signal?: AbortSignal,
): Promise<{ deliveries: Delivery[]; next: string | null }> => {
  const answer = demarc.listDeliveries(filter, { signal });
  const { deliveries } = await ask(answer);
  return { deliveries, next: (await answer).next };
};

export const readDelivery = (delivery_id: string, signal?: AbortSignal): Promise<DeliveryDetail> =>
  ask(demarc.getDelivery({ delivery_id }, { signal }));

export const replayDelivery = (delivery_id: string): Promise<DeliveryDetail> =>
  ask(demarc.replayDelivery({ delivery_id }));

export const replayOf =
  (webhook_id: string, created_after: string): ApiRequest<api.ReplayFailedDeliveriesAnswer['data']> =>
  (client) =>
    client.replayFailedDeliveries({ webhook_id }, { created_after });

/** Signs the webhooks of orders and alerts. */
export type OrderSecret = api.GetWebhookSecretAnswer['data'];

export const readOrderSecret = (signal?: AbortSignal): Promise<OrderSecret> =>
  ask(demarc.getWebhookSecret({ signal }));

/** Creates it, or replaces the one before. */
export const createOrderSecret: ApiRequest<api.CreateWebhookSecretAnswer['data']> = (client) =>
  client.createWebhookSecret();
