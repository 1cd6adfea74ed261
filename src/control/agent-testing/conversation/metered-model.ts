import type { z } from 'zod';
import type { Chat, ChatRequest } from '../../models/chat-model.js';
import { ModelNonsense } from '../../models/model-failure.js';
import { tokensOf } from '../../models/token-count.js';
import type { ModelMeter } from './model-meter.js';
import type { RunBudget } from './run-budget.js';

/** Each answer of a model that is not what was asked for is asked for once more. */
const attempts = 2;

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

  /** Rejects with a `ModelFailure`, with `DemarcError` `TOKEN_BUDGET_USED`, and with the signal's reason when it fires. */
  async say(request: Omit<ChatRequest, 'organizationId'>, signal: AbortSignal): Promise<string> {
    const { organizationId } = this;
    await this.budget?.admit();
    const { content, usage } = await this.model.complete({ ...request, organizationId }, signal);
    this.meter.add(usage, this.model.prices);
    await this.budget?.spend(tokensOf(request, usage, content));
    return content;
  }

  /** An answer that matches the schema. Rejects as `say`, and with `ModelNonsense` after a second unusable answer. */
  async answer<Schema extends z.ZodType>(
    request: Omit<ChatRequest, 'organizationId'>,
    name: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const { organizationId } = this;
    for (let attempt = 1; ; attempt++) {
      try {
        const asked = { ...request, organizationId };
        await this.budget?.admit();
        const { content, usage } = await this.model.completeAs(asked, name, schema, signal);
        this.meter.add(usage, this.model.prices);
        await this.budget?.spend(tokensOf(request, usage, JSON.stringify(content)));
        return content;
      } catch (error) {
        if (!(error instanceof ModelNonsense)) throw error;
        this.meter.add(
          error.usage ?? { promptTokens: undefined, completionTokens: undefined },
          this.model.prices,
        );
        await this.budget?.spend(tokensOf(request, error.usage, ''));
        if (attempt === attempts) throw error;
      }
    }
  }
}
