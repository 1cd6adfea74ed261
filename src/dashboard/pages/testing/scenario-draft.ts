import type { Category, Scenario, ScenarioBody } from '../../api/testing.js';
import type { AssertionDraft } from './assertion-draft.js';
import type { AssertionType, Config } from './assertion-fields.js';
import { initialConfig, sentConfig } from './assertion-fields.js';
import { type MockDraft, mockBody, mockDraft } from './mock-draft.js';
import { emptyVoice, type VoiceDraft, voiceBody, voiceDraft } from './voice-draft.js';

/** A scenario while it is edited: every field as its control has it. */

export type TargetKind = 'pathway' | 'persona' | 'agent';

export interface TargetDraft {
  readonly kind: TargetKind;
  readonly pathwayId: string;
  readonly personaId: string;
  readonly url: string;
  readonly model: string;
  /** Empty: the stored one stays. */
  readonly apiKey: string;
  readonly sipUri: string;
}

export interface ScenarioDraft {
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  readonly scenarioType: Scenario['scenario_type'];
  readonly channel: Scenario['channel'];
  readonly target: TargetDraft;
  readonly prompt: string;
  readonly testerName: string;
  readonly maxTurns: number;
  readonly startNodeId: string;
  readonly isToneScored: boolean;
  readonly isRequired: boolean;
  readonly promotionRuns: number;
  /** In per cent. */
  readonly requiredPassPercent: number;
  readonly isEnabled: boolean;
  /** JSON. */
  readonly requestData: string;
  /** One line each: `caller: …` or `agent: …`. */
  readonly recorded: string;
  readonly voice: VoiceDraft;
  /** Empty: by the target. */
  readonly firstSpeaker: '' | 'agent' | 'caller';
  readonly advancedInstructions: string;
  readonly mocks: readonly MockDraft[];
  /** JSON. */
  readonly metadata: string;
  readonly assertions: readonly AssertionDraft[];
}

export const emptyDraft: ScenarioDraft = {
  name: '',
  description: '',
  category: 'CUSTOM',
  scenarioType: 'AGENT',
  channel: 'text',
  target: {
    kind: 'pathway',
    pathwayId: '',
    personaId: '',
    url: '',
    model: 'agent',
    apiKey: '',
    sipUri: '',
  },
  prompt: '',
  testerName: '',
  maxTurns: 20,
  startNodeId: '',
  isToneScored: false,
  isRequired: false,
  promotionRuns: 5,
  requiredPassPercent: 65,
  isEnabled: true,
  requestData: '{}',
  recorded: '',
  voice: emptyVoice,
  firstSpeaker: '',
  advancedInstructions: '',
  mocks: [],
  metadata: '{}',
  assertions: [],
};

let lastKey = 0;
export const newAssertion = (type: AssertionType): AssertionDraft => ({
  key: `new ${++lastKey}`,
  type,
  name: '',
  is_required: true,
  weight: 1,
  config: initialConfig(type),
});

type Line = { readonly role: 'user' | 'assistant'; readonly content: string };

export const recordedText = (lines: readonly Line[]): string =>
  lines.map(({ role, content }) => `${role === 'user' ? 'caller' : 'agent'}: ${content}`).join('\n');

/** A line without a speaker continues the line before it. */
export function recordedLines(text: string): Line[] {
  const lines: { role: Line['role']; content: string }[] = [];
  for (const line of text.split('\n')) {
    const [, speaker, content] = /^(caller|agent):\s*(.*)$/i.exec(line.trim()) ?? [];
    const last = lines.at(-1);
    if (speaker !== undefined)
      lines.push({ role: speaker.toLowerCase() === 'caller' ? 'user' : 'assistant', content: content! });
    else if (last !== undefined && line.trim() !== '') last.content += `\n${line.trim()}`;
    else if (line.trim() !== '') lines.push({ role: 'user', content: line.trim() });
  }
  return lines;
}

/** Fields of a draft that an assertion of the API, a template or a generated scenario has. */
interface Stored {
  readonly type: AssertionType;
  readonly name?: unknown;
  readonly is_required?: boolean | undefined;
  readonly weight?: number | undefined;
  readonly config: Config;
}

export const assertionDraft = ({ type, name, is_required, weight, config }: Stored): AssertionDraft => ({
  ...newAssertion(type),
  name: typeof name === 'string' ? name : '',
  is_required: is_required ?? true,
  weight: weight ?? 1,
  config,
});

