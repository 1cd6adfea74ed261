import { z } from 'zod';
import type { AgentProgress } from '../conversation/channel.js';
import { withoutSecrets } from '../conversation/webhook-arguments.js';
import type { TriggeredWebhook } from '../schemas/run.js';
import type { ChatLine } from '../schemas/scenario.js';

/** `tool_call.1` and so on, in the order of the calls. */
const toolCallName = /^tool_call\.([1-9]\d{0,3})$/;

const toolCallSchema = z.object({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).optional(),
  status: z.int().min(100).max(599).optional(),
  error: z.string().optional(),
  duration_ms: z.number().min(0).optional(),
  turn: z.int().min(0).optional(),
});

/**
 * What an agent that was called reported of itself in the metadata of its call: tool calls in values `tool_call.N`, and variables in all
 * others. What is no tool call stays a variable.
 * @param chat what was said in it
 */
export function reportedBy(
  metadata: Readonly<Record<string, string>>,
  chat: readonly ChatLine[],
): Pick<AgentProgress, 'variables' | 'webhooks'> {
  const variables: Record<string, string> = {};
  const calls: { readonly at: number; readonly call: TriggeredWebhook }[] = [];
  for (const [name, value] of Object.entries(metadata)) {
    const at = Number(toolCallName.exec(name)?.[1]);
    const call = Number.isNaN(at) ? undefined : toolCallOf(value, chat);
    if (call === undefined) variables[name] = value;
    else calls.push({ at, call });
  }
  return {
    variables,
    webhooks: calls.sort((left, right) => left.at - right.at).map(({ call }) => call),
  };
}

function toolCallOf(text: string, chat: readonly ChatLine[]): TriggeredWebhook | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = toolCallSchema.safeParse(value);
  if (!read.success) return undefined;
  const { name, arguments: given, status = null, error = null, duration_ms: duration = 0, turn } = read.data;
  return {
    node_id: name,
    url: '',
    arguments: given === undefined ? null : (withoutSecrets(given) as Record<string, unknown>),
    status,
    is_mocked: false,
    error,
    duration_ms: Math.round(duration),
    turn: turn === undefined ? null : lineAfter(turn, chat),
  };
}

/** Position of the line after so many turns of the caller. */
function lineAfter(turns: number, chat: readonly ChatLine[]): number {
  if (turns === 0) return 0;
  const callers = chat.flatMap(({ role }, line) => (role === 'user' ? [line] : []));
  return (callers[turns - 1] ?? chat.length - 1) + 1;
}
