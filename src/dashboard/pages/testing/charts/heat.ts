/** Shares of failures as steps of a colour scale. */

const heatSteps = [0, 1, 2, 3, 4, 5] as const;
type HeatStep = (typeof heatSteps)[number];

/** Lower bound of each step. Failures are rare in a good agent, so the scale is finer at its lower end. */
const stepFrom = [0, 0.001, 0.1, 0.25, 0.5, 0.75] as const satisfies readonly number[];

/** @param rate 0 to 1 */
export function heatStep(rate: number): HeatStep {
  let step: HeatStep = 0;
  for (const candidate of heatSteps) if (rate >= stepFrom[candidate]) step = candidate;
  return step;
}