export const draftOf = (scenario: Scenario): ScenarioDraft => ({
  name: scenario.name,
  description: scenario.description ?? '',
  category: scenario.category,
  scenarioType: scenario.scenario_type,
  channel: scenario.channel,
  target: {
    kind: scenario.pathway_id !== null ? 'pathway' : scenario.persona_id !== null ? 'persona' : 'agent',
    pathwayId: scenario.pathway_id ?? '',
    personaId: scenario.persona_id ?? '',
    url: scenario.agent?.url ?? '',
    model: scenario.agent?.model ?? 'agent',
    apiKey: '',
    sipUri: scenario.agent?.sip_uri ?? '',
  },
  prompt: scenario.tester_persona_prompt,
  testerName: scenario.tester_persona_name ?? '',
  maxTurns: scenario.max_turns,
  startNodeId: scenario.start_node_id ?? '',
  isToneScored: scenario.service_tone_enabled,
  isRequired: scenario.is_required_for_promotion,
  promotionRuns: scenario.promotion_runs,
  requiredPassPercent: Math.round(scenario.required_pass_rate * 1_000) / 10,
  isEnabled: scenario.enabled,
  requestData: JSON.stringify(scenario.request_data, null, 2),
  recorded: recordedText(scenario.input_messages),
  voice: voiceDraft(scenario.voice),
  firstSpeaker: scenario.first_speaker ?? '',
  advancedInstructions: scenario.advanced_instructions ?? '',
  mocks: scenario.webhook_mocks.map(mockDraft),
  metadata: JSON.stringify(scenario.metadata, null, 2),
  assertions: scenario.assertions.map(assertionDraft),
});

const orNull = (text: string): string | null => text.trim() || null;

const agentBody = ({ url, model, apiKey, sipUri }: TargetDraft): NonNullable<ScenarioBody['agent']> => ({
  ...(url.trim() === '' ? {} : { url: url.trim() }),
  ...(sipUri.trim() === '' ? {} : { sip_uri: sipUri.trim() }),
  ...(apiKey === '' ? {} : { api_key: apiKey }),
  model: model.trim() || 'agent',
});

function targetBody(target: TargetDraft): Pick<ScenarioBody, 'pathway_id' | 'persona_id' | 'agent'> {
  if (target.kind === 'pathway') return { pathway_id: target.pathwayId };
  if (target.kind === 'persona') return { persona_id: target.personaId };
  return { agent: agentBody(target) };
}

const objectOf = (text: string): Record<string, unknown> =>
  text.trim() === '' ? {} : (JSON.parse(text) as Record<string, unknown>);

/** Which of the fields with JSON is not valid; undefined: none. */
export function invalidJson({ requestData, metadata, mocks }: ScenarioDraft): string | undefined {
  const fields = [
    ['Request data', requestData],
    ['Metadata', metadata],
    ...mocks.map(({ body }, index) => [`The body of answer ${index + 1}`, body]),
  ] as const;
  for (const [name, text] of fields) {
    try {
      objectOf(text!);
    } catch (error) {
      return `${name} is not valid JSON: ${(error as Error).message}`;
    }
  }
  return undefined;
}

const commonBody = (draft: ScenarioDraft) => ({
  name: draft.name.trim(),
  description: orNull(draft.description),
  category: draft.category,
  scenario_type: draft.scenarioType,
  channel: draft.channel,
  tester_persona_prompt: draft.prompt,
  tester_persona_name: orNull(draft.testerName),
  max_turns: draft.maxTurns,
  start_node_id: draft.target.kind === 'pathway' ? orNull(draft.startNodeId) : null,
  service_tone_enabled: draft.isToneScored,
  is_required_for_promotion: draft.isRequired,
  promotion_runs: draft.promotionRuns,
  required_pass_rate: draft.requiredPassPercent / 100,
  enabled: draft.isEnabled,
  request_data: objectOf(draft.requestData),
  metadata: objectOf(draft.metadata),
  first_speaker: draft.firstSpeaker === '' ? null : draft.firstSpeaker,
  advanced_instructions: orNull(draft.advancedInstructions),
  webhook_mocks: draft.target.kind === 'persona' ? [] : draft.mocks.map(mockBody),
  input_messages: draft.scenarioType === 'AGENT' ? [] : recordedLines(draft.recorded),
  voice: voiceBody(draft.voice),
  // The forms of all types fill what the API takes (a unit test compares them), which the types cannot show.
  assertions: draft.assertions.map(({ type, name, is_required, weight, config }) => ({
    type,
    name: orNull(name),
    is_required,
    weight,
    config: sentConfig(type, config),
  })) as NonNullable<ScenarioBody['assertions']>,
});

/** Throws `SyntaxError` where `invalidJson` finds a field. */
export const creationOf = (draft: ScenarioDraft): ScenarioBody => ({
  ...commonBody(draft),
  ...targetBody(draft.target),
});

/** A change of all fields of the form; the kind of target stays. Throws `SyntaxError`. */
export const updateOf = (draft: ScenarioDraft) => ({
  ...commonBody(draft),
  ...(draft.target.kind === 'agent' ? { agent: agentBody(draft.target) } : {}),
});
