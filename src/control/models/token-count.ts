import type { ModelPrices } from '../../config/model-settings.js';
import type { ChatRequest } from './chat-model.js';
import type { ChatUsage } from './chat-usage.js';

/** About as many as languages in Latin script need for a token. */
const charactersPerToken = 4;

/** What one request took. */
export interface Spent {
  readonly tokens: number;
  /** In the currency of the price; null: the model has none. */
  readonly cost: number | null;
}

/** Tokens as counted by the endpoint, by the length of the texts where it does not count; and their cost. */
export function spentOn(
  { messages }: Pick<ChatRequest, 'messages'>,
  usage: ChatUsage | undefined,
  answer: string,
  price: ModelPrices | undefined,
): Spent {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0);
  const prompt = usage?.promptTokens ?? Math.ceil(asked / charactersPerToken);
  const completion = usage?.completionTokens ?? Math.ceil(answer.length / charactersPerToken);
  return {
    tokens: prompt + completion,
    cost: price === undefined ? null : costOf(price, prompt, completion),
  };
}

export const costOf = (price: ModelPrices, promptTokens: number, completionTokens: number): number =>
  (promptTokens * price.prompt + completionTokens * price.completion) / 1_000_000;
