import { afterEach, describe, expect, it } from 'vitest';
import type { Alert, Notice } from '../../../../../src/dashboard/api/alerts.js';
import type { MaintenanceWindow } from '../../../../../src/dashboard/api/maintenance.js';
import { type Session, session } from '../../../../../src/dashboard/api/session.js';
import { AlertItem } from '../../../../../src/dashboard/pages/alerts/alerts-page.js';
import { WindowTable } from '../../../../../src/dashboard/pages/alerts/maintenance-page.js';
import { now } from '../../../../../src/dashboard/parts/time.js';
import { type Rendered, rendered } from '../../rendered.js';

afterEach(() => {
  session.value = undefined;
});

const signIn = (scopes: Session['scopes']): void => {
  session.value = {
    scopes,
    member: { role: 'viewer' },
    organization: { id: 'o1', name: 'Acme' },
    operator: false,
  } as unknown as Session;
};

const notice = (fields: Partial<Notice> = {}): Notice =>
  ({
    delivery_id: 'd1',
    event: 'alert.fired',
    channel: 'email',
    target: 'noc@example.com',
    status: 'delivered',
    attempts: 2,
    last_error: null,
    ...fields,
  }) as Notice;

const alert = (fields: Partial<Alert> = {}): Alert =>
  ({
    alert_id: 'a1',
    state: 'active',
    kind: 'unreachable',
    title: 'Trunk unreachable',
    summary: 'No response from pbx.example.',
    cause: 'The TCP connection was refused.',
    advice: 'Check the port.',
    phone_number: '+13125550161',
    direction: 'outbound',
    since: '2026-11-22T10:00:00.000Z',
    fired_at: '2026-11-22T10:01:00.000Z',
    recovered_at: null,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
    muted_until: null,
    muted_by: null,
    maintenance: null,
    notices: [notice()],
    ...fields,
  }) as Alert;

const item = (fields: Partial<Alert> = {}): Rendered =>
  rendered(<AlertItem alert={alert(fields)} onChanged={() => undefined} />);

describe('an alert', () => {
  it('explains itself while it is active, and says afterwards when it was over', () => {
    expect(item().text).toContain('The TCP connection was refused. Check the port.');
    expect(item().text).not.toContain(', over ');
    const over = item({ state: 'recovered', recovered_at: '2026-11-22T11:00:00.000Z' });
    expect(over.text).not.toContain('refused');
    expect(over.text).toContain(', over ');
  });

  it('leads to the failed calls of its trunk where calls failed', () => {
    expect(item().html).not.toContain('/calls?');
    expect(item({ kind: 'failure_rate' }).html).toContain(
      'href="/calls?number=%2B13125550161&amp;direction=outbound&amp;outcome=unsuccessful"',
    );
  });

  it.each<[string, Partial<Alert>, boolean]>([
    ['its notice was delivered', {}, false],
    ['all notices of its begin failed', { notices: [notice({ status: 'failed' })] }, true],
    [
      'one is still pending',
      { notices: [notice({ status: 'failed' }), notice({ status: 'pending' })] },
      false,
    ],
    [
      'another event alone was delivered',
      { notices: [notice({ event: 'alert.recovered' as Notice['event'] })] },
      true,
    ],
    ['it has no notices', { notices: [] }, true],
    [
      'a colleague acknowledged it',
      { notices: [], acknowledged_at: '2026-11-22T10:02:00Z', acknowledged_by: 'Ada' },
      false,
    ],
    ['it has recovered', { notices: [], state: 'recovered' }, false],
    [
      'a window withholds it',
      { notices: [], maintenance: { name: 'PBX update', withheld: true } as Alert['maintenance'] },
      false,
    ],
    [
      'a window let it through',
      { notices: [], maintenance: { name: 'PBX update', withheld: false } as Alert['maintenance'] },
      true,
    ],
  ])('warns that no recipient was notified when %s: %#', (_, fields, expected) => {
    expect(item(fields).text.includes('No recipient was notified.')).toBe(expected);
  });

  it('says why no recipient was notified', () => {
    expect(item({ notices: [] }).text).toContain('The trunk has no channel: add contacts here');
    const failed = notice({ status: 'failed', last_error: 'Mailbox full.' });
    const { text } = item({ notices: [failed, { ...failed, delivery_id: 'd2' }] });
    expect(text).toContain('No recipient was notified. Mailbox full. ');
    expect(text).not.toContain('has no channel');
  });

  it.each<[string, Partial<Alert>, string]>([
    [
      'withheld while active',
      { maintenance: { name: 'W', withheld: true } as Alert['maintenance'] },
      'not sent; it is sent if it persists afterwards.',
    ],
    [
      'withheld and over',
      { state: 'recovered', maintenance: { name: 'W', withheld: true } as Alert['maintenance'] },
      ': not sent.',
    ],
    [
      'sent late',
      { maintenance: { name: 'W', withheld: false } as Alert['maintenance'] },
      'sent after the window',
    ],
  ])('names the maintenance window of one %s', (_, fields, words) => {
    expect(item(fields).text).toContain('In the maintenance window W');
    expect(item(fields).text).toContain(words);
    expect(item().text).not.toContain('maintenance window');
  });

  it('counts its notices', () => {
    expect(item().all('summary')).toEqual(['1 of 1 notices delivered']);
    const notices = [
      notice(),
      notice({ status: 'failed', last_error: 'Timeout' }),
      notice({ status: 'pending' }),
    ];
    const shown = item({ notices });
    expect(shown.all('summary')).toEqual(['1 of 3 notices delivered, 1 failed']);
    expect(shown.text).toContain('Fired by email Delivered to noc@example.com, 2 attempts Fired');
    expect(shown.text).toContain('2 attempts, Timeout');
    expect(item({ notices: [] }).all('summary')).toEqual([]);
  });

  it('says who handles it, with the note', () => {
    const { text } = item({
      acknowledged_at: '2026-11-22T10:02:00Z',
      acknowledged_by: 'Ada',
      note: 'Calling them',
    });
    expect(text).toMatch(/Acknowledged by Ada at .*: Calling them/);
    expect(item({ acknowledged_at: '2026-11-22T10:02:00Z', acknowledged_by: 'Ada' }).text).toMatch(
      /Acknowledged by Ada at [\d: ]+\w* /,
    );
    expect(item().text).not.toContain('Acknowledged by');
  });

  it('is muted until a moment', () => {
    const until = (milliseconds: number): string => new Date(now.value + milliseconds).toISOString();
    const muted = item({ muted_until: until(60_000), muted_by: 'Ada' });
    expect(muted.text).toMatch(/Muted until .* by Ada: no notices\./);
    expect(muted.all('button')).toContain('Unmute');
    expect(item({ muted_until: until(60_000) }).text).not.toContain(' by Ada');
    const over = item({ muted_until: until(0), muted_by: 'Ada' });
    expect(over.text).not.toContain('Muted until');
    expect(over.all('button')).toContain('Mute for 1 h');
  });

  it('has buttons for those who may use them, while it is active', () => {
    signIn(null);
    expect(item().all('button')).toEqual(['Acknowledge …', 'Mute for 1 h']);
    expect(item().html).not.toContain('disabled');
    expect(item({ acknowledged_at: '2026-11-22T10:02:00Z' }).all('button')[0]).toBe('Withdraw');
    expect(item({ state: 'recovered' }).all('button')).toEqual([]);
    signIn(['alerts:read']);
    expect(item().html.match(/<button[^>]* disabled/g)).toHaveLength(2);
    expect(item().html).toContain('Your role is viewer. Ask an owner of Acme.');
  });
});

