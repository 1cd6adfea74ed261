import { describe, expect, it } from 'vitest';
import { isAttachOwed, type OwedWork, owedWork } from '../../../../src/control/porting/owed-work.js';
import type { PortStatus } from '../../../../src/control/porting/port-status.js';

const now = new Date('2026-11-20T12:00:00Z');
const request = {
  carrier: 'twilio' as const,
  carrier_reference: null as string | null,
  carrier_canceled_at: null as Date | null,
};
const known = { ...request, carrier_reference: 'KW1' };
const notified = { ...known, carrier_canceled_at: now };
const numbers = (...statuses: PortStatus[]) => statuses.map((status) => ({ status }));

describe('the work that a request owes its carrier', () => {
  it.each<[string, typeof request, PortStatus[], OwedWork]>([
    ['is none before the signature', request, ['waiting_for_signature'], 'nothing'],
    ['is to submit it after the signature', request, ['submitted'], 'submit'],
    ['is to ask about it once the carrier has it', known, ['submitted'], 'poll'],
    ['is to ask about it while the losing carrier works', known, ['in_progress'], 'poll'],
    ['is to submit it while one number waits', request, ['failed', 'in_progress'], 'submit'],
    ['is to ask about it while one number waits', known, ['completed', 'submitted'], 'poll'],
    ['comes before a cancel of other numbers', known, ['canceled', 'submitted'], 'poll'],
    ['is to cancel it', known, ['canceled'], 'cancel'],
    ['is to cancel one that may never have arrived', request, ['canceled'], 'cancel'],
    ['is to cancel the rest of a port', known, ['completed', 'canceled'], 'cancel'],
    ['is none after the cancel arrived', notified, ['canceled'], 'nothing'],
    ['is none after the end', known, ['completed', 'failed'], 'nothing'],
    ['is none without numbers', known, [], 'nothing'],
  ])('%s', (_, row, statuses, owed) => expect(owedWork(row, numbers(...statuses), 'twilio')).toBe(owed));

  it('is out of reach for a carrier that is not configured any more', () => {
    expect(owedWork(request, numbers('submitted'), 'manual')).toBe('other_carrier');
    expect(owedWork(known, numbers('in_progress'), 'manual')).toBe('other_carrier');
  });

  it('is no cancel at another carrier', () => {
    expect(owedWork(known, numbers('canceled'), 'manual')).toBe('nothing');
  });
});

describe('a number that waits to be attached', () => {
  const ported = { status: 'completed' as PortStatus, attached_at: null, reason: null };

  it('was ported, is not attached, and has no reason why it could not be', () => {
    expect(isAttachOwed(ported)).toBe(true);
    expect(isAttachOwed({ ...ported, attached_at: now })).toBe(false);
    expect(isAttachOwed({ ...ported, reason: 'The number was ported, but could not be attached.' })).toBe(
      false,
    );
  });

  it.each<PortStatus>(['waiting_for_signature', 'submitted', 'in_progress', 'failed', 'canceled'])(
    'is none that is %s',
    (status) => expect(isAttachOwed({ ...ported, status })).toBe(false),
  );
});
