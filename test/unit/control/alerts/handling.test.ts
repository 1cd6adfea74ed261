import { describe, expect, it } from 'vitest';
import { contactSchema, contactsChangeSchema } from '../../../../src/control/alerts/contacts.js';
import {
  type HandlingChange,
  handlingColumns,
  handlingSchema,
  mutedKey,
} from '../../../../src/control/alerts/handling.js';
import { secondsUntilTest, testOutcome } from '../../../../src/control/alerts/test-notice.js';

const now = new Date('2026-11-27T12:00:00Z');

describe('the handling of an alert', () => {
  it.each<[HandlingChange, object]>([
    [{ acknowledged: true }, { acknowledged_at: now, acknowledged_by: 'Ada' }],
    [{ acknowledged: false }, { acknowledged_at: null, acknowledged_by: null }],
    [{ note: 'Carrier called.' }, { note: 'Carrier called.' }],
    [{ note: '' }, { note: null }],
    [{ note: null }, { note: null }],
    [{ mute_minutes: 90 }, { muted_until: new Date('2026-11-27T13:30:00Z'), muted_at: now, muted_by: 'Ada' }],
    [{ mute_minutes: null }, { muted_until: null, muted_at: null, muted_by: null }],
    [
      { acknowledged: true, note: 'Mine.', mute_minutes: null },
      {
        acknowledged_at: now,
        acknowledged_by: 'Ada',
        note: 'Mine.',
        muted_until: null,
        muted_at: null,
        muted_by: null,
      },
    ],
    [{}, {}],
  ])('%j sets %j', (change, columns) => {
    expect(handlingColumns(change, 'Ada', now)).toEqual(columns);
  });

  it.each<[unknown, boolean]>([
    [{}, false],
    [{ acknowledged: undefined }, false],
    [{ note: null }, true],
    [{ note: 'x'.repeat(1_000) }, true],
    [{ note: 'x'.repeat(1_001) }, false],
    [{ mute_minutes: 0 }, false],
    [{ mute_minutes: 1 }, true],
    [{ mute_minutes: 10_080 }, true],
    [{ mute_minutes: 10_081 }, false],
    [{ mute_minutes: 1.5 }, false],
    [{ acknowledged: 'yes' }, false],
    [{ acknowledged: true, muted: true }, false],
  ])('%j is allowed: %s', (body, isAllowed) => {
    expect(handlingSchema.safeParse(body).success).toBe(isAllowed);
  });

  it('drops blanks around a note', () => {
    expect(handlingSchema.parse({ note: '  \n' })).toEqual({ note: '' });
  });

  it('mutes the threshold of one organization', () => {
    expect(mutedKey('acme', '14155550100 inbound unreachable')).toBe('acme 14155550100 inbound unreachable');
  });
});

describe('the contacts of alerts', () => {
  it('are named once, numbers by their digits', () => {
    const change = {
      emails: ['noc@acme.example', 'ada@acme.example', 'noc@acme.example'],
      phone_numbers: ['+1 415 555 0100', '14155550100', '+44 20 7946 0958'],
    };
    expect(contactsChangeSchema.parse(change)).toEqual({
      emails: ['noc@acme.example', 'ada@acme.example'],
      phone_numbers: ['14155550100', '442079460958'],
    });
    expect(contactsChangeSchema.parse({})).toEqual({});
  });

  it.each<[string, object, string | undefined]>([
    ['ten addresses', { emails: Array.from({ length: 10 }, (_, index) => `a${index}@b.example`) }, undefined],
    ['eleven', { emails: Array.from({ length: 11 }, (_, index) => `a${index}@b.example`) }, 'emails'],
    ['eleven numbers', { phone_numbers: Array.from({ length: 11 }, () => '14155550100') }, 'phone_numbers'],
    ['no address', { emails: ['noc'] }, 'emails.0'],
    [
      'an address that is too long',
      { emails: [`${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}example`] },
      'emails.0',
    ],
    ['no number', { phone_numbers: ['14155550100', 'reception'] }, 'phone_numbers.1'],
    ['another field', { faxes: [] }, ''],
  ])('%s', (_, change, path) => {
    const read = contactsChangeSchema.safeParse(change);
    expect(read.error?.issues[0]?.path.join('.')).toBe(path);
  });

  it.each<[object, boolean]>([
    [{ email: 'noc@acme.example' }, true],
    [{ phone_number: '+14155550100' }, true],
    [{ email: 'noc@acme.example', phone_number: '+14155550100' }, false],
    [{}, false],
  ])('one of them is either an address or a number: %j is %s', (contact, isAllowed) => {
    expect(contactSchema.safeParse(contact).success).toBe(isAllowed);
  });
});

describe('the test of a notice', () => {
  it.each([
    [
      { kind: 'delivered', status: 202 },
      { isDelivered: true, lastStatus: 202, error: null },
    ],
    [
      { kind: 'failed', status: 500, error: 'The receiver answered 500', isFinal: false },
      { isDelivered: false, lastStatus: 500, error: 'The receiver answered 500' },
    ],
    [
      { kind: 'failed', status: null, error: 'Refused', isFinal: true },
      { isDelivered: false, lastStatus: null, error: 'Refused' },
    ],
    [{ kind: 'interrupted' }, { isDelivered: false, lastStatus: null, error: 'No response within 20000 ms' }],
  ] as const)('shows, after it ended with %j, %j', (outcome, shown) => {
    expect(testOutcome(outcome)).toEqual(shown);
  });

  /** When the tests of the last fifteen minutes began, the oldest first. */
  const tests = (...secondsAgo: number[]) =>
    secondsAgo.map((seconds) => new Date(now.getTime() - seconds * 1_000));
  const recent = (count: number) => Array.from({ length: count }, () => 1);

  it.each<[string, number[], number]>([
    ['none', [], 0],
    ['nine', recent(9), 0],
    ['ten, the oldest of them now', recent(10).fill(0), 900],
    ['ten, the oldest of them fourteen minutes ago', [840, ...recent(9)], 60],
    ['ten, the oldest of them a moment before it leaves the window', [899.5, ...recent(9)], 1],
    ['ten, the oldest of which has left it', [901, ...recent(9)], 1],
    ['eleven: the tenth from the end counts', [890, 300, ...recent(9)], 600],
  ])('waits after %s', (_, secondsAgo, seconds) => {
    expect(secondsUntilTest(tests(...secondsAgo), now)).toBe(seconds);
  });
});
