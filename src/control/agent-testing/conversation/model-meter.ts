import type { ModelPrices } from '../../../config/model-settings.js';
import type { ChatUsage } from '../../models/chat-usage.js';
import { costOf } from '../../models/token-count.js';

/** Of a run so far, as its row has it. */
export interface MeterReading {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Null: not known, or no request was made. */
  readonly cost: number | null;
  /** False: requests were made that are not counted here. */
  readonly isComplete: boolean;
}

/** Counts the requests, tokens and cost of one run. */
export class ModelMeter {
  requests = 0;
  promptTokens = 0;
  completionTokens = 0;
  private total = 0;
  private isComplete = true;

  constructor(
    /** ISO 4217; the default is for those whose cost is not asked for. */
    readonly currency = 'USD',
  ) {}

  /** Continues where an interrupted attempt stopped. */
  resume({ requests, promptTokens, completionTokens, cost, isComplete }: MeterReading): void {
    this.requests += requests;
    this.promptTokens += promptTokens;
    this.completionTokens += completionTokens;
    this.total += cost ?? 0;
    if (!isComplete || (cost === null && requests > 0)) this.isComplete = false;
  }

  /** @param price undefined: not known */
  add(usage: ChatUsage, price: ModelPrices | undefined): void {
    const { promptTokens, completionTokens } = usage;
    this.requests++;
    this.promptTokens += promptTokens ?? 0;
    this.completionTokens += completionTokens ?? 0;
    // Neither a price nor a count that is missing is nothing.
    if (promptTokens === undefined || completionTokens === undefined || price?.currency !== this.currency)
      this.isComplete = false;
    else this.total += costOf(price, promptTokens, completionTokens);
  }

  /** A request was made, and what it took is lost. */
  addUnknown(): void {
    this.requests++;
    this.isComplete = false;
  }

  /** In `currency`; null: what a request cost is not known. */
  get cost(): number | null {
    return this.isComplete ? this.total : null;
  }
}
