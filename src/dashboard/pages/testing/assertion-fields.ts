import { type VoiceMetric, voiceMetricNames } from '../../../contract/voice-metrics.js';

/** The form of each type of assertion: which fields its configuration has. */

export type AssertionType =
  | 'LLM_JUDGE'
  | 'SERVICE_TONE'
  | 'VARIABLE_EXTRACTED'
  | 'NODE_REACHED'
  | 'NODES_VISITED'
  | 'WEBHOOK_TRIGGERED'
  | 'REGEX_MATCH'
  | 'STRING_CHECK'
  | 'CUSTOM_LLM'
  | 'TRAVERSAL_MATCH'
  | 'VOICE_METRIC'
  | 'TOOL_CALLED'
  | 'TOOL_ORDER'
  | 'PHRASES'
  | 'LATENCY'
  | 'CALL_OUTCOME';

export type Config = Readonly<Record<string, unknown>>;

export interface ConfigField {
  readonly name: string;
  readonly label: string;
  readonly kind:
    | 'line'
    | 'text'
    | 'number'
    | 'choice'
    | 'check'
    | 'list'
    | 'lines'
    | 'node'
    | 'nodes'
    | 'arguments'
    | 'examples';
  readonly isRequired?: boolean;
  /** Of a choice. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  /** Value of a new assertion. */
  readonly initial?: unknown;
  readonly placeholder?: string;
  /** Shown, and sent, only with such a configuration. */
  readonly when?: (config: Config) => boolean;
}

export interface AssertionForm {
  readonly title: string;
  /** What it checks, in one sentence. */
  readonly note: string;
  readonly fields: readonly ConfigField[];
}

/** The unit in which a limit of it is entered. */
const inputUnit = (metric: VoiceMetric): string =>
  metric.endsWith('_ms')
    ? ' (ms)'
    : metric.endsWith('_dbov')
      ? ' (dBov)'
      : metric.endsWith('_share')
        ? ', 0–1'
        : '';

const isType =
  (type: string) =>
  ({ output_type: chosen }: Config): boolean =>
    chosen === type;

const judged: readonly ConfigField[] = [
  {
    name: 'output_type',
    label: 'Answer',
    kind: 'choice',
    options: [
      ['boolean', 'True or false'],
      ['score', 'Score, 0–1'],
      ['categorical', 'Category'],
    ],
    initial: 'boolean',
  },
  { name: 'pass_on_true', label: 'True passes', kind: 'check', initial: true, when: isType('boolean') },
  {
    name: 'threshold',
    label: 'Lowest score that passes',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    step: 0.05,
    initial: 0.7,
    when: isType('score'),
  },
  {
    name: 'categories',
    label: 'Categories, separated by commas',
    kind: 'list',
    isRequired: true,
    placeholder: 'polite, neutral, rude',
    when: isType('categorical'),
  },
  {
    name: 'passing_categories',
    label: 'Categories that pass',
    kind: 'list',
    isRequired: true,
    placeholder: 'polite, neutral',
    when: isType('categorical'),
  },
];

const target: readonly ConfigField[] = [
  {
    name: 'target',
    label: 'In',
    kind: 'choice',
    options: [
      ['transcript', 'Whole transcript'],
      ['agent', 'Lines of the agent'],
      ['caller', 'Lines of the caller'],
      ['variable', 'Variable'],
    ],
    initial: 'transcript',
  },
  {
    name: 'variable_name',
    label: 'Variable',
    kind: 'line',
    isRequired: true,
    placeholder: 'appointment_date',
    when: ({ target: chosen }) => chosen === 'variable',
  },
];

const threshold = (label: string, initial: number): ConfigField => ({
  name: 'threshold',
  label,
  kind: 'number',
  minimum: 0,
  maximum: 1,
  step: 0.05,
  initial,
});

