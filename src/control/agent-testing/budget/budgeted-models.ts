import type { z } from 'zod';
import type { Chat, ChatAnswer, ChatRequest } from '../../models/chat-model.js';
import { ModelNonsense } from '../../models/model-failure.js';
import type { Models } from '../../models/models.js';
import { tokensOf } from '../../models/token-count.js';
import type { TokenBudget } from './token-budget.js';

type Budget = Pick<TokenBudget, 'admit' | 'spend'>;

/** A model whose requests count against the token budget of their organization, and are refused once that is used up. */
class BudgetedModel implements Chat {
  constructor(
    private readonly model: Chat,
    private readonly budget: Budget,
  ) {}

  get name() {
    return this.model.name;
  }

  get prices() {
    return this.model.prices;
  }

  /** Rejects as the model does, and with `DemarcError` `TOKEN_BUDGET_USED`. */
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
    const { organizationId } = request;
    await this.budget.admit(organizationId);
    try {
      const answer = await ask();
      await this.budget.spend(
        organizationId,
        tokensOf(request, answer.usage, JSON.stringify(answer.content)),
      );
      return answer;
    } catch (error) {
      // An unusable answer costs as much as any other.
      if (error instanceof ModelNonsense)
        await this.budget.spend(organizationId, tokensOf(request, error.usage, ''));
      throw error;
    }
  }
}

/** The models of agent tests; those of agents at their own address are their owner's, and count nowhere. */
export function budgetedModels(models: Models, budget: Budget): Models {
  const { chat, judge } = models;
  return {
    ...models,
    chat: chat && new BudgetedModel(chat, budget),
    judge: judge && new BudgetedModel(judge, budget),
  };
}
