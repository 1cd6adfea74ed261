import { describe, expect, it } from 'vitest';
import { sipReason } from '../../../../src/edge/sip/reason.js';
import { explained } from '../../../../src/edge/sip/refuse-invite.js';

describe('a refusal', () => {
  const reason = sipReason(480, 'No answer');

  it('has the Reason that other legs receive', () => {
    expect(explained({ status: 480, headers: { 'Retry-After': '5' } }, reason)).toEqual({
      status: 480,
      headers: { 'Retry-After': '5', Reason: reason },
    });
  });

  it('keeps what explains it already', () => {
    const warned = { status: 488, headers: { Warning: '304 edge "Media type not available"' } };
    const given = { status: 486, headers: { Reason: 'Q.850;cause=17' } };
    expect(explained(warned, reason)).toBe(warned);
    expect(explained(given, reason)).toBe(given);
    expect(explained({ status: 404 }, undefined)).toEqual({ status: 404 });
  });
});
