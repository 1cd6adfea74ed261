import type { ModelPrices } from '../../../config/model-settings.js';
import { DemarcError } from '../../../errors.js';
import type { Spent } from '../../models/token-count.js';
import { amountText, type Money, tokensText } from '../schemas/money.js';

/** What may be taken; null: no limit. */
export interface Limits {
  readonly tokens: number | null;
  readonly cost: Money | null;
}

/** What was taken; the cost is of the requests whose price is known. */
export interface Used {
  readonly tokens: number;
  readonly cost: number;
}

/** What the runs of a batch, simulation set, load test or promotion may take together. */
export interface SharedBudget {
  readonly what: 'batch' | 'promotion' | 'simulation set' | 'load test';
  readonly limits: Limits;
  /** By its runs so far, in all processes. */
  used(): Promise<Used>;
  spend(spent: Spent): Promise<void>;
}

/** The model that is to be asked. */
interface AskedModel {
  readonly model: string;
  /** Undefined: not known. */
  readonly price: ModelPrices | undefined;
}

const where = 'PUT /v1/agent-testing/budget';
const settingOf = { token: 'tokens', cost: 'cost' } as const;

/** Bounds the tokens and the cost of one run: by its own limits, and by those of the runs that were started with it. */
export class RunBudget {
  private readonly used = { tokens: 0, cost: 0 };

  constructor(
    private readonly limits: Limits,
    /** Undefined: none. */
    private readonly shared: SharedBudget | undefined,
  ) {}

  /**
   * Throws `DemarcError` `TOKEN_BUDGET_USED` or `COST_BUDGET_USED` when a limit is reached, and `MODEL_PRICE_UNKNOWN` when a limit in money
   * could not be kept: no request to a model follows.
   * @param asked undefined: no request follows at once
   */
  async admit(asked?: AskedModel): Promise<void> {
    const { limits, shared, used } = this;
    if (asked !== undefined)
      for (const limit of [limits.cost, shared?.limits.cost]) requirePrice(asked, limit ?? null);
    const ofRun = problemOfUse('run', limits, used, (kind) => {
      return `Raise ${kind}_budget of the run, or ${settingOf[kind]}_per_run of ${where}`;
    });
    if (ofRun !== null) throw ofRun;
    if (shared === undefined || (shared.limits.tokens === null && shared.limits.cost === null)) return;
    const { what } = shared;
    const together = problemOfUse(what, shared.limits, await shared.used(), (kind) => {
      const own = what === 'promotion' ? '' : `${kind}_budget of the ${what}, or `;
      return `Raise ${own}${settingOf[kind]}_per_${what === 'promotion' ? 'gate' : 'set'} of ${where}`;
    });
    if (together !== null) throw together;
  }

  async spend(spent: Spent): Promise<void> {
    this.used.tokens += spent.tokens;
    this.used.cost += spent.cost ?? 0;
    await this.shared?.spend(spent);
  }
}

/** Throws `DemarcError` `MODEL_PRICE_UNKNOWN`. */
export function requirePrice({ model, price }: AskedModel, limit: Money | null): void {
  if (limit === null || price?.currency === limit.currency) return;
  throw new DemarcError(
    'MODEL_PRICE_UNKNOWN',
    `model ${model} has no price in ${limit.currency}, and a budget in ${limit.currency} applies`,
  );
}

/**
 * The `DemarcError` `TOKEN_BUDGET_USED` or `COST_BUDGET_USED`; null: something is left.
 * @param what has the limits
 * @param advice what to do, by what is used up
 */
export function problemOfUse(
  what: string,
  { tokens, cost }: Limits,
  used: Used,
  advice: (kind: 'token' | 'cost') => string,
): DemarcError | null {
  if (tokens !== null && used.tokens >= tokens)
    return new DemarcError(
      'TOKEN_BUDGET_USED',
      `${tokensText(used.tokens)} of ${tokensText(tokens)} tokens of this ${what} are used. ${advice('token')}`,
    );
  if (cost !== null && used.cost >= cost.amount)
    return new DemarcError(
      'COST_BUDGET_USED',
      `${amountText({ ...cost, amount: used.cost })} of ${amountText(cost)} of this ${what} are used. ${advice('cost')}`,
    );
  return null;
}
