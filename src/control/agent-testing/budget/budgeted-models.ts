import type { z } from 'zod';
import type { ModelPrices } from '../../../config/model-settings.js';
import type { Chat, ChatAnswer, ChatRequest, Priced } from '../../models/chat-model.js';
import { ModelNonsense } from '../../models/model-failure.js';
import type { Models } from '../../models/models.js';
import { spentOn } from '../../models/token-count.js';
import type { PriceList } from './price-list.js';
import type { TestBudget } from './test-budget.js';

type Budget = Pick<TestBudget, 'admit' | 'spend'>;
type Prices = Pick<PriceList, 'priceOf'>;

/** A model whose requests count against the budget of their organization, and are refused once that is used up. */
class BudgetedModel implements Chat {
  constructor(
    private readonly model: Chat,
    private readonly budget: Budget,
    private readonly prices: Prices,
  ) {}

  get name() {
    return this.model.name;
  }

  /** The organization's own, else the operator's. */
  async priceOf(request: Priced): Promise<ModelPrices | undefined> {
    const { organizationId, model = this.name } = request;
    return this.prices.priceOf(organizationId, model, await this.model.priceOf(request));
  }

  /** Rejects as the model does, and with `DemarcError` `TOKEN_BUDGET_USED`, `COST_BUDGET_USED` or `MODEL_PRICE_UNKNOWN`. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
    return this.counted(request, () => this.model.complete(request, signal));
  }

  completeAs<Schema extends z.ZodType>(
    request: ChatRequest,
    name: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<ChatAnswer<z.output<Schema>>> {
    return this.counted(request, () => this.model.completeAs(request, name, schema, signal));
  }

  private async counted<Content>(
    request: ChatRequest,
    ask: () => Promise<ChatAnswer<Content>>,
  ): Promise<ChatAnswer<Content>> {
    const { organizationId, model = this.name } = request;
    const price = await this.priceOf(request);
    await this.budget.admit(organizationId, { model, price });
    const spend = (usage: ChatAnswer['usage'] | undefined, answer: string): Promise<void> =>
      this.budget.spend(organizationId, spentOn(request, usage, answer, price), price?.currency);
    const answer = await ask().catch(async (error: unknown) => {
      // An unusable answer costs as much as any other.
      if (error instanceof ModelNonsense) await spend(error.usage, '');
      throw error;
    });
    const { content, usage } = answer;
    await spend(usage, typeof content === 'string' ? content : JSON.stringify(content));
    return answer;
  }
}

/** The models of agent tests; those of agents at their own address are their owner's, and count in no budget. */
export function budgetedModels(models: Models, budget: Budget, prices: Prices): Models {
  const { chat, judge } = models;
  return {
    ...models,
    chat: chat && new BudgetedModel(chat, budget, prices),
    judge: judge && new BudgetedModel(judge, budget, prices),
  };
}
