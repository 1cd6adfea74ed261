import type { z } from 'zod';
import type { ModelPrices } from '../../../config/model-settings.js';
import { DemarcError } from '../../../errors.js';
import type { Chat, ChatAnswer, ChatRequest } from '../../models/chat-model.js';
import type { ChatUsage } from '../../models/chat-usage.js';
import { ModelNonsense } from '../../models/model-failure.js';
import { spentOn } from '../../models/token-count.js';
import type { ModelMeter } from './model-meter.js';
import type { RunBudget } from './run-budget.js';

/** Each answer of a model that is not what was asked for is asked for once more. */
const attempts = 2;

const uncounted: ChatUsage = { promptTokens: undefined, completionTokens: undefined };

/** A model as one run uses it: for its organization, and counted. */
export class MeteredModel {
  constructor(
    private readonly model: Chat,
    private readonly organizationId: string,
    private readonly meter: ModelMeter,
    /** Absent: what it takes is not the run's. */
    private readonly budget?: RunBudget,
  ) {}

  get name(): string {
    return this.model.name;
  }

  /**
   * Rejects with a `ModelFailure`, with `DemarcError` `TOKEN_BUDGET_USED`, `COST_BUDGET_USED` or `MODEL_PRICE_UNKNOWN`, and with the
   * signal's reason when it fires.
   */
  async say(request: Omit<ChatRequest, 'organizationId'>, signal: AbortSignal): Promise<string> {
    return this.counted(request, (asked) => this.model.complete(asked, signal));
  }

  /** An answer that matches the schema. Rejects as `say`, and with `ModelNonsense` after a second unusable answer. */
  async answer<Schema extends z.ZodType>(
    request: Omit<ChatRequest, 'organizationId'>,
    name: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.counted(request, (asked) => this.model.completeAs(asked, name, schema, signal));
      } catch (error) {
        if (!(error instanceof ModelNonsense) || attempt === attempts) throw error;
      }
    }
  }

  private async counted<Content>(
    request: Omit<ChatRequest, 'organizationId'>,
    ask: (asked: ChatRequest) => Promise<ChatAnswer<Content>>,
  ): Promise<Content> {
    const asked = { ...request, organizationId: this.organizationId };
    const price = await this.model.priceOf(asked);
    await this.budget?.admit({ model: asked.model ?? this.name, price });
    const answer = await ask(asked).catch(async (error: unknown) => {
      if (error instanceof ModelNonsense) await this.took(asked, error.usage, '', price);
      // The endpoint may have answered; a budget refuses before it is asked.
      else if (!(error instanceof DemarcError)) this.meter.addUnknown();
      throw error;
    });
    const { content, usage } = answer;
    await this.took(asked, usage, typeof content === 'string' ? content : JSON.stringify(content), price);
    return content;
  }

  private async took(
    asked: ChatRequest,
    usage: ChatUsage | undefined,
    answer: string,
    price: ModelPrices | undefined,
  ): Promise<void> {
    this.meter.add(usage ?? uncounted, price);
    await this.budget?.spend(spentOn(asked, usage, answer, price));
  }
}
