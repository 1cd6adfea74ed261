import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Session, session } from '../../../../../src/dashboard/api/session.js';
import {
  type Delivery,
  type DeliveryDetail,
  type Endpoint,
  filtersOf,
  type OrderSecret,
  tickedBy,
} from '../../../../../src/dashboard/api/webhooks.js';
import { DeliveryRow } from '../../../../../src/dashboard/pages/webhooks/delivery-list.js';
import { AttemptsPanel, DeliveryPanel } from '../../../../../src/dashboard/pages/webhooks/delivery-page.js';
import { StatePanel } from '../../../../../src/dashboard/pages/webhooks/endpoint-page.js';
import { OrderSecretState } from '../../../../../src/dashboard/pages/webhooks/order-secret-panel.js';
import { EndpointState, EndpointTable } from '../../../../../src/dashboard/pages/webhooks/webhooks-page.js';
import { type Rendered, rendered } from '../../rendered.js';

const nothing = (): void => undefined;
const signIn = (scopes: Session['scopes']): void => {
  session.value = { scopes, member: null, organization: { id: 'o', name: 'Acme' } } as unknown as Session;
};

beforeEach(() => signIn(null));
afterEach(() => {
  session.value = undefined;
});

const endpoint = (fields: Partial<Endpoint> = {}): Endpoint =>
  ({
    webhook_id: 'w1',
    url: 'https://hooks.example/in',
    description: '',
    events: ['*'],
    enabled: true,
    disabled_reason: null,
    disabled_at: null,
    paused_until: null,
    silent_since: null,
    failing_since: null,
    pending_deliveries: 0,
    dropped_deliveries: 0,
    previous_secret_until: null,
    created_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    ...fields,
  }) as Endpoint;

describe('the secret of orders and alerts', () => {
  const state = (secret: OrderSecret): Rendered =>
    rendered(<OrderSecretState secret={secret} onCreated={nothing} />);

  it('is created, and rotated once there is one', () => {
    expect(state({ exists: false, created_at: null }).text).toContain('None: these webhooks are not signed.');
    expect(state({ exists: false, created_at: null }).all('button')).toEqual(['Create secret']);
    expect(state({ exists: true, created_at: '2026-11-20T10:00:00Z' }).all('button')).toEqual(['Rotate']);
  });

  it('is not created without the right', () => {
    signIn(['webhooks:read']);
    const [button] = state({ exists: false, created_at: null }).elements('button');
    expect(button).toMatchObject({ disabled: true });
  });
});

describe('the state of a webhook endpoint', () => {
  const at = '2026-11-22T10:00:00Z';

  it.each<[Partial<Endpoint>, string, RegExp]>([
    [{}, 'good', /^Enabled$/],
    [{ enabled: false }, 'idle', /^Disabled$/],
    [{ enabled: false, disabled_reason: 'failing' }, 'bad', /^Disabled: kept failing$/],
    [{ paused_until: at, silent_since: at, failing_since: at }, 'bad', /^No response since /],
    [{ paused_until: at, failing_since: at }, 'warn', /^Failing since /],
    [{ silent_since: at, failing_since: at }, 'warn', /^Failing since /],
    [{ silent_since: at }, 'good', /^Enabled$/],
  ])('with %j is %s', (fields, tone, words) => {
    const { text, html } = rendered(<EndpointState endpoint={endpoint(fields)} />);
    expect(text).toMatch(words);
    expect(html).toContain(`class="state ${tone}"`);
  });
});

describe('the list of endpoints', () => {
  it('has the description where there is one, and the events', () => {
    const { all } = rendered(
      <EndpointTable
        endpoints={[
          endpoint(),
          endpoint({ webhook_id: 'w2', description: 'CRM', events: ['call.*', 'alert.fired'] }),
        ]}
      />,
    );
    expect(all('td').filter((_, index) => index % 3 === 2)).toEqual(['all', 'call.*, alert.fired']);
    expect(all('.muted')).toEqual(['CRM']);
  });
});

describe('the panel of an endpoint', () => {
  const panel = (fields: Partial<Endpoint> = {}): Rendered =>
    rendered(
      <StatePanel endpoint={endpoint(fields)} onChanged={nothing} onSecret={nothing} onSent={nothing} />,
    );

  it('names only what there is', () => {
    expect(panel().all('dt')).toEqual(['URL', 'Created']);
    const at = '2026-11-22T10:00:00Z';
    const full = panel({
      disabled_at: at,
      pending_deliveries: 2,
      paused_until: at,
      dropped_deliveries: 1,
      previous_secret_until: at,
    });
    expect(full.all('dt')).toEqual([
      'URL',
      'Created',
      'Disabled',
      'Waiting',
      'Next probe',
      'Dropped',
      'Secrets',
    ]);
    expect(full.text).toContain('Waiting 2 deliveries');
    expect(full.text).toContain('Dropped 1 delivery');
  });

  it('sends no test to a disabled endpoint, and changes nothing without the scope', () => {
    const disabled = ({ html }: Rendered): number => html.match(/<button[^>]* disabled/g)?.length ?? 0;
    expect(disabled(panel())).toBe(0);
    expect(panel().all('button')).toEqual(['Send test', 'Disable', 'Rotate secret …']);
    expect(disabled(panel({ enabled: false }))).toBe(1);
    expect(panel({ enabled: false }).all('button')[1]).toBe('Enable');
    signIn(['webhooks:read']);
    expect(disabled(panel())).toBe(3);
    expect(panel().html).toContain('This key lacks the scope for it.');
  });
});

