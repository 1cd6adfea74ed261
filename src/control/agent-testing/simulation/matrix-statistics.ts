import type { z } from 'zod';
import type { Matrix, Variation } from '../schemas/matrix.js';
import type { matrixResultSchema } from '../schemas/simulation.js';
import type { SimulationRunRow } from './simulation-storage.js';
import { type PassRate, passRateOf, type SimulatedRun } from './statistics.js';

/** Of each combination, and of each value over all combinations: those that pass least first. */
export function matrixStatistics(
  { fields, sample, seed }: Matrix,
  runs: readonly (SimulationRunRow & { readonly ended: readonly SimulatedRun[] })[],
): z.output<typeof matrixResultSchema> {
  const groups = new Map<string, { readonly values: Variation; readonly ended: SimulatedRun[] }>();
  for (const { variation, ended } of runs) {
    if (variation === null) continue;
    const key = JSON.stringify(variation);
    const group = groups.get(key) ?? { values: variation, ended: [] };
    group.ended.push(...ended);
    groups.set(key, group);
  }
  const variations = [...groups.values()].map(({ values, ended }) => ({ values, ...passRateOf(ended) }));
  const byValue = Object.entries(fields).flatMap(([field, values]) =>
    values.map((value) => {
      const text = JSON.stringify(value);
      const own = runs.flatMap(({ variation, ended }) =>
        variation !== null && JSON.stringify(variation[field]) === text ? ended : [],
      );
      return { values: { [field]: value }, ...passRateOf(own) };
    }),
  );
  return {
    fields,
    sample: sample ?? null,
    seed,
    variations: variations.sort(leastFirst),
    by_value: byValue.sort(leastFirst),
  };
}

const leastFirst = (left: PassRate, right: PassRate): number =>
  (left.pass_rate ?? 2) - (right.pass_rate ?? 2) || right.failed - left.failed;
