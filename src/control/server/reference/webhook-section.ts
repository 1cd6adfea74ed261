import { type EventType, eventTypes } from '../../events/event-types.js';
import type { OpenApiDocument, Operation, Schema } from '../../http/open-api.js';

const occasions: Readonly<Record<EventType, string>> = {
  'call.initiated': 'An inbound call was admitted, or an edge began an outbound one.',
  'call.ringing': 'The agent (inbound) or the callee (outbound) rings.',
  'call.answered': 'The call was answered.',
  'call.completed': 'An answered call ended.',
  'call.failed': 'A call ended without an answer.',
  'trunk.unreachable': 'One of your servers stopped answering probes.',
  'trunk.recovered': 'One of your servers answers probes again.',
  'registration.registered': 'A registration with your PBX succeeded after a failure.',
  'registration.failed': 'A registration with your PBX failed.',
  'alert.fired': 'An alert fired.',
  'alert.recovered': 'An alert recovered.',
  'port.waiting_for_signature': 'A port was requested; its letter waits for a signature.',
  'port.submitted': 'The letter of a port was signed.',
  'port.in_progress': 'The losing carrier works on a port, or a part of the numbers was ported.',
  'port.completed': 'A port is over, and numbers were ported.',
  'port.failed': 'A port is over, and no number was ported.',
  'port.canceled': 'A port was canceled.',
  'usage.near_limit':
    'The usage of your organization, or the active calls of a number, reached 80 % of a limit.',
  'persona.promoted': 'The draft of a persona became live.',
  'pathway.promoted': 'A version of a pathway became live.',
  'agent_test.schedule_failed': 'A scenario of a test schedule passed less often than required.',
  'agent_test.schedule_recovered': 'Every scenario of a test schedule passes as often as required again.',
  'agent_test.monitor_failed':
    'Calls that a test monitor judges pass less often than required, or than before.',
  'agent_test.monitor_recovered': 'Calls that a test monitor judges pass as often as required again.',
  'webhook.paused': 'Another of your endpoints does not respond; its deliveries wait.',
  'webhook.resumed': 'Another of your endpoints responds again; the deliveries that waited are sent.',
  'webhook.deliveries_dropped':
    'Too many deliveries waited for another of your endpoints; the oldest failed.',
  'webhook.test': 'You requested a test.',
};

const portRequest: Schema = { $ref: '#/components/schemas/PortRequest' };

/** `data` of events whose data is an answer of the API as well. */
const schemas: Readonly<Partial<Record<EventType, Schema>>> = {
  'alert.fired': { $ref: '#/components/schemas/Alert' },
  'alert.recovered': { $ref: '#/components/schemas/Alert' },
  'port.waiting_for_signature': portRequest,
  'port.submitted': portRequest,
  'port.in_progress': portRequest,
  'port.completed': portRequest,
  'port.failed': portRequest,
  'port.canceled': portRequest,
  'persona.promoted': { $ref: '#/components/schemas/PersonaVersion' },
  'pathway.promoted': { $ref: '#/components/schemas/PathwayVersionSummary' },
  'agent_test.schedule_failed': { $ref: '#/components/schemas/TestSchedule' },
  'agent_test.schedule_recovered': { $ref: '#/components/schemas/TestSchedule' },
  'agent_test.monitor_failed': { $ref: '#/components/schemas/TestMonitor' },
  'agent_test.monitor_recovered': { $ref: '#/components/schemas/TestMonitor' },
};

const operationOf = (type: EventType): Operation => ({
  operationId: `on${type.replaceAll(/(^|\.)(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}`,
  tags: ['Webhooks'],
  summary: occasions[type],
  description:
    'Posted to webhook endpoints subscribed to the event. Verify `X-Demarc-Signature` first; docs/webhooks.md shows how.',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/WebhookEvent' },
            {
              type: 'object',
              properties: {
                event: { const: type, description: 'What happened.' },
                ...(schemas[type] === undefined ? {} : { data: schemas[type] }),
              },
            },
          ],
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'Received; not sent again.' },
    '4XX': { description: 'Not received; retried later, as after any other status.' },
  },
});

/** What the service posts to its customers, one entry a type of event. */
export const webhookSection = (): NonNullable<OpenApiDocument['webhooks']> =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]));
