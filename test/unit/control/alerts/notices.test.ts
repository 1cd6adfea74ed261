import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../../../src/control/alerts/alert-view.js';
import {
  alertTitle,
  contactTestDeliveries,
  type NoticeAddressing,
  type NoticeEvent,
  noticeDeliveries,
} from '../../../../src/control/alerts/notices.js';

const alert = (fields: Partial<AlertView> = {}): AlertView =>
  ({
    alert_id: 'a1',
    kind: 'unreachable',
    direction: 'outbound',
    phone_number: '+13125550161',
    summary: 'No response from pbx.example for 5 minutes.',
    cause: 'The connection was refused.',
    advice: 'Check the port.',
    since: '2026-11-22T10:00:00.000Z',
    fired_at: '2026-11-22T10:05:00.000Z',
    recovered_at: null,
    dashboard_url: 'https://demarc.example/alerts',
    notices: [{ secret: 1 }],
    ...fields,
  }) as unknown as AlertView;

const addressing = (channels: object, emails: string[] = [], phoneNumbers: string[] = []): NoticeAddressing =>
  ({ organizationId: 'o1', channels, contacts: { emails, phoneNumbers } }) as unknown as NoticeAddressing;

const mailOf = (event: NoticeEvent, fields: Partial<AlertView> = {}): { title: string; text: string } =>
  noticeDeliveries(event, alert(fields), addressing({ email: true }, ['noc@example.com']))[0]!
    .content as never;
const smsOf = (event: NoticeEvent, fields: Partial<AlertView> = {}): string =>
  (
    noticeDeliveries(event, alert(fields), addressing({ sms: true }, [], ['14155550100']))[0]!.content as {
      text: string;
    }
  ).text;

describe('the title of an alert', () => {
  it.each([
    ['unreachable', 'outbound', 'the trunk is unreachable', 'the trunk is reachable again'],
    ['unreachable', 'inbound', 'not registered with the PBX', 'registered with the PBX again'],
    ['failure_rate', 'inbound', 'too many calls fail', 'the failure rate is normal again'],
    ['response_time', 'outbound', 'the trunk responds slowly', 'the response time is normal again'],
  ] as const)('%s of %s calls says "%s", then "%s"', (kind, direction, fired, recovered) => {
    expect(alertTitle({ kind, direction })).toBe(fired);
    const number = `+13125550161 ${direction}`;
    expect(mailOf('alert.fired', { kind, direction }).title).toBe(`[Demarc] ALERT ${number}: ${fired}`);
    expect(mailOf('alert.recovered', { kind, direction }).title).toBe(
      `[Demarc] RECOVERED ${number}: ${recovered}`,
    );
  });
});

describe('the text of a notice', () => {
  it('says what, since when, why, and what to do', () => {
    expect(mailOf('alert.fired').text).toBe(
      [
        'What: No response from pbx.example for 5 minutes.',
        'Since: 2026-11-22 10:00 UTC',
        'Likely cause: The connection was refused.',
        'What to do: Check the port.',
        '',
        'Dashboard: https://demarc.example/alerts',
        '',
      ].join('\n'),
    );
  });

  it('says after the recovery how long it lasted', () => {
    const { text } = mailOf('alert.recovered', { recovered_at: '2026-11-22T10:30:00.000Z' });
    expect(text).toMatch(/^What: It lasted 30 min\w*, from 2026-11-22 10:00 UTC to 2026-11-22 10:30 UTC\.\n/);
    expect(text).toContain('What to do: Nothing.');
    expect(mailOf('alert.recovered').text).toContain('to 2026-11-22 10:05 UTC.');
  });

  it('of a test claims no cause', () => {
    expect(mailOf('alert.test').title).toBe('[Demarc] TEST +13125550161 outbound: test of the alerts');
    expect(mailOf('alert.test').text).not.toContain('cause');
  });

  it('by SMS has the address of the dashboard, and never more than 300 characters', () => {
    expect(smsOf('alert.fired')).toBe(
      'Demarc ALERT +13125550161 outbound: the trunk is unreachable. No response from pbx.example for 5 minutes. https://demarc.example/alerts',
    );
    const long = smsOf('alert.fired', { summary: 'x'.repeat(400) });
    expect(long).toHaveLength(300);
    expect(long).toMatch(/x… https:\/\/demarc\.example\/alerts$/);
    const room = 300 - ' https://demarc.example/alerts'.length;
    const head = 'Demarc ALERT +13125550161 outbound: the trunk is unreachable. '.length;
    expect(smsOf('alert.fired', { summary: 'x'.repeat(room - head) })).not.toContain('…');
    expect(smsOf('alert.fired', { summary: 'x'.repeat(room - head + 1) })).toContain('…');
  });
});

describe('the deliveries of a notice', () => {
  const sent = (...of: Parameters<typeof addressing>) =>
    noticeDeliveries('alert.fired', alert(), addressing(...of)).map(({ channel, target, impossible }) => ({
      channel,
      target,
      isPossible: impossible === undefined,
    }));

  it('go to every contact of the channels that are on', () => {
    expect(sent({ email: true, sms: true }, ['a@x', 'b@x'], ['1415'])).toEqual([
      { channel: 'email', target: 'a@x', isPossible: true },
      { channel: 'email', target: 'b@x', isPossible: true },
      { channel: 'sms', target: '+1415', isPossible: true },
    ]);
    expect(sent({}, ['a@x'], ['1415'])).toEqual([]);
    expect(sent({ email: false, sms: false }, ['a@x'], ['1415'])).toEqual([]);
  });

  it('say that a channel has no contact', () => {
    expect(sent({ email: true, sms: true })).toEqual([
      { channel: 'email', target: '', isPossible: false },
      { channel: 'sms', target: '', isPossible: false },
    ]);
  });

  it('by webhook carry the alert without its other notices', () => {
    const [delivery] = noticeDeliveries('alert.fired', alert(), addressing({ webhook: 'https://x' }));
    const { body } = delivery!.content as unknown as { body: { event: string; alert: object } };
    expect(delivery).toMatchObject({
      channel: 'webhook',
      target: 'https://x',
      subject: 'a1',
      organizationId: 'o1',
    });
    expect(body.event).toBe('alert.fired');
    expect(body.alert).toMatchObject({ alert_id: 'a1' });
    expect(body.alert).not.toHaveProperty('notices');
  });

  it('of a test of contacts name no trunk', () => {
    const tests = contactTestDeliveries('s', 'https://x', addressing({}, ['a@x'], ['1415']));
    expect(tests.map(({ channel, target }) => [channel, target])).toEqual([
      ['email', 'a@x'],
      ['sms', '+1415'],
    ]);
    expect(tests[1]!.content).toMatchObject({ text: expect.stringContaining('No trunk has a problem.') });
  });
});
