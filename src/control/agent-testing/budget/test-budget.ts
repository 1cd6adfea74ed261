import { type Kysely, sql } from 'kysely';
import type { TokenLimits } from '../../../config/agent-test-settings.js';
import type { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { Spent } from '../../models/token-count.js';
import { type Limits, problemOfUse, requirePrice, type Used } from '../conversation/run-budget.js';
import { moneyOf } from '../schemas/money.js';
import './tables.js';

/** Of one run, of the runs of a batch or simulation set together, and of those of a promotion together. */
const runScopes = ['run', 'set', 'gate'] as const;
const periods = ['day', 'month'] as const;
const scopes = [...periods, ...runScopes] as const;
type Scope = (typeof scopes)[number];
export type RunScope = (typeof runScopes)[number];

/** What an organization sets, as stored; null: no limit. */
export type StoredLimits = Readonly<Record<`${'tokens' | 'cost'}_per_${Scope}`, number | null>>;

/** What the models of an organization's agent tests took, by day and month in UTC. */
export interface BudgetState {
  /** ISO 4217, of its prices and limits. */
  readonly currency: string;
  readonly today: Used;
  readonly thisMonth: Used;
  /** What the organization set. */
  readonly own: StoredLimits;
  /** The lower of its limits and the operator's. */
  readonly limits: Readonly<Record<(typeof periods)[number], Limits>>;
  /** When the present day and month end. */
  readonly dayEnds: Date;
  readonly monthEnds: Date;
}

type AskedModel = Parameters<typeof requirePrice>[0];

/** Bounds what the models of agent tests cost an organization: counted with each request, checked before it. */
export class TestBudget {
  constructor(
    private readonly database: Kysely<Database>,
    private readonly service: {
      /** Of every organization, set by the operator. */
      readonly maximum: TokenLimits;
      /** Of organizations that choose none. */
      readonly currency: string;
    },
  ) {}

  get maximum(): TokenLimits {
    return this.service.maximum;
  }

  async read(organizationId: string): Promise<BudgetState> {
    const { maximum, currency: usual } = this.service;
    const { rows } = await sql<
      StoredLimits & {
        currency: string;
        tokens_today: number;
        tokens_this_month: number;
        cost_today: number;
        cost_this_month: number;
        today: Date;
      }
    >`
      with present as (select (now() at time zone 'utc')::date as day)
      select present.day::timestamp at time zone 'utc' as today, coalesce(own.currency, ${usual}) as currency,
        ${sql.join(scopes.map((scope) => sql`own.${sql.ref(`tokens_per_${scope}`)}::float8`))},
        ${sql.join(scopes.map((scope) => sql`own.${sql.ref(`cost_per_${scope}`)}`))},
        taken.tokens_today, taken.tokens_this_month, paid.cost_today, paid.cost_this_month
      from present
      left join agent_test_budgets as own on own.organization_id = ${organizationId}
      cross join lateral (
        select coalesce(sum(used.tokens) filter (where used.day = present.day), 0)::float8 as tokens_today,
          coalesce(sum(used.tokens), 0)::float8 as tokens_this_month
        from agent_test_token_days as used
        where used.organization_id = ${organizationId} and used.day >= date_trunc('month', present.day)
      ) as taken
      cross join lateral (
        select coalesce(sum(used.cost) filter (where used.day = present.day), 0)::float8 as cost_today,
          coalesce(sum(used.cost), 0)::float8 as cost_this_month
        from agent_test_cost_days as used
        where used.organization_id = ${organizationId} and used.day >= date_trunc('month', present.day)
          and used.currency = coalesce(own.currency, ${usual})
      ) as paid`.execute(this.database);
    const row = rows[0]!;
    const { today, currency } = row;
    const limitsOf = (period: (typeof periods)[number], most: number | null): Limits => ({
      tokens: lowest(row[`tokens_per_${period}`], most),
      cost: moneyOf(row[`cost_per_${period}`], currency),
    });
    return {
      currency,
      today: { tokens: row.tokens_today, cost: row.cost_today },
      thisMonth: { tokens: row.tokens_this_month, cost: row.cost_this_month },
      own: row,
      limits: { day: limitsOf('day', maximum.perDay), month: limitsOf('month', maximum.perMonth) },
      dayEnds: new Date(today.getTime() + 86_400_000),
      monthEnds: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)),
    };
  }

  /**
   * Throws `DemarcError` `TOKEN_BUDGET_USED` or `COST_BUDGET_USED` when a limit is reached, and `MODEL_PRICE_UNKNOWN` when a limit in money
   * could not be kept.
   * @param asked the model that is to be asked; undefined: not known yet
   */
  async admit(organizationId: string, asked?: AskedModel): Promise<void> {
    const state = await this.read(organizationId);
    if (asked !== undefined) for (const period of periods) requirePrice(asked, state.limits[period].cost);
    const problem = problemOf(state);
    if (problem !== null) throw problem;
  }

  /** @param currency of the cost; undefined: there is none */
  async spend(organizationId: string, { tokens, cost }: Spent, currency: string | undefined): Promise<void> {
    await sql`insert into agent_test_token_days (organization_id, day, tokens)
      values (${organizationId}, (now() at time zone 'utc')::date, ${Math.round(tokens)})
      on conflict (organization_id, day) do update set tokens = agent_test_token_days.tokens + excluded.tokens`.execute(
      this.database,
    );
    if (cost === null || currency === undefined) return;
    await sql`insert into agent_test_cost_days (organization_id, day, currency, cost)
      values (${organizationId}, (now() at time zone 'utc')::date, ${currency}, ${cost}::float8::numeric)
      on conflict (organization_id, day, currency) do update set cost = agent_test_cost_days.cost + excluded.cost`.execute(
      this.database,
    );
  }

  /** Replaces the organization's own limits. Those in money keep their currency, whatever the service's becomes. */
  async limit(organizationId: string, limits: StoredLimits): Promise<void> {
    const { currency: usual } = this.service;
    const hasCost = scopes.some((scope) => limits[`cost_per_${scope}`] !== null);
    await this.database
      .insertInto('agent_test_budgets')
      .values({ organization_id: organizationId, ...limits, currency: hasCost ? usual : null })
      .onConflict((conflict) =>
        conflict.column('organization_id').doUpdateSet({
          ...limits,
          currency: hasCost
            ? sql<string>`coalesce(agent_test_budgets.currency, ${usual})`
            : sql<string>`agent_test_budgets.currency`,
        }),
      )
      .execute();
  }
}

