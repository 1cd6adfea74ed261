import { expect, it } from 'vitest';
import { canStop, isUnderWay, sharesOf } from '../../../../../src/dashboard/pages/batches/progress.js';

const statuses = ['scheduled', 'running', 'stopping', 'stopped', 'completed'] as const;

it('lets only a batch be stopped that has calls to dial', () => {
  expect(statuses.filter((status) => canStop({ status }))).toEqual(['scheduled', 'running']);
});

it('knows that calls still end until a batch is stopped or completed', () => {
  expect(statuses.filter((status) => isUnderWay({ status }))).toEqual(['scheduled', 'running', 'stopping']);
});

it('divides a bar into the parts that have calls', () => {
  const progress = { completed: 2, failed: 0, cancelled: 1, active: 1, waiting: 4 };
  expect(sharesOf(progress as never)).toEqual([
    { name: 'completed', calls: 2, from: 0, width: 250 },
    { name: 'cancelled', calls: 1, from: 250, width: 125 },
    { name: 'active', calls: 1, from: 375, width: 125 },
    { name: 'waiting', calls: 4, from: 500, width: 500 },
  ]);
  expect(sharesOf({ completed: 0, failed: 0, cancelled: 0, active: 0, waiting: 0 } as never)).toEqual([]);
});
