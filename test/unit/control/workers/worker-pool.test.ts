import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { type WorkerFile, WorkerPool } from '../../../../src/control/workers/worker-pool.js';

const scripted: WorkerFile<'compute' | 'hoard' | 'answer', string> = {
  path: fileURLToPath(new URL('./scripted-worker.mjs', import.meta.url)),
};

/** The next task must start its thread within it; the pool's sources bring a loader of TypeScript along, which takes seconds on a busy machine. */
const deadline = process.env.DEMARC_TEST_DIST === undefined ? 5_000 : 2_000;

let pool: WorkerPool;
const poolWith = (deadlineMilliseconds: number): WorkerPool =>
  new WorkerPool(pino({ level: 'silent' }), { threads: 1, deadlineMilliseconds, niceness: 0 });

afterEach(() => pool.stop());

describe('worker threads', () => {
  it.each([
    ['exceeds the deadline', 'compute', `longer than ${deadline / 1_000} seconds`],
    ['needs too much memory', 'hoard', 'MB of memory'],
  ] as const)(
    'ends a task that %s, and runs the next one in another thread',
    async (_what, order, problem) => {
      // At the lowest priority other tests would leave it no processor.
      pool = poolWith(order === 'compute' ? deadline : 60_000);
      const first = pool.run(scripted, 'org_a', order);
      const second = pool.run(scripted, 'org_a', 'answer');
      await expect(first).rejects.toThrow(problem);
      expect(await second).toBe('answered');
    },
  );

  it('gives an organization a turn before the second task of another', async () => {
    pool = poolWith(60_000);
    const order: string[] = [];
    const task = async (organization: string): Promise<void> => {
      await pool.run(scripted, organization, 'answer');
      order.push(organization);
    };
    await Promise.all(['org_a', 'org_a', 'org_a', 'org_b'].map(task));
    expect(order).toEqual(['org_a', 'org_a', 'org_b', 'org_a']);
  });
});