export interface RunLimits extends Readonly<Record<RunScope, Limits>> {
  /** ISO 4217, in which the cost of its runs is counted. */
  readonly currency: string;
}

/** What an organization set for its runs. @param usual currency of organizations that choose none */
export async function readRunLimits(
  database: Kysely<Database>,
  organizationId: string,
  usual: string,
): Promise<RunLimits> {
  const own = await database
    .selectFrom('agent_test_budgets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const currency = own?.currency ?? usual;
  const limitsOf = (scope: RunScope): Limits => {
    const tokens = own?.[`tokens_per_${scope}`] ?? null;
    return {
      tokens: tokens === null ? null : Number(tokens),
      cost: moneyOf(own?.[`cost_per_${scope}`] ?? null, currency),
    };
  };
  return { currency, run: limitsOf('run'), set: limitsOf('set'), gate: limitsOf('gate') };
}

/** Null: no limit. */
export const lowest = (left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : Math.min(left, right);

/** Why no more requests are made; null: there is something left. */
export function problemOf({
  limits,
  today,
  thisMonth,
  dayEnds,
  monthEnds,
}: Pick<BudgetState, 'limits' | 'today' | 'thisMonth' | 'dayEnds' | 'monthEnds'>): DemarcError | null {
  const found = [
    { period: 'month', used: thisMonth, end: monthEnds } as const,
    { period: 'day', used: today, end: dayEnds } as const,
  ];
  for (const { period, used, end } of found) {
    const problem = problemOfPeriod(
      limits[period],
      used,
      period,
      end,
      'the limit (PUT /v1/agent-testing/budget)',
    );
    if (problem !== null) return problem;
  }
  return null;
}

/** @param setting that raises it */
export function problemOfPeriod(
  limits: Limits,
  used: Used,
  period: string,
  end: Date,
  setting: string,
): DemarcError | null {
  const advice = `Wait until ${end.toISOString()}, or raise ${setting}`;
  return problemOfUse(`${period} (UTC)`, limits, used, () => advice);
}
