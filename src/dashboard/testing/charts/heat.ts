/** Shares of failures as steps of a colour scale. */

export const heatSteps = [0, 1, 2, 3, 4, 5] as const;
export type HeatStep = (typeof heatSteps)[number];

/** Lower bound of each step. Failures are rare in a good agent, so the scale is finer at its lower end. */
export const stepFrom = [0, 0.001, 0.1, 0.25, 0.5, 0.75] as const satisfies readonly number[];

/** @param rate 0 to 1 */
export function heatStep(rate: number): HeatStep {
  let step: HeatStep = 0;
  for (const candidate of heatSteps) if (rate >= stepFrom[candidate]) step = candidate;
  return step;
}

export interface HeatCell<Value> {
  readonly value: Value;
  readonly step: HeatStep;
  readonly column: number;
  readonly row: number;
}

/** Cells by falling rate, in rows of that many columns. */
export function heatCells<Value extends { readonly failure_rate: number }>(
  values: readonly Value[],
  columns: number,
): readonly HeatCell<Value>[] {
  return [...values]
    .sort((one, other) => other.failure_rate - one.failure_rate)
    .map((value, index) => ({
      value,
      step: heatStep(value.failure_rate),
      column: index % columns,
      row: Math.floor(index / columns),
    }));
}
