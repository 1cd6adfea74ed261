import type { z } from 'zod';
import type { Matrix, Variation } from '../schemas/matrix.js';
import type { matrixResultSchema, variationResultSchema } from '../schemas/simulation.js';
import type { SimulationRunRow } from './simulation-storage.js';
import { type SimulatedRun, statisticsOf } from './statistics.js';

type Result = Omit<z.output<typeof variationResultSchema>, 'values'>;

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
  const variations = [...groups.values()].map(({ values, ended }) => ({ values, ...resultOf(ended) }));
  const byValue = Object.entries(fields).flatMap(([field, values]) =>
    values.map((value) => {
      const text = JSON.stringify(value);
      const own = runs.flatMap(({ variation, ended }) =>
        variation !== null && JSON.stringify(variation[field]) === text ? ended : [],
      );
      return { values: { [field]: value }, ...resultOf(own) };
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

function resultOf(runs: readonly SimulatedRun[]): Result {
  const { passed, failed, errors, pass_rate, pass_rate_interval } = statisticsOf(runs);
  return { passed, failed, errors, pass_rate, pass_rate_interval };
}

const leastFirst = (left: Result, right: Result): number =>
  (left.pass_rate ?? 2) - (right.pass_rate ?? 2) || right.failed - left.failed;
