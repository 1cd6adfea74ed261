import { type Kysely, sql } from 'kysely';
import type { ModelPrices } from '../../../config/model-settings.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import './tables.js';

/** A model by its name. */
export interface PricedModel {
  readonly model: string;
  /** Per million tokens. */
  readonly prompt: number;
  readonly completion: number;
}

export interface OwnPrices {
  readonly currency: string;
  readonly models: readonly PricedModel[];
}

/** What models cost an organization: by its own prices, else by the operator's. All are in one currency, so that costs can be added up. */
export class PriceList {
  constructor(
    private readonly database: Kysely<Database>,
    /** Of the operator's prices, and of organizations that choose none. */
    private readonly currency: string,
  ) {}

  /** Undefined: unknown in the organization's currency. @param configured the operator's price */
  async priceOf(
    organizationId: string,
    model: string,
    configured?: ModelPrices,
  ): Promise<ModelPrices | undefined> {
    const { rows } = await sql<{ currency: string; prompt: number | null; completion: number | null }>`
      select coalesce(
          (select currency from agent_test_budgets where organization_id = ${organizationId}), ${this.currency}
        ) as currency, price.prompt, price.completion
      from (select 1) as always
      left join agent_test_model_prices as price
        on price.organization_id = ${organizationId} and price.model = ${model}`.execute(this.database);
    const { currency, prompt, completion } = rows[0]!;
    if (prompt !== null && completion !== null) return { prompt, completion, currency };
    return configured?.currency === currency ? configured : undefined;
  }

  async read(organizationId: string): Promise<OwnPrices> {
    const own = await this.database
      .selectFrom('agent_test_budgets')
      .select('currency')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    const models = await this.database
      .selectFrom('agent_test_model_prices')
      .select(['model', 'prompt', 'completion'])
      .where('organization_id', '=', organizationId)
      .orderBy('model')
      .execute();
    return { currency: own?.currency ?? this.currency, models };
  }

  /** Throws `InvalidRequest` when limits in money would get another meaning. */
  async replace(organizationId: string, { currency, models }: OwnPrices): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await lockForOrganization(transaction, 'model prices', organizationId);
      const { rows } = await sql<{ currency: string | null; has_limits: boolean }>`
        select own.currency, coalesce(least(own.cost_per_day, own.cost_per_month, own.cost_per_run, own.cost_per_set,
            own.cost_per_gate) is not null, false) or exists (
            select from agent_test_schedules as schedule
            where schedule.organization_id = ${organizationId} and schedule.budget_cost is not null
          ) as has_limits
        from (select 1) as always
        left join agent_test_budgets as own on own.organization_id = ${organizationId}`.execute(transaction);
      const { currency: present, has_limits: hasLimits } = rows[0]!;
      const former = present ?? this.currency;
      if (hasLimits && former !== currency)
        throw InvalidRequest.at(
          'currency',
          `Budgets of tests are set in ${former}. Remove the limits in money of the budget and of recurring tests first.`,
        );
      await transaction
        .insertInto('agent_test_budgets')
        .values({ organization_id: organizationId, currency })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ currency }))
        .execute();
      await transaction
        .deleteFrom('agent_test_model_prices')
        .where('organization_id', '=', organizationId)
        .execute();
      if (models.length === 0) return;
      await transaction
        .insertInto('agent_test_model_prices')
        .values(models.map((price) => ({ organization_id: organizationId, ...price })))
        .execute();
    });
  }
}
