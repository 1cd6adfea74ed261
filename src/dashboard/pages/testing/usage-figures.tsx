import type { JSX } from 'preact';
import type { SimulationSet } from '../../api/runs.js';
import { money, whole } from '../../parts/format.js';

type UsageFiguresProps = Pick<SimulationSet, 'usage' | 'token_budget' | 'cost_budget'>;

/** What runs have taken, in tokens and money, with their budgets. */
export function UsageFigures({
  usage,
  token_budget: tokens,
  cost_budget: cost,
}: UsageFiguresProps): JSX.Element {
  return (
    <>
      <div>
        <dt>Tokens</dt>
        <dd class="figure">
          {whole(tokens?.used ?? usage.tokens)} {tokens !== null && <small>of {whole(tokens.limit)}</small>}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd class="figure">
          {cost === null ? (
            money(usage.cost)
          ) : (
            <>
              {money({ amount: cost.used, currency: cost.currency })}{' '}
              <small>of {money({ amount: cost.limit, currency: cost.currency })}</small>
            </>
          )}
        </dd>
      </div>
    </>
  );
}