const maintenance = (fields: Partial<MaintenanceWindow> = {}): MaintenanceWindow =>
  ({
    window_id: 'w1',
    name: 'PBX update',
    phone_number: null,
    trunk_id: null,
    kinds: ['unreachable', 'failure_rate', 'response_time'],
    schedule: { type: 'once', starts_at: '2026-11-22T22:00:00Z', ends_at: '2026-11-22T23:00:00Z' },
    time_zone: 'Europe/Berlin',
    enabled: true,
    is_open: false,
    starts_at: '2026-11-22T22:00:00Z',
    updated_by: 'Ada',
    updated_at: '2026-11-20T10:00:00Z',
    ...fields,
  }) as MaintenanceWindow;

const row = (fields: Partial<MaintenanceWindow> = {}): readonly string[] =>
  rendered(
    <WindowTable windows={[maintenance(fields)]} onChanged={() => undefined} onEdit={() => undefined} />,
  ).all('td');

describe('a maintenance window', () => {
  it.each<[Partial<MaintenanceWindow>, string]>([
    [{}, 'All numbers'],
    [{ phone_number: '+13125550161', trunk_id: 't1' }, '+13125550161'],
    [{ trunk_id: 't1' }, 'Trunk t1'],
    [{ kinds: ['unreachable', 'response_time'] }, 'All numbers: Unreachable, Response time'],
  ])('of %j is about %s', (fields, subject) => {
    expect(row(fields)[0]).toMatch(new RegExp(`^PBX update${subject.replace('+', '\\+')}by Ada`));
  });

  it('states its weekly schedule with the end, also past midnight', () => {
    const schedule = {
      type: 'weekly',
      weekdays: ['monday', 'saturday'],
      start_time: '23:30',
      duration_minutes: 90,
    } as MaintenanceWindow['schedule'];
    expect(row({ schedule })[1]).toBe('Mon, Sat 23:30–01:00Europe/Berlin');
    expect(row()[1]).toContain(' – ');
  });

  it.each<[Partial<MaintenanceWindow>, string]>([
    [{ enabled: false, is_open: true }, 'Disabled'],
    [{ is_open: true, starts_at: null }, 'Open'],
    [{ starts_at: null }, 'Over'],
    [{}, 'Planned'],
  ])('with %j is %s', (fields, state) => {
    expect(row(fields)[2]).toMatch(new RegExp(`^${state}`));
  });

  it('offers the opposite of its state', () => {
    expect(row()[3]).toBe('Change Disable Delete');
    expect(row({ enabled: false })[3]).toBe('Change Enable Delete');
  });
});
