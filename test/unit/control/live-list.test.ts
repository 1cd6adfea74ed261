import { expect, it } from 'vitest';
import type { FoundCall } from '../../../src/control/fleet/fleet-reader.js';
import { listOf } from '../../../src/control/noc/live-list.js';

const found = (id: number, state: string, number: string | null, edgeId: string): FoundCall =>
  ({
    call: {
      call_id: `c${id}`,
      organization: 'acme',
      number,
      from: '<sip:1@x>',
      to: '<sip:2@x>',
      state,
      started_at: new Date(id * 1_000).toISOString(),
    },
    edgeId,
  }) as FoundCall;

const calls = [
  found(1, 'answered', '1555', 'a'),
  found(2, 'ringing', '1555', 'a'),
  found(3, 'setup', '1555', 'b'),
  found(4, 'answered', null, 'a'),
  found(5, 'answered', '1555', 'a'),
  found(6, 'ringing', '1777', 'a'),
];

it('lists the newest calls, and counts the others by organization, number and edge', () => {
  const list = listOf(calls, true, 2);
  expect(list.calls.map(({ call_id }) => call_id)).toEqual(['c6', 'c5']);
  expect(list).toMatchObject({ total: 6, truncated: true });
  const group = { organization_id: 'acme', phone_number: '+1555', edge_id: 'a', active: 1, ringing: 1 };
  expect(list.unlisted).toEqual([
    { ...group, phone_number: null, ringing: 0 },
    { ...group, edge_id: 'b', active: 0 },
    group,
  ]);
  const counted = list.unlisted.reduce((sum, { active, ringing }) => sum + active + ringing, 0);
  expect(list.calls.length + counted).toBe(list.total);
});

it('shows edges to operators alone, and no group where all calls are listed', () => {
  expect(listOf(calls, false, 3).unlisted).toEqual([
    { organization_id: 'acme', phone_number: '+1555', edge_id: null, active: 1, ringing: 2 },
  ]);
  expect(listOf(calls, false, 6)).toMatchObject({ unlisted: [], total: 6, truncated: false });
});
