import { expect, it } from 'vitest';
import { EarlyAnswer } from '../../../../src/edge/sip/early-answer.js';
import type { SipMessage } from '../../../../src/edge/sip/messages.js';
import { headerFields } from '../../../support/header-fields.js';

const response = (body: string): SipMessage => ({
  ...headerFields({ To: '<sip:a@b>;tag=t', 'Content-Type': 'application/sdp' }),
  body,
});

it('takes sixteen different descriptions of phones that ring, and the final one', () => {
  const answer = new EarlyAnswer();
  const taken = Array.from({ length: 100 }, (_, index) => answer.note(response(`v=0 ${index}`)));
  expect(taken.filter((sdp) => sdp !== undefined)).toHaveLength(16);
  expect(answer.answerOf(response(''))).toBe('v=0 15');
  expect(answer.answerOf(response('v=0 final'))).toBe('v=0 final');
});
