import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../database/tables.js';
import { readScenarios, unknownScenario } from '../scenarios/scenario-storage.js';
import type { estimateRequest, estimateSchema } from '../schemas/budget.js';
import { dollarsOf, type Money } from '../schemas/money.js';
import { runChannels } from '../schemas/scenario.js';
import { type MeasuredRuns, readMeasuredRuns } from './measured-runs.js';

type Estimate = z.output<typeof estimateSchema>;

/** What runs would take, by the latest runs of their scenarios. Throws `DemarcError` `NOT_FOUND` for a scenario. */
export async function estimate(
  database: Kysely<Database>,
  organizationId: string,
  { scenario_ids, channel, runs_per_scenario: runs }: z.output<typeof estimateRequest>,
): Promise<Estimate> {
  const ids = [...new Set(scenario_ids.map((id) => id.toLowerCase()))];
  const found = new Map(
    (await readScenarios(database, organizationId, ids)).map(({ row }) => [row.id, channel ?? row.channel]),
  );
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw unknownScenario(missing);
  const measured = new Map<string, MeasuredRuns>();
  for (const each of runChannels) {
    const own = ids.filter((id) => found.get(id) === each);
    if (own.length === 0) continue;
    for (const [id, figures] of await readMeasuredRuns(database, organizationId, own, each))
      measured.set(id, figures);
  }
  return estimateOf(ids, measured, runs);
}

/** The sum of what is known for all scenarios, or null. */
export function estimateOf(
  ids: readonly string[],
  measured: ReadonlyMap<string, MeasuredRuns>,
  runs: number,
): Estimate {
  const figures = ids.map((id) => measured.get(id));
  const tokens = figures.reduce<number | null>(
    (total, own) => (total === null || own === undefined ? null : total + own.tokens),
    0,
  );
  const cost = sumOf(figures.map((own) => own?.cost ?? null));
  const total = cost && { ...cost, amount: cost.amount * runs };
  return {
    total_runs: ids.length * runs,
    tokens: tokens === null ? null : Math.round(tokens * runs),
    cost: total,
    cost_usd: dollarsOf(total),
    scenarios: ids.map((id) => {
      const own = measured.get(id);
      return {
        scenario_id: id,
        tokens_per_run: own === undefined ? null : Math.round(own.tokens),
        cost_per_run: own?.cost ?? null,
        measured_runs: own?.runs ?? 0,
      };
    }),
  };
}

/** Null: one is not known, or they are in several currencies. */
const sumOf = (costs: readonly (Money | null)[]): Money | null =>
  costs.reduce((total, cost) =>
    total === null || cost === null || total.currency !== cost.currency
      ? null
      : { amount: total.amount + cost.amount, currency: total.currency },
  );