const delivery = (fields: Partial<DeliveryDetail> = {}): DeliveryDetail =>
  ({
    delivery_id: 'd1',
    event: 'call.completed',
    subject: 'c1',
    status: 'delivered',
    channel: 'webhook',
    target: 'https://hooks.example/in',
    event_id: null,
    attempts: 1,
    last_error: null,
    next_attempt_at: null,
    created_at: '2026-11-20T10:00:00Z',
    attempt_log: [],
    body: null,
    ...fields,
  }) as unknown as DeliveryDetail;

describe('a delivery', () => {
  it('has a row with its reason and its next attempt, where there are any', () => {
    const row = (fields: Partial<DeliveryDetail>): readonly string[] =>
      rendered(<DeliveryRow delivery={delivery(fields) as unknown as Delivery} />).all('.under');
    expect(row({})).toEqual([]);
    expect(row({ last_error: 'status 500', next_attempt_at: '2020-01-01T00:00:00Z' })).toEqual([
      'status 500',
      'next now',
    ]);
  });

  it.each<[string, Partial<DeliveryDetail>, boolean]>([
    ['a delivered webhook', {}, true],
    ['a failed webhook', { status: 'failed' }, true],
    ['a pending webhook', { status: 'pending' }, false],
    ['an email', { channel: 'email' }, false],
  ])('of %s can be replayed: %s', (_, fields, isPossible) => {
    const { html } = rendered(<DeliveryPanel delivery={delivery(fields)} onReplayed={nothing} />);
    expect(/<button[^>]* disabled/.test(html)).toBe(!isPossible);
    expect(html.includes('are not replayed')).toBe(!isPossible);
  });

  it('is not replayed without the scope', () => {
    signIn(['webhooks:read']);
    const { html } = rendered(<DeliveryPanel delivery={delivery()} onReplayed={nothing} />);
    expect(html).toMatch(/<button[^>]* disabled/);
    expect(html).toContain('This key lacks the scope for it.');
  });

  it('names its next attempt and its reason alone where there are any', () => {
    const names = (fields: Partial<DeliveryDetail>): readonly string[] =>
      rendered(<DeliveryPanel delivery={delivery(fields)} onReplayed={nothing} />).all('dt');
    expect(names({})).toEqual(['To', 'Subject', 'Event id', 'X-Webhook-Id', 'Created']);
    expect(names({ next_attempt_at: '2026-11-20T10:00:00Z', last_error: 'x' }).slice(5)).toEqual([
      'Next attempt',
      'Reason',
    ]);
  });
});

describe('the attempts of a delivery', () => {
  type Attempt = DeliveryDetail['attempt_log'][number];
  const attempt = (fields: Partial<Attempt> = {}): Attempt =>
    ({
      at: '2026-11-20T10:00:00Z',
      milliseconds: 42,
      status: 200,
      error: null,
      request_head: 'POST /in HTTP/1.1',
      response_head: 'HTTP/1.1 200 OK',
      response_body: 'thanks',
      ...fields,
    }) as Attempt;
  const shown = (...attempts: Attempt[]): Rendered =>
    rendered(<AttemptsPanel delivery={delivery({ attempt_log: attempts })} />);

  it('are said to be missing', () => {
    expect(shown().text).toContain('No attempt yet');
    expect(shown(attempt()).text).not.toContain('No attempt yet');
  });

  it('show request and response, the latest one open', () => {
    const { html, all, text } = shown(attempt(), attempt({ at: '2026-11-20T09:00:00Z' }));
    expect(html.match(/<details[^>]* open/g)).toHaveLength(1);
    expect(all('h3')).toEqual(['Request', 'Response', 'Request', 'Response']);
    expect(text).toContain('HTTP/1.1 200 OK thanks');
    expect(all('summary')[0]).toMatch(/^200 .*, 42 ms$/);
  });

  it.each<[string, Partial<Attempt>, string]>([
    ['an email', { status: null }, 'Delivered'],
    ['an error', { error: 'Timeout after 10 s', status: null }, 'Timeout after 10 s'],
    ['what is not stored', { request_head: null }, 'What was sent is not stored.'],
    ['no response', { response_head: null, status: null }, 'No response.'],
    ['a private response', { response_head: null }, 'DEMARC_WEBHOOK_SHOW_PRIVATE'],
  ])('say of %s', (_, fields, words) => {
    expect(shown(attempt(fields)).text).toContain(words);
  });
});

describe('the events of an endpoint', () => {
  it.each<[string, Parameters<typeof tickedBy>[0], number]>([
    ['nothing', [], 0],
    ['one event', ['call.failed'], 1],
    ['an area', ['call.*'], 5],
    ['an area and one of its events', ['call.*', 'call.failed'], 5],
  ])('of %s are ticked', (_, filters, expected) => {
    expect(tickedBy(filters).size).toBe(expected);
  });

  it('are written as shortly as possible, and read back the same', () => {
    const all = tickedBy(['*']);
    expect(filtersOf(all)).toEqual(['*']);
    expect(filtersOf(tickedBy(['alert.fired', 'alert.recovered', 'call.failed']))).toEqual([
      'call.failed',
      'alert.*',
    ]);
    const without = new Set(all);
    without.delete('call.failed');
    const filters = filtersOf(without);
    expect(filters).not.toContain('call.*');
    expect(tickedBy(filters)).toEqual(without);
    expect(filtersOf(new Set())).toEqual([]);
  });
});
