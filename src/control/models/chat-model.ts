import { z } from 'zod';
import { FairSemaphore } from '../../base/fair-semaphore.js';
import type { ModelPrices } from '../../config/model-settings.js';
import type { ChatUsage } from './chat-usage.js';
import type { EndpointClient } from './endpoint-client.js';
import { ModelUnavailable } from './model-failure.js';
import { type ToolCall, type ToolMessage, toolCallsSchema } from './tool-call.js';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Organizations take turns when more requests wait than the endpoint is sent at once. */
  readonly organizationId: string;
  /** Default: the configured one. */
  readonly model?: string | undefined;
  /** 0 to 2; default: the endpoint's. */
  readonly temperature?: number | undefined;
  /** Default: the endpoint's. */
  readonly maximumTokens?: number | undefined;
}

export interface ChatAnswer<Content = string> {
  readonly content: Content;
  readonly usage: ChatUsage;
}

/** An answer of a model that may have tools. */
export interface ToolAnswer extends ChatAnswer {
  readonly toolCalls: readonly ToolCall[];
  /** The model continues once it has the results of its tool calls; else it only reports them. */
  readonly isWaiting: boolean;
}

/** A conversation in which the model may have asked for tools. */
export type ToolRequest = Omit<ChatRequest, 'messages'> & {
  readonly messages: readonly (ChatMessage | ToolMessage)[];
};

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.unknown().optional(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.int().optional(), completion_tokens: z.int().optional() }).nullish(),
});

interface Completion {
  readonly content: string;
  readonly toolCalls: unknown;
  readonly finishReason: string | null | undefined;
  readonly usage: ChatUsage;
}

/** Some models wrap JSON in a code block although they are asked not to, and some write blanks until they are stopped. */
function withoutFence(content: string): string {
  const text = content.trim();
  const begun = text.startsWith('```') ? text.slice(3).replace(/^json/, '') : text;
  return begun.endsWith('```') ? begun.slice(0, -3) : begun;
}

const maximumAnswerOctets = 4 * 1024 * 1024;

/** What can be asked as a chat model is. */
export type Chat = Pick<ChatModel, 'name' | 'priceOf' | 'complete' | 'completeAs'>;

/** Whose price a request has. */
export type Priced = Pick<ChatRequest, 'organizationId' | 'model'>;

/** Chat completions of an OpenAI-compatible endpoint. */
export class ChatModel {
  private readonly turns: FairSemaphore;

  constructor(
    private readonly client: EndpointClient,
    private readonly limits: {
      readonly concurrency: number;
      readonly timeoutMilliseconds: number;
      readonly prices?: ModelPrices | undefined;
    },
  ) {
    this.turns = new FairSemaphore(limits.concurrency);
  }

  get name(): string {
    return this.client.model;
  }

  /** The price that the settings have for the configured model; undefined: none, or the request names another model. */
  async priceOf({ model = this.name }: Priced): Promise<ModelPrices | undefined> {
    return model === this.name ? this.limits.prices : undefined;
  }

  /** Rejects with a `ModelFailure`; with the signal's reason when it fires. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
    return this.inTurn(request, async () => this.spoken(await this.ask(request, {}, signal)));
  }

  /** As `complete`, for a model that may answer with tool calls; beside those the content may be empty. */
  converse(request: ToolRequest, signal: AbortSignal): Promise<ToolAnswer> {
    return this.inTurn(request, async () => {
      const completion = await this.ask(request, {}, signal);
      const { content, usage, finishReason } = completion;
      const read = toolCallsSchema.safeParse(completion.toolCalls ?? []);
      if (!read.success) {
        const [issue] = read.error.issues;
        throw this.client.nonsense(`tool_calls.${issue?.path.join('.')}: ${issue?.message}`, { usage });
      }
      const toolCalls = read.data;
      if (toolCalls.length === 0)
        return { content: this.spoken(completion).content, usage, toolCalls, isWaiting: false };
      // Some servers ask for tools with another reason.
      return { content, usage, toolCalls, isWaiting: finishReason === 'tool_calls' || content.trim() === '' };
    });
  }

  /**
   * An answer that matches a schema, which the endpoint gets as JSON schema. Rejects like `complete`, and with `ModelNonsense`
   * when the answer is something else.
   * @param name of the schema: letters, digits, `_` and `-`
   */
  completeAs<Schema extends z.ZodType>(
    request: ChatRequest,
    name: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<ChatAnswer<z.output<Schema>>> {
    const format = {
      response_format: {
        type: 'json_schema',
        json_schema: { name, strict: true, schema: z.toJSONSchema(schema) },
      },
    };
    return this.inTurn(request, async () => {
      const { content, usage } = this.spoken(await this.ask(request, format, signal));
      let value: unknown;
      try {
        value = JSON.parse(withoutFence(content));
      } catch (error) {
        throw this.client.nonsense('it is not the JSON that was asked for', { usage, cause: error });
      }
      const read = schema.safeParse(value);
      if (read.success) return { content: read.data, usage };
      const [issue] = read.error.issues;
      throw this.client.nonsense(`${issue?.path.join('.') || 'the answer'}: ${issue?.message}`, { usage });
    });
  }

  /** An answer with words. */
  private spoken({ content, usage }: Completion): ChatAnswer {
    if (content === '') throw this.client.nonsense('it is empty', { usage });
    return { content, usage };
  }

  private async inTurn<Result>(
    { organizationId }: Pick<ChatRequest, 'organizationId'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!(await this.turns.enter(this.limits.timeoutMilliseconds, { group: organizationId }))) {
      throw new ModelUnavailable('Too many requests wait for the language model.', {
        remedy: 'Raise DEMARC_LLM_CONCURRENCY if the endpoint allows more requests at once.',
      });
    }
    try {
      return await work();
    } finally {
      this.turns.leave();
    }
  }

  private async ask(
    { messages, model = this.client.model, temperature, maximumTokens }: ToolRequest,
    format: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Completion> {
    const body = {
      model,
      messages,
      ...format,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maximumTokens === undefined ? {} : { max_tokens: maximumTokens }),
    };
    const read = await this.client.ask(
      { path: '/chat/completions', body, maximumAnswerOctets, signal },
      completionSchema,
    );
    const { message, finish_reason: end } = read.choices[0]!;
    const usage: ChatUsage = {
      promptTokens: read.usage?.prompt_tokens,
      completionTokens: read.usage?.completion_tokens,
    };
    if (typeof message.refusal === 'string') throw this.client.nonsense('it refused to answer', { usage });
    if (end === 'length') throw this.client.nonsense('it was cut off at the maximum length', { usage });
    return { content: message.content ?? '', toolCalls: message.tool_calls, finishReason: end, usage };
  }
}
