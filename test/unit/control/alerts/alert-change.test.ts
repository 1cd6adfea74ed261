import { describe, expect, it } from 'vitest';
import type { ControlSettings } from '../../../../src/config/control-settings.js';
import {
  type AlertChange,
  changeOf,
  eventOf,
  isAnnounced,
  noticesOf,
} from '../../../../src/control/alerts/alert-change.js';
import { type AlertRow, alertView, dashboardUrl } from '../../../../src/control/alerts/alert-view.js';
import type { DeliveryView } from '../../../../src/control/deliveries/delivery-view.js';

const settings = { notices: { publicUrl: 'https://demarc.example' } } as ControlSettings;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));

const row = (fields: Partial<AlertRow> = {}): AlertRow => ({
  id: 'alt_1',
  organization_id: 'acme',
  number: '14155550100',
  direction: 'outbound',
  kind: 'unreachable',
  state: 'active',
  since: at(0),
  fired_at: at(5),
  recovered_at: null,
  clear_since: at(7),
  measured: 5,
  threshold: 3,
  title: '+14155550100 outbound: the trunk is unreachable',
  summary: 'No response for 5 minutes.',
  cause: 'The connection was refused.',
  advice: 'Check the port.',
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
  muted_until: null,
  muted_at: null,
  muted_by: null,
  maintenance_window_id: null,
  maintenance_window: null,
  is_withheld: false,
  ...fields,
});

describe('an alert in the API', () => {
  it('has everything of its row that customers see', () => {
    expect(alertView(settings, row(), [])).toEqual({
      alert_id: 'alt_1',
      phone_number: '+14155550100',
      direction: 'outbound',
      kind: 'unreachable',
      state: 'active',
      title: '+14155550100 outbound: the trunk is unreachable',
      summary: 'No response for 5 minutes.',
      cause: 'The connection was refused.',
      advice: 'Check the port.',
      since: '2026-11-27T09:00:00.000Z',
      fired_at: '2026-11-27T09:05:00.000Z',
      recovered_at: null,
      measured: 5,
      threshold: 3,
      unit: 'minutes',
      dashboard_url: 'https://demarc.example/trunks/14155550100',
      acknowledged_at: null,
      acknowledged_by: null,
      note: null,
      muted_until: null,
      muted_at: null,
      muted_by: null,
      maintenance: null,
      notices: [],
    });
  });

  it.each([
    ['unreachable', 'minutes'],
    ['failure_rate', 'percent'],
    ['response_time', 'milliseconds'],
  ] as const)('of kind %s is measured in %s', (kind, unit) => {
    expect(alertView(settings, row({ kind }), []).unit).toBe(unit);
  });

  it('says who handles it, and until when it is muted', () => {
    const handled = row({
      recovered_at: at(30),
      acknowledged_at: at(6),
      acknowledged_by: 'Ada',
      note: 'Carrier called.',
      muted_at: at(7),
      muted_by: 'Bob',
      muted_until: at(59),
    });
    expect(alertView(settings, handled, [])).toMatchObject({
      recovered_at: '2026-11-27T09:30:00.000Z',
      acknowledged_at: '2026-11-27T09:06:00.000Z',
      acknowledged_by: 'Ada',
      note: 'Carrier called.',
      muted_at: '2026-11-27T09:07:00.000Z',
      muted_by: 'Bob',
      muted_until: '2026-11-27T09:59:00.000Z',
    });
  });

  it.each([
    ['Upgrade', true, { window_id: 'mwn_1', name: 'Upgrade', withheld: true }],
    ['Upgrade', false, { window_id: 'mwn_1', name: 'Upgrade', withheld: false }],
    [null, true, { window_id: 'mwn_1', name: '', withheld: true }],
  ])('names the maintenance window %j, withheld: %s', (name, isWithheld, maintenance) => {
    const fields = { maintenance_window_id: 'mwn_1', maintenance_window: name, is_withheld: isWithheld };
    expect(alertView(settings, row(fields), []).maintenance).toEqual(maintenance);
  });

  it('has its notices in their order', () => {
    const notices = [{ delivery_id: 'dlv_2' }, { delivery_id: 'dlv_1' }] as DeliveryView[];
    expect(alertView(settings, row(), notices).notices).toEqual(notices);
  });

  it.each([
    [{ publicUrl: 'https://demarc.example' }, '0.0.0.0', undefined, 'https://demarc.example/trunks/1'],
    [{}, '127.0.0.1', undefined, 'http://127.0.0.1:8080/trunks/1'],
    [{}, '::1', {}, 'https://[::1]:8080/trunks/1'],
  ])('has the address of its page: %j at %s', (notices, host, httpTls, url) => {
    const given = { notices, http: { host, port: 8080 }, httpTls } as unknown as ControlSettings;
    expect(dashboardUrl(given, '1')).toBe(url);
  });
});

