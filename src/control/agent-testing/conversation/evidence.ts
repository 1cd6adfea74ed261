import type { AssertionStatus } from '../schemas/assertion.js';
import type { RunEnding, ServiceToneScore, TriggeredWebhook, TurnDetail } from '../schemas/run.js';
import type { ChatLine, RunChannel } from '../schemas/scenario.js';
import type { VoiceMeasurements } from '../schemas/voice.js';

/** What a conversation left behind, which assertions are evaluated on. */
export interface Evidence {
  readonly chat: readonly ChatLine[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly nodesVisited: readonly string[];
  readonly nodeNames: Readonly<Record<string, string>>;
  readonly webhooks: readonly TriggeredWebhook[];
  readonly details: readonly TurnDetail[];
  /** Null: a recorded conversation. */
  readonly ending: RunEnding | null;
  /** Null: not scored. */
  readonly tone: ServiceToneScore | null;
  readonly voice: VoiceMeasurements | null;
  /** The agent was called by telephone: what it does between its words is known as far as it reports it. */
  readonly isCalled: boolean;
  /** Without tool calls it is not known whether the agent called tools: it may call them without reporting it. */
  readonly hidesTools: boolean;
}

/** By text, an agent at its own address whose tools the scenario answers asks for them. */
export const hidesTools = (
  channel: RunChannel,
  { agent, webhook_mocks: mocks }: { readonly agent: unknown; readonly webhook_mocks: readonly unknown[] },
): boolean => channel === 'voice' || (agent !== null && mocks.length === 0);

export interface Verdict {
  readonly status: AssertionStatus;
  /** 0–1; null: not evaluated. */
  readonly score: number | null;
  readonly reasoning: string;
  readonly expected?: string | null;
  readonly actual?: string | null;
  /** Positions in the chat of the lines that decide it. */
  readonly turns?: readonly number[];
  /** Name of the model; absent: none took part. */
  readonly judgedBy?: string | null;
}

const shownCharacters = 500;

export const shown = (text: string): string =>
  text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;

/** Of a check that holds or does not. */
export const verdictOf = (
  passed: boolean,
  reasoning: string,
  { expected = null, actual = null }: { expected?: string | null; actual?: string | null } = {},
): Verdict => ({
  status: passed ? 'PASSED' : 'FAILED',
  score: passed ? 1 : 0,
  reasoning,
  expected: expected === null ? null : shown(expected),
  actual: actual === null ? null : shown(actual),
});

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Who says a line, in transcripts. */
export const speakerOf = ({ role }: ChatLine): 'agent' | 'caller' => (role === 'user' ? 'caller' : 'agent');

export const transcriptOf = (chat: readonly ChatLine[]): string =>
  chat.map((line) => `${speakerOf(line)}: ${line.content}`).join('\n');
