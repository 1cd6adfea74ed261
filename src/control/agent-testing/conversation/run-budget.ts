import { DemarcError } from '../../../errors.js';

/** What the runs of a batch, simulation set, load test or promotion may take together. */
export interface SharedBudget {
  readonly what: 'batch' | 'promotion' | 'simulation set' | 'load test';
  readonly limit: number;
  /** Tokens that its runs have taken so far, in all processes. */
  used(): Promise<number>;
  spend(tokens: number): Promise<void>;
}

/** Bounds the tokens of one run: by its own limit, and by that of the runs that were started with it. */
export class RunBudget {
  private used = 0;

  constructor(
    /** Null: none. */
    private readonly limit: number | null,
    /** Undefined: none. */
    private readonly shared: SharedBudget | undefined,
  ) {}

  /** Throws `DemarcError` `TOKEN_BUDGET_USED` when a limit is reached: no request to a model follows. */
  async admit(): Promise<void> {
    const { limit, shared, used } = this;
    if (limit !== null && used >= limit)
      throw usedUp(used, limit, 'run', 'token_budget of the run, or tokens_per_run of PUT');
    if (shared === undefined) return;
    const together = await shared.used();
    if (together < shared.limit) return;
    const field = shared.what === 'promotion' ? 'tokens_per_gate' : 'tokens_per_set';
    const own = shared.what === 'promotion' ? '' : `token_budget of the ${shared.what}, or `;
    throw usedUp(together, shared.limit, shared.what, `${own}${field} of PUT`);
  }

  async spend(tokens: number): Promise<void> {
    this.used += tokens;
    await this.shared?.spend(tokens);
  }
}

const usedUp = (used: number, limit: number, what: string, where: string): DemarcError =>
  new DemarcError(
    'TOKEN_BUDGET_USED',
    `${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} tokens of this ${what} are used. Raise ${where} /v1/agent-testing/budget`,
  );