export const assertionForms: Readonly<Record<AssertionType, AssertionForm>> = {
  LLM_JUDGE: {
    title: 'Judged by a model',
    note: 'A model reads the conversation and answers a question about it.',
    fields: [
      {
        name: 'prompt',
        label: 'Question',
        kind: 'text',
        isRequired: true,
        placeholder: 'Did the agent offer another appointment before it said goodbye?',
      },
      {
        name: 'rubric',
        label: 'When each verdict is to be given (optional)',
        kind: 'text',
        placeholder: 'true: it named a day and a time. false: it named one of them, or none.',
      },
      { name: 'examples', label: 'Examples (optional)', kind: 'examples' },
      ...judged,
    ],
  },
  SERVICE_TONE: {
    title: 'Tone',
    note: 'Empathy, conciseness, flow and back-channeling of the agent, judged by a model.',
    fields: [threshold('Lowest tone score that passes', 0.7)],
  },
  VARIABLE_EXTRACTED: {
    title: 'Variable extracted',
    note: 'The agent collected a variable, optionally with a certain value.',
    fields: [
      {
        name: 'variable_name',
        label: 'Variable',
        kind: 'line',
        isRequired: true,
        placeholder: 'appointment_date',
      },
      { name: 'expected_value', label: 'Expected value (optional)', kind: 'line' },
      {
        name: 'match',
        label: 'Compare',
        kind: 'choice',
        options: [
          ['case_insensitive', 'Ignoring case'],
          ['exact', 'Exactly'],
          ['contains', 'Contains'],
          ['regex', 'Regular expression'],
        ],
        initial: 'case_insensitive',
      },
    ],
  },
  NODE_REACHED: {
    title: 'Node reached',
    note: 'The conversation visited a node of the pathway.',
    fields: [{ name: 'node_id', label: 'Node', kind: 'node', isRequired: true }],
  },
  NODES_VISITED: {
    title: 'Nodes visited',
    note: 'The conversation visited all, or any, of some nodes.',
    fields: [
      { name: 'node_ids', label: 'Nodes', kind: 'nodes', isRequired: true },
      {
        name: 'mode',
        label: 'Visited',
        kind: 'choice',
        options: [
          ['all', 'All of them'],
          ['any', 'Any of them'],
        ],
        initial: 'all',
      },
    ],
  },
  WEBHOOK_TRIGGERED: {
    title: 'Webhook called',
    note: 'The pathway called a webhook.',
    fields: [
      { name: 'url', label: 'URL contains (optional)', kind: 'line', placeholder: '/appointments' },
      { name: 'node_id', label: 'Only from node (optional)', kind: 'node' },
      {
        name: 'min_count',
        label: 'Fewest calls',
        kind: 'number',
        minimum: 1,
        maximum: 100,
        step: 1,
        initial: 1,
      },
      { name: 'must_succeed', label: 'Only calls with a 2xx answer count', kind: 'check', initial: false },
    ],
  },
  REGEX_MATCH: {
    title: 'Regular expression',
    note: 'A pattern in RE2 syntax matches, which has no look-around and no back-references.',
    fields: [
      {
        name: 'pattern',
        label: 'Pattern',
        kind: 'line',
        isRequired: true,
        placeholder: 'order number \\d{4}',
      },
      { name: 'flags', label: 'Flags: i, m, s (optional)', kind: 'line', initial: 'i' },
      ...target,
      {
        name: 'must_match',
        label: 'Must match (clear it for patterns that must not occur)',
        kind: 'check',
        initial: true,
      },
    ],
  },
  STRING_CHECK: {
    title: 'Text',
    note: 'A text occurs, or does not occur.',
    fields: [
      { name: 'value', label: 'Text', kind: 'line', isRequired: true, placeholder: 'this call is recorded' },
      {
        name: 'operator',
        label: 'Compare',
        kind: 'choice',
        options: [
          ['contains', 'Contains'],
          ['not_contains', 'Does not contain'],
          ['equals', 'Equals'],
        ],
        initial: 'contains',
      },
      { name: 'case_sensitive', label: 'Case matters', kind: 'check', initial: false },
      ...target,
    ],
  },
  CUSTOM_LLM: {
    title: 'Own judge',
    note: 'A model with your own system prompt judges the conversation.',
    fields: [
      { name: 'system_prompt', label: 'System prompt', kind: 'text', isRequired: true },
      {
        name: 'model',
        label: 'Model (optional)',
        kind: 'line',
        placeholder: 'Default: the configured judge',
      },
      {
        name: 'temperature',
        label: 'Temperature',
        kind: 'number',
        minimum: 0,
        maximum: 2,
        step: 0.1,
        initial: 0,
      },
      ...judged,
    ],
  },
  TRAVERSAL_MATCH: {
    title: 'Path through the nodes',
    note: 'The order of the visited nodes matches a reference path.',
    fields: [
      { name: 'reference_path', label: 'Reference path', kind: 'nodes', isRequired: true },
      {
        name: 'mode',
        label: 'Other nodes between them',
        kind: 'choice',
        options: [
          ['exact', 'Lower the score'],
          ['subsequence', 'Are allowed'],
        ],
        initial: 'exact',
      },
      threshold('Lowest score that passes', 1),
    ],
  },
  VOICE_METRIC: {
    title: 'Measurement of the call',
    note: 'A figure measured from the audio of a run by voice is within limits.',
    fields: [
      {
        name: 'metric',
        label: 'Measurement',
        kind: 'choice',
        options: (Object.keys(voiceMetricNames) as VoiceMetric[]).map((metric) => [
          metric,
          `${voiceMetricNames[metric]}${inputUnit(metric)}`,
        ]),
        initial: 'p95_latency_ms',
      },
      { name: 'minimum', label: 'Lowest that passes (optional)', kind: 'number' },
      { name: 'maximum', label: 'Highest that passes (optional)', kind: 'number', initial: 1_500 },
    ],
  },
  TOOL_CALLED: {
    title: 'Tool called with arguments',
    note: 'The agent called a webhook or tool with certain arguments, often enough and not too often.',
    fields: [
      { name: 'node_id', label: 'Webhook node or tool (optional)', kind: 'node' },
      { name: 'url', label: 'URL contains (optional)', kind: 'line', placeholder: '/appointments' },
      { name: 'arguments', label: 'Arguments', kind: 'arguments' },
      {
        name: 'min_count',
        label: 'Fewest calls',
        kind: 'number',
        minimum: 0,
        maximum: 100,
        step: 1,
        initial: 1,
      },
      {
        name: 'max_count',
        label: 'Most calls (optional; 0 with 0 fewest: never)',
        kind: 'number',
        minimum: 0,
        maximum: 100,
        step: 1,
      },
      {
        name: 'from_turn',
        label: 'From turn of the caller (optional)',
        kind: 'number',
        minimum: 0,
        maximum: 50,
        step: 1,
      },
      {
        name: 'to_turn',
        label: 'To turn of the caller (optional)',
        kind: 'number',
        minimum: 0,
        maximum: 50,
        step: 1,
      },
      { name: 'must_succeed', label: 'Only calls with a 2xx answer count', kind: 'check', initial: false },
    ],
  },
  TOOL_ORDER: {
    title: 'Order of tools',
    note: 'The agent called webhooks or tools in this order.',
    fields: [
      { name: 'node_ids', label: 'Webhook nodes or tools', kind: 'nodes', isRequired: true },
      {
        name: 'mode',
        label: 'Other calls between them',
        kind: 'choice',
        options: [
          ['subsequence', 'Are allowed'],
          ['exact', 'Are not allowed'],
        ],
        initial: 'subsequence',
      },
    ],
  },
  PHRASES: {
    title: 'Phrases',
    note: 'Phrases that must be said, and phrases that must not. Case, punctuation and spaces do not matter.',
    fields: [
      {
        name: 'required',
        label: 'Required, one a line',
        kind: 'lines',
        placeholder: 'this call is recorded',
      },
      { name: 'forbidden', label: 'Forbidden, one a line', kind: 'lines', placeholder: 'I guarantee' },
      {
        name: 'target',
        label: 'In',
        kind: 'choice',
        options: [
          ['agent', 'Lines of the agent'],
          ['caller', 'Lines of the caller'],
          ['transcript', 'Whole transcript'],
        ],
        initial: 'agent',
      },
    ],
  },
  LATENCY: {
    title: 'Latency',
    note: 'A percentile of the time until the agent answers the caller is low enough.',
    fields: [
      {
        name: 'percentile',
        label: 'Percentile (100: the highest)',
        kind: 'number',
        minimum: 1,
        maximum: 100,
        initial: 95,
      },
      {
        name: 'maximum_ms',
        label: 'Highest that passes (ms)',
        kind: 'number',
        isRequired: true,
        minimum: 1,
        maximum: 600_000,
        step: 1,
        initial: 1_500,
      },
    ],
  },
  CALL_OUTCOME: {
    title: 'How the call ends',
    note: 'Who hangs up, and where the caller is transferred to.',
    fields: [
      {
        name: 'ended_by',
        label: 'Ended by',
        kind: 'choice',
        options: [
          ['agent', 'The agent'],
          ['caller', 'The caller'],
          ['test', 'The test: turns or time ran out'],
          ['any', 'Any'],
        ],
        initial: 'agent',
      },
      {
        name: 'transfer',
        label: 'Transfer',
        kind: 'choice',
        options: [
          ['required', 'Required'],
          ['none', 'Not allowed'],
          ['any', 'Any'],
        ],
        initial: 'any',
      },
      {
        name: 'transfer_to',
        label: 'Number or SIP URI (optional)',
        kind: 'line',
        placeholder: '+14155550100',
        when: ({ transfer }) => transfer !== 'none',
      },
    ],
  },
};

