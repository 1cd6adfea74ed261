import { type Kysely, sql } from 'kysely';
import type { TokenLimits } from '../../../config/agent-test-settings.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import './tables.js';

/** Set by the organization for its runs; null: none. */
export interface RunLimits {
  readonly perRun: number | null;
  /** Of the runs of a batch or simulation set together. */
  readonly perSet: number | null;
  /** Of the runs of a promotion together. */
  readonly perGate: number | null;
}

/** Tokens of an organization, counted by day and month in UTC. */
export interface BudgetState {
  readonly usedToday: number;
  readonly usedThisMonth: number;
  /** What the organization set. */
  readonly own: TokenLimits;
  /** The lower of its limits and the operator's; null: no limit. */
  readonly limits: TokenLimits;
  /** Of single runs, and of those that are started together. */
  readonly runs: RunLimits;
  /** When the present day and month end. */
  readonly dayEnds: Date;
  readonly monthEnds: Date;
}

/** Bounds what the models of agent tests cost an organization: counted with each request, checked before it. */
export class TokenBudget {
  constructor(
    private readonly database: Kysely<Database>,
    /** Of every organization, set by the operator. */
    readonly maximum: TokenLimits,
  ) {}

  async read(organizationId: string): Promise<BudgetState> {
    const { rows } = await sql<{
      used_today: number;
      used_this_month: number;
      tokens_per_day: number | null;
      tokens_per_month: number | null;
      tokens_per_run: number | null;
      tokens_per_set: number | null;
      tokens_per_gate: number | null;
      today: Date;
    }>`
      with present as (select (now() at time zone 'utc')::date as day)
      select coalesce(sum(tokens) filter (where used.day = present.day), 0)::float8 as used_today,
        coalesce(sum(tokens), 0)::float8 as used_this_month,
        max(own.tokens_per_day)::float8 as tokens_per_day, max(own.tokens_per_month)::float8 as tokens_per_month,
        max(own.tokens_per_run)::float8 as tokens_per_run, max(own.tokens_per_set)::float8 as tokens_per_set,
        max(own.tokens_per_gate)::float8 as tokens_per_gate,
        present.day::timestamp at time zone 'utc' as today
      from present
      left join agent_test_budgets as own on own.organization_id = ${organizationId}
      left join agent_test_token_days as used on used.organization_id = ${organizationId}
        and used.day >= date_trunc('month', present.day)
      group by present.day`.execute(this.database);
    const row = rows[0]!;
    const own = { perDay: row.tokens_per_day, perMonth: row.tokens_per_month };
    return {
      usedToday: row.used_today,
      usedThisMonth: row.used_this_month,
      own,
      limits: {
        perDay: lowest(own.perDay, this.maximum.perDay),
        perMonth: lowest(own.perMonth, this.maximum.perMonth),
      },
      runs: { perRun: row.tokens_per_run, perSet: row.tokens_per_set, perGate: row.tokens_per_gate },
      dayEnds: new Date(row.today.getTime() + 86_400_000),
      monthEnds: new Date(Date.UTC(row.today.getUTCFullYear(), row.today.getUTCMonth() + 1, 1)),
    };
  }

  /** Throws `DemarcError` `TOKEN_BUDGET_USED` when a limit is reached. */
  async admit(organizationId: string): Promise<void> {
    const problem = problemOf(await this.read(organizationId));
    if (problem !== null) throw new DemarcError('TOKEN_BUDGET_USED', problem);
  }

  async spend(organizationId: string, tokens: number): Promise<void> {
    await sql`insert into agent_test_token_days (organization_id, day, tokens)
      values (${organizationId}, (now() at time zone 'utc')::date, ${Math.round(tokens)})
      on conflict (organization_id, day) do update set tokens = agent_test_token_days.tokens + excluded.tokens`.execute(
      this.database,
    );
  }

  /** Replaces the organization's own limits. */
  async limit(organizationId: string, { perDay, perMonth, ...runs }: TokenLimits & RunLimits): Promise<void> {
    const limits = {
      tokens_per_day: perDay,
      tokens_per_month: perMonth,
      tokens_per_run: runs.perRun,
      tokens_per_set: runs.perSet,
      tokens_per_gate: runs.perGate,
    };
    await this.database
      .insertInto('agent_test_budgets')
      .values({ organization_id: organizationId, ...limits })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(limits))
      .execute();
  }
}

/** What an organization set for its runs. */
export async function readRunLimits(database: Kysely<Database>, organizationId: string): Promise<RunLimits> {
  const own = await database
    .selectFrom('agent_test_budgets')
    .select(['tokens_per_run', 'tokens_per_set', 'tokens_per_gate'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const limit = (value: number | string | null | undefined) => (value == null ? null : Number(value));
  return {
    perRun: limit(own?.tokens_per_run),
    perSet: limit(own?.tokens_per_set),
    perGate: limit(own?.tokens_per_gate),
  };
}

/** Null: no limit. */
export const lowest = (left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : Math.min(left, right);

/** Why no more requests are made; null: there are tokens left. */
export function problemOf({
  limits,
  usedToday,
  usedThisMonth,
  dayEnds,
  monthEnds,
}: BudgetState): string | null {
  const used = (tokens: number, limit: number, period: string, end: Date): string =>
    `${tokens.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} tokens of this ${period} (UTC) are used. Wait until ${end.toISOString()}, or raise the limit (PUT /v1/agent-testing/budget)`;
  if (limits.perMonth !== null && usedThisMonth >= limits.perMonth)
    return used(usedThisMonth, limits.perMonth, 'month', monthEnds);
  if (limits.perDay !== null && usedToday >= limits.perDay)
    return used(usedToday, limits.perDay, 'day', dayEnds);
  return null;
}
