import { z } from 'zod';

/** Of one answer. */
const mostToolCalls = 64;

/** `tool_calls` of an answer. Some servers give the arguments as an object, and no id. */
export const toolCallsSchema = z
  .array(
    z.object({
      id: z.string().max(200).nullish(),
      function: z.object({
        name: z.string().min(1).max(200),
        arguments: z.union([z.string().max(200_000), z.record(z.string(), z.unknown())]).nullish(),
      }),
    }),
  )
  .max(mostToolCalls)
  .transform((calls) =>
    calls.map(({ id, function: { name, arguments: given } }, index) => ({
      id: id || `call_${index + 1}`,
      type: 'function' as const,
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) },
    })),
  );

/** What a model asks for: a function with its arguments, JSON. */
export type ToolCall = z.output<typeof toolCallsSchema>[number];

/** What a conversation has beside its lines: the model's tool calls, and the result of each. */
export type ToolMessage =
  | {
      readonly role: 'assistant';
      /** What it said with them; null: nothing. */
      readonly content: string | null;
      readonly tool_calls: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };
