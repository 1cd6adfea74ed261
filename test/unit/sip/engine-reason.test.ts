import { describe, expect, it } from 'vitest';
import { engineReasonHeader, engineReasonIn, engineReasonOf } from '../../../src/sip/engine-reason.js';

describe('the reason for which the engine ends a dialog', () => {
  // What drachtio-server writes (wire protocol §5.5).
  it.each([
    ['ACK timeout', 'ack_timeout'],
    ['Session timer expired', 'session_expired'],
    ['ACK-BYE due to cancel race condition', 'cancel_crossed'],
    ['CANCEL after 200 OK', 'cancelled_before_success'],
  ])('is read from the text of drachtio-server: %s', (text, code) => {
    expect(engineReasonOf(text)).toBe(code);
    expect(engineReasonIn(`SIP ;cause=200;text="${text}"`)).toBe(code);
  });

  it.each(['', 'normal release', 'PRACK', 'No ACK timeout', 'ACK timeout of another leg'])(
    'is none for any other text: %s',
    (text) => {
      expect(engineReasonOf(text)).toBeUndefined();
    },
  );

  it('survives the way through its header', () => {
    expect(engineReasonHeader('prack_timeout', 504)).toBe('SIP;cause=504;text="PRACK timeout"');
    expect(engineReasonIn(engineReasonHeader('given_away', 503))).toBe('given_away');
  });

  it.each([undefined, 'SIP;cause=487', 'Q.850;cause=16;text=Normal', 'SIP;x-text="ACK timeout"'])(
    'is none in a header without its text: %s',
    (header) => {
      expect(engineReasonIn(header)).toBeUndefined();
    },
  );
});
