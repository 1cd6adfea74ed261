import { expect, it } from 'vitest';
import type { FoundCall } from '../../../../src/control/fleet/fleet-reader.js';
import { activeOf, countActiveCalls } from '../../../../src/control/noc/active-calls.js';

const found = (organization: string | null, state: string): FoundCall =>
  ({ call: { organization, state }, edgeId: 'a' }) as FoundCall;

it('counts the listed calls of each organization, and those of none with all', () => {
  const counts = countActiveCalls([
    found('acme', 'answered'),
    found('acme', 'answered'),
    found('acme', 'setup'),
    found('other', 'ringing'),
    found(null, 'setup'),
  ]);
  expect(counts.all).toEqual({ active: 2, ringing: 3 });
  expect(activeOf(counts, 'acme')).toEqual({ active: 2, ringing: 1 });
  expect(activeOf(counts, 'other')).toEqual({ active: 0, ringing: 1 });
  expect(activeOf(counts, 'third')).toEqual({ active: 0, ringing: 0 });
});
