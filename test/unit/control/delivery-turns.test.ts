import { expect, it } from 'vitest';
import { DeliveryTurns, type DueDelivery } from '../../../src/control/deliveries/turns.js';

const slots = { all: 10, organization: 4, receiver: 2 };

const due = (organizationId: string, receiver: string, count: number, isProbe = false): DueDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${organizationId} ${receiver} ${index}`,
    organizationId,
    receiver,
    isProbe,
  }));
const countOf = (entered: readonly DueDelivery[], organization: string, receiver?: string): number =>
  entered.filter(
    (turn) => turn.organizationId === organization && (receiver === undefined || turn.receiver === receiver),
  ).length;

it('gives an organization its slots, and each of its receivers no more than theirs', () => {
  const turns = new DeliveryTurns(slots);
  const entered = turns.enter([...due('a', 'x', 9), ...due('a', 'y', 9), ...due('a', 'z', 9)]);
  expect(entered).toHaveLength(4);
  expect(Math.max(...['x', 'y', 'z'].map((receiver) => countOf(entered, 'a', receiver)))).toBe(2);
  expect(turns.full).toEqual(['a']);
  for (const turn of entered) turns.leave(turn);
  expect([turns.free, turns.full]).toEqual([10, []]);
});

it('lets organizations take turns, regardless of how many deliveries each has waiting', () => {
  const turns = new DeliveryTurns({ all: 3, organization: 3, receiver: 3 });
  const flood = due('flood', 'x', 3);
  expect(
    turns.enter([...flood, ...due('quiet', 'x', 1)]).map(({ organizationId }) => organizationId),
  ).toEqual(['flood', 'quiet', 'flood']);
});

it('gives the next free slot to the organization whose last turn is longest ago', () => {
  const turns = new DeliveryTurns({ all: 1, organization: 1, receiver: 1 });
  const waiting = [...due('a', 'x', 5), ...due('b', 'x', 5), ...due('c', 'x', 5)];
  const order: string[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const [first] = turns.enter(waiting);
    order.push(first!.organizationId);
    turns.leave(first!);
  }
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

it('takes one probe of a paused receiver at a time', () => {
  const turns = new DeliveryTurns(slots);
  const probes = due('a', 'x', 5, true);
  expect(turns.enter(probes)).toHaveLength(1);
  expect(turns.enter(probes)).toHaveLength(0);
});

it('keeps the order of a receiver', () => {
  const turns = new DeliveryTurns(slots);
  expect(turns.enter(due('a', 'x', 5)).map(({ id }) => id)).toEqual(['a x 0', 'a x 1']);
});
