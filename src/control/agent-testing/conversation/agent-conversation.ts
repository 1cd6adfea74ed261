import type { ModelPrices } from '../../../config/model-settings.js';
import type { ChatMessage, ChatModel } from '../../models/chat-model.js';
import { ModelNonsense } from '../../models/model-failure.js';
import type { ToolMessage } from '../../models/tool-call.js';
import { AgentTools } from './agent-tools.js';
import {
  AgentFailure,
  type AgentProgress,
  type AgentTurn,
  type Conversation,
  maximumLineCharacters,
  noProgress,
  type TestSubject,
} from './channel.js';

/** An agent that asks for tools without end would be answered without end. */
const mostToolRounds = 10;
/** Of tool calls and their results in one conversation, which each request sends again. */
const mostToolCharacters = 500_000;

/** A conversation with an agent at its own address, which gets all that was said with each turn, and the results of its tool calls. */
export class AgentConversation implements Conversation {
  private readonly messages: (ChatMessage | ToolMessage)[] = [];
  private readonly tools: AgentTools;
  private toolCharacters = 0;
  private callerTurns = 0;
  /** Of both sides. */
  private lines = 0;

  constructor(
    private readonly model: ChatModel,
    private readonly subject: TestSubject,
    /** The organization's price of the agent's model. */
    private readonly priceOf: () => Promise<ModelPrices | undefined> = async () => undefined,
  ) {
    const { definition, requestData } = subject;
    this.tools = new AgentTools(definition.webhook_mocks);
    if (Object.keys(requestData).length > 0)
      this.messages.push({
        role: 'system',
        content: `Variables of the call: ${JSON.stringify(requestData)}`,
      });
  }

  async greet(signal: AbortSignal): Promise<AgentTurn> {
    return this.ask(signal);
  }

  async say(text: string, signal: AbortSignal): Promise<AgentTurn> {
    this.messages.push({ role: 'user', content: text });
    this.callerTurns++;
    this.lines++;
    return this.ask(signal);
  }

  progress(): AgentProgress {
    return { ...noProgress, model: this.model.name, webhooks: this.tools.calls };
  }

  async end(): Promise<void> {}

  measurements(): null {
    return null;
  }

  /** What the agent says, before and after the tools that it asks for. */
  private async ask(signal: AbortSignal): Promise<AgentTurn> {
    const { organizationId, meter } = this.subject;
    const said: string[] = [];
    let latencyMilliseconds: number | undefined;
    const price = await this.priceOf();
    const started = performance.now();
    for (let round = 1; ; round++) {
      const request = { organizationId, messages: this.messages };
      const answer = await this.model.converse(request, signal).catch((error: unknown) => {
        if (error instanceof ModelNonsense && error.usage !== undefined) meter.add(error.usage, price);
        else meter.addUnknown();
        throw error;
      });
      const { toolCalls, isWaiting } = answer;
      meter.add(answer.usage, price);
      const text = answer.content.trim().slice(0, maximumLineCharacters);
      if (text !== '') {
        said.push(text);
        latencyMilliseconds ??= performance.now() - started;
      }
      const place = { line: this.lines, turn: this.callerTurns };
      if (!isWaiting) {
        for (const call of toolCalls) this.tools.report(call, place);
        this.messages.push({ role: 'assistant', content: text });
        break;
      }
      if (round > mostToolRounds)
        throw new AgentFailure(
          `The agent asked for tools ${mostToolRounds} times in a row without an answer to the caller.`,
        );
      this.add({ role: 'assistant', content: text === '' ? null : text, tool_calls: toolCalls });
      for (const call of toolCalls)
        this.add({ role: 'tool', tool_call_id: call.id, content: this.tools.answer(call, place) });
    }
    if (said.length > 0) this.lines++;
    return {
      text: said.join(' '),
      hasEnded: false,
      latencyMilliseconds: latencyMilliseconds ?? performance.now() - started,
      nodeId: null,
      extracted: [],
    };
  }

  private add(message: ToolMessage): void {
    this.toolCharacters += JSON.stringify(message).length;
    if (this.toolCharacters > mostToolCharacters)
      throw new AgentFailure(
        `The tool calls of the agent and their results exceed ${mostToolCharacters} characters.`,
      );
    this.messages.push(message);
  }
}
