import { expect, it } from 'vitest';
import { repeatsTitle, titleOf } from '../../../../src/dashboard/parts/failure-title.js';
import { DemarcError } from '../../../../src/errors.js';

const missing = { status: 404 };

it.each([
  ['the call', 'Call not found'],
  ['the run', 'Run run_4f1c not found'],
  ['the version', 'Version 3 not found'],
])('says once that %s is not found', (what, detail) => {
  const { message } = new DemarcError('NOT_FOUND', detail);
  expect(message).toBe(detail);
  expect(repeatsTitle(titleOf(what, missing), message)).toBe(true);
});

it('still says what the title does not', () => {
  const { message } = new DemarcError('NOT_FOUND', 'the number has no outbound configuration');
  expect(message).toBe('Not found: the number has no outbound configuration');
  expect(repeatsTitle(titleOf('the number', missing), message)).toBe(false);
});
