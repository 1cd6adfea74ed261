import { notUnderstood } from '../conversation/channel.js';
import { type Evidence, hidesTools, type Verdict } from '../conversation/evidence.js';
import type { AssertionType } from '../schemas/assertion.js';
import type { RunChannel } from '../schemas/scenario.js';

/** The verdict on words of which some were not understood; undefined: all were. */
export function unheard({ chat, voice }: Pick<Evidence, 'chat' | 'voice'>): Verdict | undefined {
  if (voice === null) return undefined;
  const lines = chat.filter(({ role }) => role === 'assistant');
  const missed = lines.filter(({ content }) => content.includes(notUnderstood));
  if (missed.length === 0) return undefined;
  const advice = voice.transcription === 'tones' ? ' Set DEMARC_STT_URL to have speech transcribed.' : '';
  return {
    status: 'ERROR',
    score: null,
    reasoning: `${missed.length} of ${lines.length} lines of the agent were not understood, so that its words cannot be judged.${advice}`,
  };
}

/** The agent was called: what it is and does between its words is not known. */
export const isUnseen = ({ isCalled, nodeNames }: Evidence): boolean =>
  isCalled && Object.keys(nodeNames).length === 0;

export const unseen = (what: string): Verdict => ({
  status: 'ERROR',
  score: null,
  reasoning: `The ${what} of an agent that is called are not known unless it reports them in the metadata of its call; run the scenario by text, or assert its words.`,
});

/** The verdict on tool calls of which there may be some that nothing reported; undefined: the known ones are all. */
export function unknownTools({ hidesTools, isCalled, webhooks }: Evidence): Verdict | undefined {
  if (!hidesTools || webhooks.length > 0) return undefined;
  if (isCalled) return unseen('webhooks');
  return {
    status: 'ERROR',
    score: null,
    reasoning:
      'The agent reported no tool calls (tool_calls of its answers), and the scenario answers none (webhook_mocks), so that it is not known whether it called any.',
  };
}

interface Asserted {
  readonly channel: RunChannel;
  readonly agent: unknown;
  readonly webhook_mocks: readonly unknown[];
  readonly assertions: readonly {
    readonly type: AssertionType;
    readonly name: string | null;
    readonly config: unknown;
  }[];
}

const judgesWords: ReadonlySet<AssertionType> = new Set(['LLM_JUDGE', 'CUSTOM_LLM', 'SERVICE_TONE']);
const readsWords: ReadonlySet<AssertionType> = new Set(['STRING_CHECK', 'REGEX_MATCH', 'PHRASES']);
const seesTools: ReadonlySet<AssertionType> = new Set(['WEBHOOK_TRIGGERED', 'TOOL_CALLED', 'TOOL_ORDER']);
const seesInside: ReadonlySet<AssertionType> = new Set([
  'VARIABLE_EXTRACTED',
  'NODE_REACHED',
  'NODES_VISITED',
  'TRAVERSAL_MATCH',
  ...seesTools,
]);

/**
 * Assertions of a scenario that its runs cannot evaluate.
 * @param isTranscribed speech of agents is transcribed
 */
export function unheardWarnings(scenario: Asserted, isTranscribed: boolean): string[] {
  const { channel, assertions } = scenario;
  if (channel !== 'voice') {
    if (!hidesTools(channel, scenario)) return [];
    return assertions
      .filter(({ type }) => seesTools.has(type))
      .map(
        ({ type, name }) =>
          `${name ?? type}: tool calls of an agent at its own URL are known only if its answers have tool_calls; without any, and without webhook_mocks, it ends in ERROR.`,
      );
  }
  return assertions.flatMap(({ type, name, config }) => {
    const target = (config as { readonly target?: unknown } | null)?.target;
    const isOfAgent = target === 'agent' || target === 'transcript';
    if (seesInside.has(type) || target === 'variable')
      return [
        `${name ?? type}: nodes of an agent that is called are not known, and variables and tool calls only if it reports them in the metadata of its call.`,
      ];
    if (isTranscribed || !(judgesWords.has(type) || (readsWords.has(type) && isOfAgent))) return [];
    return [
      `${name ?? type}: the words of the agent are not transcribed (DEMARC_STT_URL), so that it ends in ERROR unless the agent speaks the tone code.`,
    ];
  });
}
