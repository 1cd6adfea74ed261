import type { z } from 'zod';
import type { Chat, ChatRequest } from '../../models/chat-model.js';
import { ModelNonsense } from '../../models/model-failure.js';
import type { ModelMeter } from './model-meter.js';

/** Each answer of a model that is not what was asked for is asked for once more. */
const attempts = 2;

/** A model as one run uses it: for its organization, and counted. */
export class MeteredModel {
  constructor(
    private readonly model: Chat,
    private readonly organizationId: string,
    private readonly meter: ModelMeter,
  ) {}

  get name(): string {
    return this.model.name;
  }

  /** Rejects with a `ModelFailure`; with the signal's reason when it fires. */
  async say(request: Omit<ChatRequest, 'organizationId'>, signal: AbortSignal): Promise<string> {
    const { organizationId } = this;
    const { content, usage } = await this.model.complete({ ...request, organizationId }, signal);
    this.meter.add(usage, this.model.prices);
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
        const { content, usage } = await this.model.completeAs(asked, name, schema, signal);
        this.meter.add(usage, this.model.prices);
        return content;
      } catch (error) {
        if (!(error instanceof ModelNonsense)) throw error;
        this.meter.add(
          error.usage ?? { promptTokens: undefined, completionTokens: undefined },
          this.model.prices,
        );
        if (attempt === attempts) throw error;
      }
    }
  }
}
