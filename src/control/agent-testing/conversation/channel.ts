import type { Definition } from '../schemas/definition.js';
import type { TriggeredWebhook } from '../schemas/run.js';
import type { ChatLine } from '../schemas/scenario.js';
import type { CallerStep, VoiceMeasurements } from '../schemas/voice.js';
import type { ModelMeter } from './model-meter.js';
import type { RunBudget } from './run-budget.js';

/** What a run converses with, and with what. */
export interface TestSubject {
  readonly organizationId: string;
  readonly runId: string;
  readonly definition: Definition;
  /** Version of the pathway or persona; null: an agent at its own address. */
  readonly versionNumber: number | null;
  /** Request data of the scenario with the override of the run. */
  readonly requestData: Readonly<Record<string, unknown>>;
  /** Counts what models are asked for. */
  readonly meter: ModelMeter;
  readonly budget: RunBudget;
  /** One of the callers of a load test, which are not recorded: they would take the space of other recordings. */
  readonly isLoad?: boolean;
}

/** Longer lines are cut: an agent that never ends must fill neither the table nor the requests of the turns that follow. */
export const maximumLineCharacters = 20_000;

/** What the agent said in answer to one turn of the caller. */
export interface AgentTurn {
  /** Empty: it said nothing. */
  readonly text: string;
  /** True: the agent ended the conversation with this turn. */
  readonly hasEnded: boolean;
  /** Milliseconds until the answer began; null: not measured. */
  readonly latencyMilliseconds: number | null;
  /** Node that spoke; null: no pathway. */
  readonly nodeId: string | null;
  /** Names of the variables extracted before it spoke. */
  readonly extracted: readonly string[];
}

/** Where an agent is in its pathway; an agent that is no pathway, or is called by telephone, has visited no nodes. */
export interface AgentProgress {
  readonly nodesVisited: readonly string[];
  readonly currentNodeId: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly webhooks: readonly TriggeredWebhook[];
  readonly nodeNames: Readonly<Record<string, string>>;
  /** Model that spoke for the agent; null: not known. */
  readonly model: string | null;
  /** Where the agent transferred the caller to; null: nowhere. Undefined: not known. */
  readonly transferredTo?: string | null | undefined;
}

/** Progress of an agent that is no pathway, or whose nodes are not known. */
export const noProgress: AgentProgress = {
  nodesVisited: [],
  currentNodeId: null,
  variables: {},
  webhooks: [],
  nodeNames: {},
  model: null,
};

/** One conversation with the agent under test; the run speaks for the caller. Its methods are called one after the other. */
export interface Conversation {
  /** What the agent says first; undefined: it waits for the caller. */
  greet(signal: AbortSignal): Promise<AgentTurn | undefined>;
  /** Says the caller's words and resolves with the agent's answer. Rejects with `RunFailure` or `ModelFailure`. */
  say(text: string, signal: AbortSignal): Promise<AgentTurn>;
  /** The caller does something in place of speaking, which the text describes. Absent: the agent reads the text. */
  act?(step: CallerStep, text: string, signal: AbortSignal): Promise<AgentTurn>;
  /** The caller's last words, after which it hangs up: the agent reads them and no longer answers. Absent: it does not hear them. */
  hear?(text: string, signal: AbortSignal): Promise<void>;
  /**
   * Cheap: called after each turn.
   * @param chat what was said so far
   */
  progress(chat: readonly ChatLine[]): AgentProgress;
  /** Hangs up and frees what the conversation holds. Called once, also after a failure or a cancellation; never rejects. */
  end(): Promise<void>;
  /** From the INVITE to the answer. Absent: a conversation by text. */
  readonly answerMilliseconds?: number;
  /** After `end`: who hung up; `test`: we did, for whatever reason. Absent: a conversation by text. */
  hungUpBy?(): 'agent' | 'test';
  /** After `end`: both sides, interleaved G.711 μ-law, the caller left, the agent right. Absent or empty: not recorded. */
  recording?(): Buffer;
  /** After `end`: what was measured; null: a conversation by text. */
  measurements(): VoiceMeasurements | null;
}

/** What the transcript says of speech that was not understood. */
export const notUnderstood = '[speech that was not understood]';

/** A way to converse with agents: by text, or by telephone. */
export interface Channel {
  /** Rejects with `RunFailure` when there is no such agent, or it cannot be reached. */
  open(subject: TestSubject, signal: AbortSignal): Promise<Conversation>;
}

/** Why a run ends in ERROR; the message is for the customer. */
export class RunFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RunFailure';
  }
}

/** A limit of Demarc is the cause: it refused the call before the agent was asked. */
export class LimitFailure extends RunFailure {
  constructor(
    message: string,
    readonly sipStatus: number | null,
  ) {
    super(message);
    this.name = 'LimitFailure';
  }
}

/** The agent is the cause: it did not answer, refused, or failed. */
export class AgentFailure extends RunFailure {
  /** Final response to its call; null: a conversation by text, or no response. */
  readonly sipStatus: number | null;

  constructor(message: string, { sipStatus = null, ...options }: AgentFailureOptions = {}) {
    super(message, options);
    this.name = 'AgentFailure';
    this.sipStatus = sipStatus;
  }
}

interface AgentFailureOptions extends ErrorOptions {
  readonly sipStatus?: number | null;
}