export const assertionTypes = Object.keys(assertionForms) as readonly AssertionType[];

/** The configuration of a new assertion of that type. */
export const initialConfig = (type: AssertionType): Config =>
  Object.fromEntries(
    assertionForms[type].fields
      .filter(({ initial }) => initial !== undefined)
      .map(({ name, initial }) => [name, initial]),
  );

export const fieldsOf = (type: AssertionType, config: Config): readonly ConfigField[] =>
  assertionForms[type].fields.filter(({ when }) => when === undefined || when(config));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The configuration that the API takes: without empty fields and fields that this configuration does not show. */
export const sentConfig = (type: AssertionType, config: Config): Config =>
  Object.fromEntries(
    fieldsOf(type, config)
      .filter(({ name, kind }) => kind === 'check' || !isEmpty(config[name]))
      .map(({ name, kind }) => [name, kind === 'check' ? config[name] === true : config[name]]),
  );

/** `polite, neutral` → both words. */
export const listFrom = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** One entry for each line that is not empty. */
export const linesFrom = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** An assertion in a few words: `contains “recorded”`. */
export function summaryOf(type: AssertionType, config: Config): string {
  const { title, fields } = assertionForms[type];
  const first = fields.find(({ isRequired, name }) => isRequired === true && !isEmpty(config[name]));
  if (first === undefined) return title;
  const value = config[first.name];
  return `${title}: ${Array.isArray(value) ? value.join(' → ') : String(value)}`;
}
