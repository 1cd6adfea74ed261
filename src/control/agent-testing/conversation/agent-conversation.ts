import type { ChatMessage, ChatModel } from '../../models/chat-model.js';
import {
  type AgentProgress,
  type AgentTurn,
  type Conversation,
  maximumLineCharacters,
  noProgress,
  type TestSubject,
} from './channel.js';
import { MeteredModel } from './metered-model.js';

/** A conversation with an agent at its own address, which gets all that was said with each turn. */
export class AgentConversation implements Conversation {
  private readonly messages: ChatMessage[] = [];
  private readonly model: MeteredModel;

  constructor(model: ChatModel, { organizationId, meter, requestData }: TestSubject) {
    this.model = new MeteredModel(model, organizationId, meter);
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
    return this.ask(signal);
  }

  progress(): AgentProgress {
    return { ...noProgress, model: this.model.name };
  }

  async end(): Promise<void> {}

  measurements(): null {
    return null;
  }

  private async ask(signal: AbortSignal): Promise<AgentTurn> {
    const started = performance.now();
    const said = await this.model.say({ messages: this.messages }, signal);
    const text = said.trim().slice(0, maximumLineCharacters);
    this.messages.push({ role: 'assistant', content: text });
    return {
      text,
      hasEnded: false,
      latencyMilliseconds: performance.now() - started,
      nodeId: null,
      extracted: [],
    };
  }
}
