import { ModelFailure } from '../../models/model-failure.js';
import type { TurnDetail } from '../schemas/run.js';
import type { ChatLine } from '../schemas/scenario.js';
import {
  AgentFailure,
  type AgentProgress,
  type AgentTurn,
  type Conversation,
  maximumLineCharacters,
} from './channel.js';
import type { Caller } from './tester.js';

export type EndReason = 'agent_ended' | 'caller_ended' | 'max_turns' | 'replay_ended';

/** A conversation so far. */
export interface ConversationState {
  readonly chat: readonly ChatLine[];
  readonly details: readonly TurnDetail[];
  /** Turns of the caller. */
  readonly turns: number;
  readonly progress: AgentProgress;
}

export interface Holding {
  readonly conversation: Conversation;
  readonly caller: Caller;
  readonly isCallerFirst: boolean;
  readonly maximumTurns: number;
  /** Called after each turn. If it rejects, the conversation ends with its reason. */
  readonly changed: (state: ConversationState) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Lets caller and agent speak in turns until one ends the conversation, or the caller has had its turns. Rejects with `AgentFailure` for a model that speaks for the agent. */
export async function holdConversation({
  conversation,
  caller,
  isCallerFirst,
  maximumTurns,
  changed,
  signal,
}: Holding): Promise<{ readonly state: ConversationState; readonly reason: EndReason }> {
  const chat: ChatLine[] = [];
  const details: TurnDetail[] = [];
  let turns = 0;
  const state = (): ConversationState => ({ chat, details, turns, progress: conversation.progress(chat) });
  const add = (role: ChatLine['role'], content: string, turn?: AgentTurn): void => {
    details.push({
      turn: chat.length,
      node_id: turn?.nodeId ?? null,
      latency_ms: turn?.latencyMilliseconds == null ? null : Math.round(turn.latencyMilliseconds),
      extracted: [...(turn?.extracted ?? [])],
    });
    chat.push({ role, content: content.slice(0, maximumLineCharacters) });
  };
  const addTurn = (turn: AgentTurn | undefined): boolean => {
    if (turn === undefined) return false;
    if (turn.text !== '') add('assistant', turn.text, turn);
    return turn.hasEnded;
  };
  const ended = async (reason: EndReason) => {
    await changed(state());
    return { state: state(), reason };
  };

  if (!isCallerFirst && addTurn(await ofAgent(conversation.greet(signal)))) return ended('agent_ended');
  await changed(state());
  while (turns < maximumTurns) {
    const line = await caller.next(chat, signal);
    if (line === undefined) return ended('replay_ended');
    if (line.text !== '') {
      turns++;
      add('user', line.text);
    }
    if (line.hangsUp) {
      if (line.text !== '') await ofAgent(conversation.hear?.(line.text, signal));
      return ended('caller_ended');
    }
    const { step } = line;
    const reply =
      step === undefined || conversation.act === undefined
        ? conversation.say(line.text, signal)
        : conversation.act(step, line.text, signal);
    if (addTurn(await ofAgent(reply))) return ended('agent_ended');
    await changed(state());
  }
  return ended('max_turns');
}

async function ofAgent<Result>(turn: Promise<Result> | undefined): Promise<Result | undefined> {
  try {
    return await turn;
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    throw new AgentFailure(error.message, { cause: error });
  }
}
