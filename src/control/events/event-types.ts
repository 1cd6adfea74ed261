import { z } from 'zod';

/** All webhook event types: a closed list. */
export const eventTypes = [
  'call.initiated',
  'call.ringing',
  'call.answered',
  'call.completed',
  'call.failed',
  'trunk.unreachable',
  'trunk.recovered',
  'registration.registered',
  'registration.failed',
  'alert.fired',
  'alert.recovered',
  'port.waiting_for_signature',
  'port.submitted',
  'port.in_progress',
  'port.completed',
  'port.failed',
  'port.canceled',
  'usage.near_limit',
  'persona.promoted',
  'pathway.promoted',
  'agent_test.schedule_failed',
  'agent_test.schedule_recovered',
  'agent_test.monitor_failed',
  'agent_test.monitor_recovered',
  'webhook.paused',
  'webhook.resumed',
  'webhook.deliveries_dropped',
  'webhook.test',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Event types an endpoint can subscribe to; `webhook.test` needs no subscription. */
export const eventFilters = [
  '*',
  'call.*',
  'trunk.*',
  'registration.*',
  'alert.*',
  'port.*',
  'usage.*',
  'persona.*',
  'pathway.*',
  'agent_test.*',
  'webhook.*',
  ...eventTypes.filter((type) => type !== 'webhook.test'),
] as const;
export type EventFilter = (typeof eventFilters)[number];

export const eventFilterSchema = z.enum(eventFilters);

/** Whether the event matches an endpoint's filters. */
export const isWanted = (filters: readonly EventFilter[], type: EventType): boolean =>
  type === 'webhook.test' ||
  filters.some((filter) => filter === '*' || filter === type || filter === `${type.split('.')[0]}.*`);
