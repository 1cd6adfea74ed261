import type { ToolCall } from '../../models/tool-call.js';
import type { TriggeredWebhook } from '../schemas/run.js';
import type { WebhookMock } from '../schemas/scenario.js';
import { textOf } from './evidence.js';
import { KeptCalls } from './kept-calls.js';
import { shortArguments } from './webhook-arguments.js';
import { mockFor } from './webhook-mock.js';

/** When a tool is called. */
interface Place {
  /** Position of the next line of the conversation, from 0. */
  readonly line: number;
  /** Turns of the caller so far. */
  readonly turn: number;
}

const notAnswered = 'The scenario has no answer for this tool (webhook_mocks)';
const unreadable = 'The arguments are not a JSON object';

/** Tools of an agent at its own address: the scenario answers what it asks for. */
export class AgentTools {
  private readonly kept = new KeptCalls();

  constructor(private readonly mocks: readonly WebhookMock[]) {}

  get calls(): readonly TriggeredWebhook[] {
    return this.kept.all;
  }

  /** Records a call whose result the agent does not wait for. */
  report(call: ToolCall, place: Place): void {
    this.keep(call, place, argumentsOf(call) === undefined ? { error: unreadable } : {});
  }

  /** @returns the result for the agent: what the scenario answers, else an error, as of a tool that is down */
  answer(call: ToolCall, place: Place): string {
    const { name } = call.function;
    if (argumentsOf(call) === undefined) {
      this.keep(call, place, { status: 400, error: unreadable });
      return JSON.stringify({ error: unreadable });
    }
    const mock = mockFor(this.mocks, { nodeId: name, call: this.kept.next(name), turn: place.turn });
    if (mock === undefined) {
      this.keep(call, place, { error: notAnswered });
      return JSON.stringify({ error: 'The tool is unavailable' });
    }
    this.keep(call, place, { status: mock.status, is_mocked: true });
    return textOf(mock.body ?? { status: mock.status });
  }

  private keep(
    call: ToolCall,
    { line }: Place,
    { status = null, error = null, is_mocked = false }: Partial<TriggeredWebhook>,
  ): void {
    this.kept.add({
      node_id: call.function.name,
      url: '',
      arguments: shortArguments(argumentsOf(call) ?? {}),
      status,
      is_mocked,
      error,
      duration_ms: 0,
      turn: line,
    });
  }
}

/** Undefined: no JSON object. Some models send an empty text where a tool takes none. */
function argumentsOf({ function: { arguments: text } }: ToolCall): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
