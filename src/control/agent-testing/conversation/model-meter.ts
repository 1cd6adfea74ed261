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
  add({ promptTokens = 0, completionTokens = 0 }: ChatUsage, prices?: ModelPrices): void {
    this.requests++;
    this.promptTokens += promptTokens;
    this.completionTokens += completionTokens;
    if (prices === undefined) {
      if (promptTokens + completionTokens > 0) this.isComplete = false;
      return;
    }
    const cost = (promptTokens * prices.prompt + completionTokens * prices.completion) / 1_000_000;
    this.cost = (this.cost ?? 0) + cost;
  }

  /** US dollars; null: unknown, because a model that took part has no price. */
  get costInDollars(): number | null {
    return this.isComplete ? this.cost : null;
  }
}
