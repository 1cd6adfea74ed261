import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { withDeadline } from '../../../../src/control/deliveries/deadline.js';
import {
  type DeliveryView,
  deliveryDetailView,
  deliveryView,
} from '../../../../src/control/deliveries/delivery-view.js';
import { deliveriesOf } from '../../../../src/control/deliveries/queue-events.js';
import type { Delivery } from '../../../../src/control/deliveries/sender.js';
import type { EndpointRow } from '../../../../src/control/deliveries/webhook/endpoint-storage.js';
import {
  endpointPlace,
  openSecrets,
  resealedSecrets,
  rotationEnd,
} from '../../../../src/control/deliveries/webhook/secrets.js';
import {
  newSigningSecret,
  signatureHeaders,
  signatureOf,
  timestampedSignature,
} from '../../../../src/control/deliveries/webhook/signature.js';
import { beginWebhook } from '../../../../src/control/deliveries/webhook/webhook-span.js';
import { webhookUrlSchema } from '../../../../src/control/deliveries/webhook/webhook-url.js';
import type { OccurredEvent } from '../../../../src/control/events/event.js';
import type { Telemetry } from '../../../../src/control/telemetry/telemetry.js';
import { endpointView } from '../../../../src/control/webhooks/endpoint-view.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));

describe('the deliveries of events', () => {
  const endpoint = (id: string, events: string[], organization = 'acme') =>
    ({ id, organization_id: organization, url: `https://${id}.example/in`, events }) as Parameters<
      typeof deliveriesOf
    >[1][number];
  const event = (id: string, type: OccurredEvent['event'], organizationId = 'acme'): OccurredEvent => ({
    organizationId,
    subject: `subject of ${id}`,
    event_id: id,
    event: type,
    occurred_at: at(0).toISOString(),
    sequence: 1,
    data: { id },
  });
  const pairs = (...given: Parameters<typeof deliveriesOf>) =>
    deliveriesOf(...given).map(({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`);

  it('are one for each endpoint of the organization that wants the event', () => {
    const endpoints = [
      endpoint('all', ['*']),
      endpoint('calls', ['call.*']),
      endpoint('alerts', ['alert.fired']),
      endpoint('other', ['*'], 'initech'),
      endpoint('none', []),
    ];
    const events = [
      event('evt_1', 'call.completed'),
      event('evt_2', 'alert.fired'),
      event('evt_3', 'alert.recovered'),
    ];
    expect(pairs(events, endpoints, {})).toEqual([
      'evt_1 all',
      'evt_1 calls',
      'evt_2 alerts',
      'evt_2 all',
      'evt_3 all',
    ]);
  });

  it('carry the event without its organization and subject', () => {
    const [row] = deliveriesOf([event('evt_1', 'call.completed')], [endpoint('all', ['*'])], {});
    expect(row).toMatchObject({
      organization_id: 'acme',
      event: 'call.completed',
      subject: 'subject of evt_1',
      channel: 'webhook',
      target: 'https://all.example/in',
    });
    expect(row!.id).toMatch(/^dlv_/);
    expect(JSON.parse(row!.content)).toEqual({
      body: {
        event_id: 'evt_1',
        event: 'call.completed',
        occurred_at: '2026-11-27T09:00:00.000Z',
        sequence: 1,
        data: { id: 'evt_1' },
      },
    });
  });

  it('are for the one endpoint that is chosen, or for all but it', () => {
    const endpoints = [endpoint('first', ['*']), endpoint('second', ['*'])];
    const events = [event('evt_1', 'call.completed')];
    expect(pairs(events, endpoints, { onlyEndpoint: 'second' })).toEqual(['evt_1 second']);
    expect(pairs(events, endpoints, { exceptEndpoint: 'second' })).toEqual(['evt_1 first']);
    expect(pairs(events, endpoints, { onlyEndpoint: 'third' })).toEqual([]);
  });

  it('of a test reach an endpoint that wants no events', () => {
    expect(pairs([event('evt_1', 'webhook.test')], [endpoint('none', [])], {})).toEqual(['evt_1 none']);
  });

  it('have one order, however events and endpoints are sorted', () => {
    const endpoints = [endpoint('b', ['*']), endpoint('a', ['*'])];
    const events = [event('evt_2', 'call.completed'), event('evt_1', 'call.completed')];
    const wanted = ['evt_1 a', 'evt_1 b', 'evt_2 a', 'evt_2 b'];
    expect(pairs(events, endpoints, {})).toEqual(wanted);
    expect(pairs(events.toReversed(), endpoints.toReversed(), {})).toEqual(wanted);
  });
});

const delivery = (fields: Partial<Delivery> = {}): Delivery => ({
  id: 'dlv_1',
  organization_id: 'acme',
  event: 'call.completed',
  subject: '3f2a1b0c-0000-4000-8000-000000000001',
  channel: 'webhook',
  target: 'https://hooks.example/in?token=1',
  content: { body: { a: 1 } },
  status: 'pending',
  attempts: 2,
  last_status: 500,
  last_error: 'The receiver answered 500',
  created_at: at(0),
  last_attempt_at: at(1),
  next_attempt_at: at(2),
  delivered_at: null,
  endpoint_id: 'whe_1',
  event_id: 'evt_1',
  queue_at: at(3),
  ...fields,
});

describe('a delivery in the API', () => {
  const view: DeliveryView = {
    delivery_id: 'dlv_1',
    event: 'call.completed',
    subject: '3f2a1b0c-0000-4000-8000-000000000001',
    webhook_id: 'whe_1',
    event_id: 'evt_1',
    channel: 'webhook',
    target: 'https://hooks.example/in?…',
    status: 'pending',
    attempts: 2,
    last_status: 500,
    last_error: 'The receiver answered 500',
    created_at: '2026-11-27T09:00:00.000Z',
    last_attempt_at: '2026-11-27T09:01:00.000Z',
    next_attempt_at: '2026-11-27T09:02:00.000Z',
    delivered_at: null,
  };

  it('has its state, without its content', () => {
    expect(deliveryView(delivery())).toEqual(view);
    expect(
      deliveryView(delivery({ status: 'delivered', delivered_at: at(4), next_attempt_at: null })),
    ).toEqual({
      ...view,
      status: 'delivered',
      next_attempt_at: null,
      delivered_at: '2026-11-27T09:04:00.000Z',
    });
  });

  it('has the body and its attempts where one is shown', () => {
    const attempt = {
      status: 500,
      error: 'The receiver answered 500',
      milliseconds: 12,
      request_head: 'POST /in HTTP/1.1',
      response_head: null,
      response_body: null,
    };
    expect(deliveryDetailView(delivery(), [{ ...attempt, attempted_at: at(1) }])).toEqual({
      ...view,
      body: { a: 1 },
      attempt_log: [{ ...attempt, at: '2026-11-27T09:01:00.000Z' }],
    });
    expect(deliveryDetailView(delivery({ content: null }), []).body).toBeNull();
    expect(deliveryDetailView(delivery({ content: { text: 'An SMS' } }), []).body).toBeNull();
  });
});

describe('an endpoint in the API', () => {
  const row: EndpointRow = {
    id: 'whe_1',
    organization_id: 'acme',
    url: 'https://hooks.example/in',
    description: 'CRM',
    events: ['call.*'],
    enabled: true,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    dropped_deliveries: '12',
    secret: 'sealed',
    previous_secret: null,
    previous_until: null,
    created_at: at(0),
    updated_at: at(1),
  };
  const state = { silentSince: null, pausedUntil: null, pending: 3 };

  it('has its state, without its secrets', () => {
    expect(endpointView(row, state)).toEqual({
      webhook_id: 'whe_1',
      url: 'https://hooks.example/in',
      description: 'CRM',
      events: ['call.*'],
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      silent_since: null,
      paused_until: null,
      pending_deliveries: 3,
      dropped_deliveries: 12,
      previous_secret_until: null,
      created_at: '2026-11-27T09:00:00.000Z',
      updated_at: '2026-11-27T09:01:00.000Z',
    });
  });

  it('says since when it fails, is silent and is disabled', () => {
    const failing = {
      ...row,
      enabled: false,
      disabled_reason: 'failing' as const,
      disabled_at: at(5),
      failing_since: at(4),
    };
    expect(endpointView(failing, { silentSince: at(2), pausedUntil: at(6), pending: 0 })).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: '2026-11-27T09:05:00.000Z',
      failing_since: '2026-11-27T09:04:00.000Z',
      silent_since: '2026-11-27T09:02:00.000Z',
      paused_until: '2026-11-27T09:06:00.000Z',
      pending_deliveries: 0,
    });
  });

  it.each([
    [9, '2026-11-27T09:10:00.000Z'],
    [10, null],
    [11, null],
  ])('at minute %d is also signed with the previous secret until %s', (minute, until) => {
    const rotated = { ...row, previous_secret: 'sealed', previous_until: at(10) };
    expect(endpointView(rotated, state, at(minute).getTime()).previous_secret_until).toBe(until);
  });
});

describe('the secrets of a webhook', () => {
  const [older, newer] = [generateSecretKey(), generateSecretKey()];
  const place = endpointPlace('acme', 'whe_1');
  const before = new SecretBox([older]);
  const after = new SecretBox([newer, older]);
  const sealed = (box: SecretBox, current: string, previous: string | null, until: Date | null) => ({
    secret: box.seal(current, place),
    previous_secret: previous === null ? null : box.seal(previous, place),
    previous_until: until,
  });

  it('are the current one, and the previous one for a day', () => {
    const row = sealed(after, 'new', 'old', rotationEnd(at(0)));
    const day = 24 * 3_600_000;
    expect(openSecrets(after, row, place, at(0).getTime() + day - 1)).toEqual(['new', 'old']);
    expect(openSecrets(after, row, place, at(0).getTime() + day)).toEqual(['new']);
    expect(openSecrets(after, { ...row, previous_until: null }, place, 0)).toEqual(['new']);
    expect(openSecrets(after, { ...row, previous_secret: null }, place, 0)).toEqual(['new']);
  });

  it('cannot be opened for another endpoint', () => {
    const row = sealed(after, 'new', null, null);
    expect(() => openSecrets(after, row, endpointPlace('acme', 'whe_2'))).toThrow();
    expect(() => openSecrets(after, row, endpointPlace('initech', 'whe_1'))).toThrow();
  });

  it('are sealed again when the key changes, and only then', () => {
    expect(resealedSecrets(before, sealed(before, 'new', 'old', null), place)).toBeUndefined();
    expect(resealedSecrets(before, sealed(before, 'new', null, null), place)).toBeUndefined();
    const values = resealedSecrets(after, sealed(before, 'new', 'old', at(9)), place);
    if (typeof values !== 'object') throw new Error('They were not sealed again.');
    const onlyNew = new SecretBox([newer]);
    expect(onlyNew.open(values.secret, place)).toBe('new');
    expect(onlyNew.open(values.previous_secret!, place)).toBe('old');
  });

  it('are sealed again when only the previous one has the earlier key', () => {
    const row = { secret: after.seal('new', place), previous_secret: before.seal('old', place) };
    const values = resealedSecrets(after, row, place);
    expect(values).toMatchObject({ secret: row.secret });
    expect(new SecretBox([newer]).open((values as typeof row).previous_secret, place)).toBe('old');
  });

  it('without a previous one have none afterwards', () => {
    const values = resealedSecrets(after, sealed(before, 'new', null, null), place);
    expect(values).toMatchObject({ previous_secret: null });
  });

  it('are left as they are when no key opens them', () => {
    const foreign = new SecretBox([generateSecretKey()]);
    expect(resealedSecrets(foreign, sealed(before, 'new', null, null), place)).toBe('unreadable');
  });
});

describe('the signature of a webhook', () => {
  const body = '{"a":"ü"}';

  it('has the seconds, and one value for each valid secret', () => {
    const first = signatureOf('one', `1763800000.${body}`);
    const second = signatureOf('two', `1763800000.${body}`);
    expect(timestampedSignature(['one'], body, 1_763_800_000)).toBe(`t=1763800000,v1=${first}`);
    expect(timestampedSignature(['one', 'two'], body, 1_763_800_000)).toBe(
      `t=1763800000,v1=${first},v1=${second}`,
    );
  });

  it('is in two headers: of the body alone, and with the time', () => {
    expect(signatureHeaders(['one', 'two'], body, 1_763_800_000_999)).toEqual({
      'x-webhook-signature': signatureOf('one', body),
      'x-demarc-signature': timestampedSignature(['one', 'two'], body, 1_763_800_000),
    });
  });

  it('is made with 256 random bits', () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(newSigningSecret()).not.toBe(secret);
  });
});

describe('the URL of a webhook', () => {
  it.each([
    ['https://hooks.example/in', true],
    ['http://hooks.example:8080/in?a=1', true],
    [`https://hooks.example/${'x'.repeat(2_048 - 22)}`, true],
    [`https://hooks.example/${'x'.repeat(2_048 - 21)}`, false],
    ['ftp://hooks.example/in', false],
    ['hooks.example/in', false],
    ['https://user@hooks.example/in', false],
    ['https://:secret@hooks.example/in', false],
    ['https://hooks.example/i\nn', false],
    ['https://hooks.example/a b', false],
    ['https://hooks.example/a\u0000', false],
  ])('%j is allowed: %s', (url, isAllowed) => {
    expect(webhookUrlSchema.safeParse(url).success).toBe(isAllowed);
  });
});

describe('the span of a webhook', () => {
  const telemetry = (sample: number) => {
    const spans: unknown[] = [];
    return { sample, spans, add: (added: readonly unknown[]) => spans.push(...added) };
  };
  const begin = (given: ReturnType<typeof telemetry>, fields: Partial<Delivery> = {}) =>
    beginWebhook(given as unknown as Telemetry, delivery(fields));

  it('is made for events of calls alone', () => {
    expect(begin(telemetry(1), { event: 'alert.fired' })).toBeUndefined();
    expect(begin(telemetry(1), { event: 'call.initiated' })).toBeDefined();
  });

  it('is below the trace of its call, and says whether that is sampled', () => {
    const [sampled, not] = [begin(telemetry(1))!, begin(telemetry(0))!];
    expect(sampled.traceparent).toMatch(/^00-3f2a1b0c000040008000000000000001-[0-9a-f]{16}-01$/);
    expect(not.traceparent).toBe(sampled.traceparent.replace(/01$/, '00'));
  });

  it('is another one for each attempt and delivery', () => {
    const parents = [{}, { attempts: 3 }, { id: 'dlv_2' }].map(
      (fields) => begin(telemetry(1), fields)!.traceparent,
    );
    expect(new Set(parents).size).toBe(3);
  });

  it('has the status of the answer, and why it failed', () => {
    const given = telemetry(1);
    begin(given)!.end({ kind: 'delivered', status: 204 });
    begin(given)!.end({ kind: 'failed', status: null, error: 'Connection refused', isFinal: false });
    expect(given.spans).toMatchObject([
      {
        name: 'webhook call.completed',
        kind: 'client',
        attributes: { 'demarc.delivery_id': 'dlv_1', 'demarc.attempt': 3, 'http.response.status_code': 204 },
      },
      { attributes: { 'demarc.attempt': 3 }, error: 'Connection refused' },
    ]);
    expect(given.spans[0]).not.toHaveProperty('error');
    expect((given.spans[1] as { attributes: object }).attributes).not.toHaveProperty(
      'http.response.status_code',
    );
  });

  it('is not sent for an interrupted attempt, or a call that is not sampled', () => {
    const [sampled, not] = [telemetry(1), telemetry(0)];
    begin(sampled)!.end({ kind: 'interrupted' });
    begin(not)!.end({ kind: 'delivered', status: 204 });
    expect([...sampled.spans, ...not.spans]).toEqual([]);
  });
});

describe('a deadline', () => {
  const whenAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('passes on what comes in time', async () => {
    await expect(withDeadline(new AbortController().signal, 60_000, async () => 7)).resolves.toBe(7);
  });

  it('ends what takes longer, and says how long that is', async () => {
    const { signal } = new AbortController();
    await expect(withDeadline(signal, 5, whenAborted)).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'No response within 5 ms',
    });
  });

  it('ends with its signal, for the same reason', async () => {
    const outer = new AbortController();
    const ending = withDeadline(outer.signal, 60_000, whenAborted);
    outer.abort(new Error('Stopping'));
    await expect(ending).rejects.toThrow('Stopping');
  });

  it('has passed for a signal that is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('Stopped'));
    const reason = await withDeadline(signal, 60_000, async (given) => given.reason as Error);
    expect(reason.message).toBe('Stopped');
  });
});
