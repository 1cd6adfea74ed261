import { expect, it } from 'vitest';
import { audioProblemOf } from '../../../src/contract/audio-defect.js';
import { concernedBy, isAnswerOfCallee } from '../../../src/contract/concerned.js';
import { terminationClass } from '../../../src/contract/termination.js';

it.each([
  ['caller_hung_up', true, 'completed'],
  ['caller_cancelled', false, 'cancelled'],
  ['stopped', false, 'cancelled'],
  ['refused_limit', false, 'refused'],
  ['order_expired', false, 'refused'],
  ['refused_unavailable', false, 'failed'],
  ['agent_refused', false, 'rejected'],
  ['trunk_refused', false, 'rejected'],
  ['trunk_no_answer', false, 'rejected'],
  ['media_failed', false, 'failed'],
  ['media_failed', true, 'failed'],
  ['max_duration', true, 'completed'],
] as const)('counts the end %s (answered: %s) as %s', (reason, isAnswered, expected) => {
  expect(terminationClass(reason, isAnswered)).toBe(expected);
});

it.each([
  ['trunk_refused', 486, 'none'],
  ['trunk_refused', 404, 'none'],
  ['trunk_refused', 403, 'service'],
  ['trunk_refused', null, 'service'],
  ['agent_refused', 486, 'service'],
  ['refused_limit', null, 'customer'],
  ['refused_unknown_number', null, 'caller'],
  ['unknown_to_this_release', null, 'fleet'],
])('concerns, for the end %s with %s: %s', (reason, status, party) => {
  expect(concernedBy(reason as never, status)).toBe(party);
  expect(isAnswerOfCallee(reason as never, status)).toBe(reason === 'trunk_refused' && party === 'none');
});

it.each([
  ['completed', 'media_failed', 'lost'],
  ['failed', 'media_failed', null],
  ['completed', 'one_way_audio', 'one_way'],
  ['completed', 'dead_air', 'none'],
  ['completed', 'agent_lost', 'lost'],
  ['completed', 'caller_hung_up', null],
  ['completed', null, null],
])('names the audio that a call (%s, %s) lacked: %s', (outcome, end_reason, problem) => {
  expect(audioProblemOf({ outcome, end_reason })).toBe(problem);
});
