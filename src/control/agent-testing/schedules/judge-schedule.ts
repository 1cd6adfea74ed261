import type { ControlSettings } from '../../../config/control-settings.js';
import type { EndedHook } from '../runs/run-order.js';
import { readSimulationSet } from '../simulation/simulation-storage.js';
import { storeState } from './store-state.js';
import { verdictOn } from './verdict.js';

/** Judges a schedule when the last run of its set has ended, in the same transaction; `endSimulationSet` runs before it. */
export const judgeSchedule =
  (settings: ControlSettings): EndedHook =>
  async ({ organizationId, simulationSetId }, transaction) => {
    if (simulationSetId === null) return;
    const schedule = await transaction
      .selectFrom('agent_test_simulation_sets as set')
      .innerJoin('agent_test_schedules as schedule', (join) =>
        join
          .onRef('schedule.organization_id', '=', 'set.organization_id')
          .onRef('schedule.id', '=', 'set.schedule_id'),
      )
      .selectAll('schedule')
      .where('set.organization_id', '=', organizationId)
      .where('set.id', '=', simulationSetId)
      // Still open: this was not its last run.
      .where('set.status', 'is not', null)
      .forUpdate('schedule')
      .executeTakeFirst();
    if (schedule === undefined) return;
    const whole = await readSimulationSet(transaction, organizationId, simulationSetId);
    const verdict = verdictOn(whole, schedule.required_pass_rate);
    if (verdict !== undefined) await storeState(transaction, settings, schedule, verdict);
  };
