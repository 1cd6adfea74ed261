import type { ComponentChildren, JSX } from 'preact';

/** How much attention something needs. Shape, colour and word each convey it alone. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'planned' | 'idle' | 'over';

const shapes: Readonly<Record<Tone, JSX.Element>> = {
  good: <circle cx="6" cy="6" r="4.500" />,
  busy: (
    <>
      <circle cx="6" cy="6" r="4" class="hollow" />
      <path d="M6 2a4 4 0 0 1 0 8Z" />
    </>
  ),
  warn: <path d="M6 1 11.200 10.500H.8Z" />,
  bad: <path d="M1.500 1.500h9v9h-9Z" />,
  planned: (
    <>
      <circle cx="6" cy="6" r="4.600" class="hollow" />
      <path d="M6 3.400V6l1.800 1.300" class="hollow" />
    </>
  ),
  idle: <circle cx="6" cy="6" r="3.800" class="hollow" />,
  over: <path d="M1.500 5h9v2h-9Z" />,
};

export function State({ tone, children }: { tone: Tone; children: ComponentChildren }): JSX.Element {
  return (
    <span class={`state ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
        {shapes[tone]}
      </svg>
      <span>{children}</span>
    </span>
  );
}

const words: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  healthy: ['good', 'Healthy'],
  reachable: ['good', 'Reachable'],
  unreachable: ['bad', 'Unreachable'],
  unchecked: ['idle', 'Not checked'],
  up: ['good', 'Up'],
  degraded: ['warn', 'Degraded'],
  draining: ['warn', 'Draining'],
  down: ['bad', 'Down'],
  unknown: ['idle', 'Unknown'],
  setup: ['busy', 'Setting up'],
  ringing: ['busy', 'Ringing'],
  answered: ['good', 'In conversation'],
  ending: ['idle', 'Ending'],
  completed: ['good', 'Completed'],
  cancelled: ['idle', 'Cancelled'],
  continued: ['idle', 'Continued'],
  refused: ['warn', 'Refused'],
  failed: ['bad', 'Failed'],
  one_way_audio: ['warn', 'One-way audio'],
  dead_air: ['warn', 'Dead air'],
  media_timeout: ['warn', 'Audio lost'],
  agent_lost: ['warn', 'Agent lost'],
  registered: ['good', 'Registered'],
  registering: ['busy', 'Registering'],
  unregistered: ['idle', 'Not registered'],
  active: ['bad', 'Active'],
  recovered: ['good', 'Recovered'],
  closed: ['idle', 'Closed'],
  delivered: ['good', 'Delivered'],
  pending: ['busy', 'Pending'],
  processing: ['busy', 'Learning'],
  waiting_for_signature: ['busy', 'Waiting for signature'],
  submitted: ['busy', 'Submitted'],
  in_progress: ['busy', 'In progress'],
  canceled: ['idle', 'Canceled'],
};

/** The label of a named state. */
export function NamedState({ name }: { name: string }): JSX.Element {
  const [tone, word] = words[name] ?? (['idle', name.replaceAll('_', ' ')] as const);
  return <State tone={tone}>{word}</State>;
}