const fired = (fields: Partial<AlertRow> = {}) => changeOf('fired', settings, row(fields));
const recovered = (fields: Partial<AlertRow> = {}) =>
  changeOf('recovered', settings, row({ state: 'recovered', recovered_at: at(20), ...fields }));

describe('the change of an alert', () => {
  it('has the organization of the row, and no notices', () => {
    expect(fired({ organization_id: 'initech', is_withheld: true })).toMatchObject({
      change: 'fired',
      organizationId: 'initech',
      isWithheld: true,
      alert: { alert_id: 'alt_1', notices: [] },
    });
  });

  it.each<[AlertChange['change'], boolean, boolean]>([
    ['fired', false, true],
    ['fired', true, false],
    ['recovered', false, true],
    ['recovered', true, false],
    ['closed', false, false],
  ])('%s, withheld: %s, is announced: %s', (change, isWithheld, announced) => {
    expect(isAnnounced(changeOf(change, settings, row({ is_withheld: isWithheld })))).toBe(announced);
  });
});

describe('the notices of changes', () => {
  const key = '14155550100 outbound unreachable';
  const contacts = new Map([
    ['acme', { emails: ['noc@acme.example'], phoneNumbers: ['14155550199'] }],
    ['initech', { emails: ['noc@initech.example'], phoneNumbers: [] }],
  ]);
  const channels = new Map([[key, { email: true }]]);
  const receivers = { channels, contacts, muted: new Set<string>() };

  it('go to the contacts of its organization by the channels of its threshold', () => {
    const changes = [fired(), recovered({ organization_id: 'initech' })];
    expect(
      noticesOf(changes, receivers).map(({ organizationId, event, channel, target, subject }) => [
        organizationId,
        event,
        channel,
        target,
        subject,
      ]),
    ).toEqual([
      ['acme', 'alert.fired', 'email', 'noc@acme.example', 'alt_1'],
      ['initech', 'alert.recovered', 'email', 'noc@initech.example', 'alt_1'],
    ]);
  });

  it('are none for a threshold without channels', () => {
    expect(noticesOf([fired({ kind: 'failure_rate' })], receivers)).toEqual([]);
    expect(noticesOf([fired({ direction: 'inbound' })], receivers)).toEqual([]);
  });

  it('say that an organization has no contacts', () => {
    const [notice] = noticesOf([fired({ organization_id: 'umbrella' })], receivers);
    expect(notice).toMatchObject({
      target: '',
      impossible: 'No email address to notify: add one with PATCH /v1/sip/alerts/contacts',
    });
  });

  it('are none of a muted threshold, for its organization alone', () => {
    const muted = new Set([`acme ${key}`]);
    expect(noticesOf([fired()], { ...receivers, muted })).toEqual([]);
    expect(noticesOf([fired({ organization_id: 'initech' })], { ...receivers, muted })).toHaveLength(1);
  });
});

describe('the webhook event of a change', () => {
  it('has the time of the alert, and its order', () => {
    const first = eventOf(fired());
    expect(first).toMatchObject({
      organizationId: 'acme',
      subject: 'alt_1',
      event: 'alert.fired',
      occurred_at: '2026-11-27T09:05:00.000Z',
      sequence: 1,
    });
    const second = eventOf(recovered());
    expect(second).toMatchObject({
      event: 'alert.recovered',
      occurred_at: '2026-11-27T09:20:00.000Z',
      sequence: 2,
    });
    expect(second.event_id).not.toBe(first.event_id);
    expect(eventOf(fired({ summary: 'changed' })).event_id).toBe(first.event_id);
  });

  it('has the alert without its notices', () => {
    const { data } = eventOf(fired());
    expect(data).toMatchObject({ alert_id: 'alt_1', state: 'active' });
    expect(data).not.toHaveProperty('notices');
  });

  it('has the time of the beginning where the end has none', () => {
    expect(eventOf(recovered({ recovered_at: null })).occurred_at).toBe('2026-11-27T09:05:00.000Z');
  });
});
