import type { ChatRequest } from './chat-model.js';
import type { ChatUsage } from './chat-usage.js';

/** About as many as languages in Latin script need for a token. */
const charactersPerToken = 4;

/** As counted by the endpoint; by the length of the texts where it does not count. */
export function tokensOf(
  { messages }: Pick<ChatRequest, 'messages'>,
  usage: ChatUsage | undefined,
  answer: string,
): number {
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0);
  return (
    (usage?.promptTokens ?? Math.ceil(asked / charactersPerToken)) +
    (usage?.completionTokens ?? Math.ceil(answer.length / charactersPerToken))
  );
}
