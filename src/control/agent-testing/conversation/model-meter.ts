import type { ChatUsage } from '../../models/chat-usage.js';

/** Prices in US dollars per million tokens. */
export interface ModelPrices {
  readonly prompt: number;
  readonly completion: number;
}

/** Counts the requests and tokens of one run. */
export class ModelMeter {
  requests = 0;
  promptTokens = 0;
  completionTokens = 0;
  private cost: number | null = null;
  private isComplete = true;

  /** @param prices undefined: the model has none */
  add(usage: ChatUsage, prices?: ModelPrices): void {
    const { promptTokens = 0, completionTokens = 0 } = usage;
    this.requests++;
    this.promptTokens += promptTokens;
    this.completionTokens += completionTokens;
    // Neither a price nor a count that is missing is nothing.
    if (usage.promptTokens === undefined || usage.completionTokens === undefined) this.isComplete = false;
    if (prices === undefined) {
      if (promptTokens + completionTokens > 0) this.isComplete = false;
      return;
    }
    const cost = (promptTokens * prices.prompt + completionTokens * prices.completion) / 1_000_000;
    this.cost = (this.cost ?? 0) + cost;
  }

  /** US dollars; null: unknown, because a model that took part has no price, or did not say how many tokens it took. */
  get costInDollars(): number | null {
    return this.isComplete ? this.cost : null;
  }
}
