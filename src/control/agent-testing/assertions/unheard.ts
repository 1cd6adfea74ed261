import { notUnderstood } from '../conversation/channel.js';
import type { Evidence, Verdict } from '../conversation/evidence.js';
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

interface Asserted {
  readonly channel: RunChannel;
  readonly assertions: readonly {
    readonly type: AssertionType;
    readonly name: string | null;
    readonly config: unknown;
  }[];
}

const judgesWords: ReadonlySet<AssertionType> = new Set(['LLM_JUDGE', 'CUSTOM_LLM', 'SERVICE_TONE']);
const readsWords: ReadonlySet<AssertionType> = new Set(['STRING_CHECK', 'REGEX_MATCH', 'PHRASES']);
const seesInside: ReadonlySet<AssertionType> = new Set([
  'VARIABLE_EXTRACTED',
  'NODE_REACHED',
  'NODES_VISITED',
  'WEBHOOK_TRIGGERED',
  'TRAVERSAL_MATCH',
  'TOOL_CALLED',
  'TOOL_ORDER',
]);

/**
 * Assertions of a scenario that its runs by voice cannot evaluate.
 * @param isTranscribed speech of agents is transcribed
 */
export function unheardWarnings({ channel, assertions }: Asserted, isTranscribed: boolean): string[] {
  if (channel !== 'voice') return [];
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
