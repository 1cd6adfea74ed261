import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkerPool, workerFile } from '../../../../src/control/workers/worker-pool.js';

const folder = new URL('../../../../src/control/', import.meta.url).href;
const pattern = workerFile<string, string | undefined>('./agent-testing/assertions/pattern-worker', folder);
const endless = workerFile<boolean, void>('./endless-worker', import.meta.url);
const deadline = 5_000;

let pool: WorkerPool;
const poolWith = (deadlineMilliseconds: number): WorkerPool =>
  new WorkerPool(pino({ level: 'silent' }), { threads: 1, deadlineMilliseconds, niceness: 0 });

beforeEach(() => {
  // At the lowest priority other tests would leave it no processor.
  pool = poolWith(deadline);
});
afterEach(() => pool.stop());

describe('worker threads', () => {
  it.each([
    ['exceeds the deadline', false, 'longer than 5 seconds'],
    ['needs too much memory', true, 'MB of memory'],
  ])('ends a task that %s, and runs the next one in another thread', async (_what, needsMemory, problem) => {
    const first = pool.run(endless, 'org_a', needsMemory);
    const second = pool.run(pattern, 'org_a', 'a(?=b)');
    await expect(first).rejects.toThrow(problem);
    expect(await second).toContain('Not a regular expression');
  });

  it('gives an organization a turn before the second task of another', async () => {
    await pool.stop();
    pool = poolWith(60_000);
    const order: string[] = [];
    const task = async (organization: string): Promise<void> => {
      await pool.run(pattern, organization, '^a+$');
      order.push(organization);
    };
    await Promise.all(['org_a', 'org_a', 'org_a', 'org_b'].map(task));
    expect(order).toEqual(['org_a', 'org_a', 'org_b', 'org_a']);
  });
});
