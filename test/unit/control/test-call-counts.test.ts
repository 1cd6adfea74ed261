import { expect, it } from 'vitest';
import { isTestAlone } from '../../../src/control/calls/history/call-minutes.js';

it('counts the call of an agent test as usage once its agent has transferred it', () => {
  const transfers = (status: 'completed' | 'failed' | 'unknown') => [{ status }] as never;
  expect(isTestAlone({ transfers: transfers('completed') })).toBe(false);
  expect(isTestAlone({ test_run_id: 'r' })).toBe(true);
  expect(isTestAlone({ test_run_id: 'r', transfers: transfers('failed') })).toBe(true);
  expect(isTestAlone({ test_run_id: 'r', transfers: transfers('unknown') })).toBe(false);
  expect(isTestAlone({ test_run_id: 'r', transfers: transfers('completed') })).toBe(false);
});
