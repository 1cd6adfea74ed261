import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DemarcSystem } from './demarc-system.js';
import { FurtherEdges, tracedShare } from './further-edges.js';
import { configureNumbers } from './many-numbers.js';
import type { CloneOptions } from './options.js';
import type { Growth } from './report.js';
import type { Session } from './session.js';
import { measureStep } from './step.js';

const numberSteps = [1_000, 1_000_000] as const;
const edgeSteps = [2, 4] as const;
/** Of each edge: the first thousand calls of a fresh process cost more. */
const warmUpCalls = 1_500;
const load = { callsPerSecond: 100, seconds: 8, holdMilliseconds: 1_000 } as const;
/** Systems that need several edges have more calls. */
const busyCallsPerSecond = 300;

/**
 * The cost of a call when the configuration grows, and when several edges share the engine. Each set of numbers has a separate
 * system, whose edge and control start on the full Redis.
 */
export async function measureGrowth(
  session: Session,
  clone: CloneOptions,
  onStep: (growth: Growth) => void,
): Promise<void> {
  const measure = async (system: DemarcSystem, numbers: number, edges: number): Promise<void> => {
    const isOfEdges = numbers === numberSteps[0];
    for (const callsPerSecond of isOfEdges
      ? [load.callsPerSecond, busyCallsPerSecond]
      : [load.callsPerSecond]) {
      const step = await measureStep(session.setting, system, { ...load, callsPerSecond });
      onStep({ numbers, edges, step, traced: await tracedShare(system) });
    }
  };
  for (const numbers of numberSteps) {
    const system = await session.add(`${numbers} numbers`, clone, async (plan) => {
      const first = await session.startClone(plan, clone);
      const file = await configureNumbers(first, numbers, plan.directory);
      await first.stop();
      return { ...(await session.startClone(plan, clone)), number: { file } };
    });
    await session.warmUp(system, warmUpCalls);
    await measure(system, numbers, 1);
    if (numbers === numberSteps[0]) {
      const directory = join(session.setting.directory, 'edges');
      mkdirSync(directory, { recursive: true });
      const program = { directory, node: clone.node, file: join(clone.directory, 'dist', 'cli.js') };
      const further = new FurtherEdges(system, program);
      try {
        for (const edges of edgeSteps) {
          while (further.processes.length < edges - 1) await further.start();
          const processes = (): ReturnType<DemarcSystem['processes']> => [
            ...system.processes(),
            ...further.processes,
          ];
          const wider = { ...system, processes };
          await session.warmUp(wider, edges * warmUpCalls);
          await measure(wider, numbers, edges);
        }
      } finally {
        await further.stop();
      }
    }
    await session.remove(system);
  }
}
