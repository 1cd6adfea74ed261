import { describe, expect, it } from 'vitest';
import type { PortStatus } from '../../../../../src/control/porting/port-status.js';
import { stateOfLetter } from '../../../../../src/control/porting/signing/letter-state.js';

const expiresAt = Date.parse('2026-11-30T12:00:00Z');
const stateAt = (now: number, signedAt: Date | null, status: PortStatus): string =>
  stateOfLetter({ signed_at: signedAt, expires_at: new Date(expiresAt) }, { status }, now);

describe('a letter of authorization', () => {
  it('can be signed up to the millisecond before it expires', () => {
    expect(stateAt(expiresAt - 1, null, 'waiting_for_signature')).toBe('open');
    expect(stateAt(expiresAt, null, 'waiting_for_signature')).toBe('expired');
    expect(stateAt(expiresAt + 1, null, 'waiting_for_signature')).toBe('expired');
  });

  it.each<PortStatus>(['submitted', 'in_progress', 'completed', 'failed', 'canceled'])(
    'is over when its request is %s, expired or not',
    (status) => {
      expect(stateAt(expiresAt - 1, null, status)).toBe('over');
      expect(stateAt(expiresAt + 1, null, status)).toBe('over');
    },
  );

  it.each<PortStatus>(['waiting_for_signature', 'submitted', 'canceled'])(
    'is signed once it was, also when its request is %s',
    (status) => {
      expect(stateAt(expiresAt - 1, new Date(0), status)).toBe('signed');
      expect(stateAt(expiresAt + 1, new Date(0), status)).toBe('signed');
    },
  );
});
