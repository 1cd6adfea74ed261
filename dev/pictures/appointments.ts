import type { RuleModel } from '../../src/rule-model/rule-model.js';

/** A conversation that reads like one of a clinic: its pathway, a scenario, and what the stand-in model says in it. */

const node = (
  id: string,
  name: string,
  prompt: string,
  ...extract: readonly (readonly [string, string])[]
) => ({
  id,
  name,
  type: 'default',
  prompt,
  extract: extract.map(([variable, description]) => ({ name: variable, type: 'string', description })),
});

const edge = (source: string, target: string, label: string) => ({
  id: `${source}-${target}`,
  source,
  target,
  label,
});

export const appointments = {
  start_node_id: 'greeting',
  nodes: [
    node('greeting', 'Greeting', 'Greet the caller and ask what you can do for them.', [
      'request',
      'What the caller wants.',
    ]),
    node(
      'booking',
      'Booking',
      'Ask for the day and the time of the appointment.',
      ['day', 'The day that the caller wants.'],
      ['time', 'The time that the caller wants.'],
    ),
    node('hours', 'Opening hours', 'Say that the clinic is open from nine to five on weekdays.'),
    {
      id: 'desk',
      name: 'Front desk',
      type: 'transfer',
      text: 'One moment please.',
      transfer_to: '+12025550160',
    },
    node('confirm', 'Confirmation', 'Repeat {{day}} at {{time}} and ask whether that is right.'),
    { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'Thank you for your call. Goodbye.' },
  ],
  edges: [
    edge('greeting', 'booking', 'Wants an appointment'),
    edge('greeting', 'hours', 'Asks for the hours'),
    edge('greeting', 'desk', 'Wants a person'),
    edge('hours', 'goodbye', 'Has no other question'),
    edge('booking', 'confirm', 'Named day and time'),
    edge('confirm', 'goodbye', 'Agrees'),
  ],
};

export const bookingScenario = {
  name: 'Books an appointment',
  tester_persona_name: 'Dana',
  tester_persona_prompt: 'You want an appointment on Friday at ten.',
  assertions: [
    {
      type: 'LLM_JUDGE',
      name: 'Repeats day and time',
      config: { prompt: 'Does the agent repeat the day and the time before the end?' },
    },
    {
      type: 'VARIABLE_EXTRACTED',
      name: 'Understands the day',
      config: { variable_name: 'day', expected_value: 'Friday' },
    },
    {
      type: 'TRAVERSAL_MATCH',
      name: 'Takes the direct way',
      config: { reference_path: ['greeting', 'booking', 'confirm', 'goodbye'] },
    },
  ],
};

const agentSays = (step: string, answer: string) => ({
  when: { system: `^You are the agent.*Now you are at the step "${step}"` },
  answer,
});

const decidesAt = (step: string, edgeId: string, extracted: Readonly<Record<string, string>> = {}) => ({
  when: { system: '^You decide how', last: `^The conversation is at the node "${step}"` },
  answer: { extracted, condition_met: true, edge: edgeId },
});

const callerSays = (heard: string, say: string) => ({
  when: { system: '^You play the caller', last: heard },
  answer: { say, hang_up: false },
});

export const appointmentRules: Parameters<typeof RuleModel.start>[0]['rules'] = [
  agentSays('Greeting', 'Good morning, Riverside Clinic. What can I do for you?'),
  agentSays('Booking', 'Gladly. Which day and time suit you?'),
  agentSays('Confirmation', 'That is Friday at ten. Is that right?'),
  decidesAt('Greeting', 'greeting-booking', { request: 'an appointment' }),
  decidesAt('Booking', 'booking-confirm', { day: 'Friday', time: 'ten' }),
  decidesAt('Confirmation', 'confirm-goodbye'),
  callerSays('Which day', 'Friday at ten, if you can.'),
  callerSays('Is that right', 'Yes, thank you.'),
  callerSays('.', 'Hello, I would like to make an appointment.'),
  {
    when: { system: '^You judge a test' },
    answer: { reasoning: 'The agent repeats "Friday at ten" and asks whether that is right.', verdict: true },
  },
];
