import { describe, expect, it } from 'vitest';
import { scenarioUpdate } from '../../../../../src/control/agent-testing/schemas/scenario.js';
import type { Scenario } from '../../../../../src/dashboard/api/testing.js';
import {
  creationOf,
  draftOf,
  emptyDraft,
  invalidJson,
  recordedLines,
  recordedText,
  updateOf,
} from '../../../../../src/dashboard/pages/testing/scenario-draft.js';

const assertion = {
  type: 'STRING_CHECK',
  name: 'Names the price',
  is_required: false,
  weight: 2,
  config: { value: 'Five', operator: 'contains', case_sensitive: true, target: 'agent' },
} as const;

/** With something else than the default in each field that a user can set. */
const stored: Scenario = {
  id: 'one',
  org_id: 'org',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  name: 'Asks for the price',
  pathway_id: '0d8d5b2c-6c5e-4f0e-8f0a-1d2b3c4d5e6f',
  persona_id: null,
  agent: null,
  description: 'Of a lesson.',
  category: 'HAPPY_PATH',
  scenario_type: 'REPLAY',
  channel: 'voice',
  tester_persona_prompt: 'You want the price.',
  tester_persona_name: 'Ada',
  first_speaker: 'caller',
  max_turns: 7,
  request_data: { brand: 'Acme' },
  start_node_id: 'booking',
  service_tone_enabled: true,
  is_required_for_promotion: true,
  promotion_runs: 8,
  required_pass_rate: 0.8,
  enabled: false,
  input_messages: [
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'What does it cost?' },
  ],
  advanced_instructions: 'Never give your name.',
  webhook_mocks: [
    { node_id: 'lookup', status: 503, body: { available: false } },
    { node_id: 'order', status: 204 },
  ],
  voice: {
    destination: '+14155550100',
    language: 'de-DE',
    speaker: 'anna',
    speed: 1.2,
    steps: [
      { when_heard: 'press one', digits: '1#' },
      { turn: 2, silence_ms: 8_000 },
      { turn: 3, hold_ms: 5_000 },
    ],
    caller_number: '+14155550123',
    end_of_turn_ms: 900,
    reply_timeout_ms: 4_000,
    max_duration_seconds: 60,
    conditions: {
      gain_db: -6,
      noise: { kind: 'street', level_dbov: -30 },
      loss_share: 0.07,
      jitter_ms: 30,
      seed: 42,
    },
    barge_in: { turn: 2, after_ms: 400, text: 'Wait.' },
  },
  metadata: { owner: 'sales' },
  assertions: [{ ...assertion, id: 'a', order: 0 }],
};

describe('the form of a scenario', () => {
  it('sends every field that a scenario has, as it was stored', () => {
    const sent = scenarioUpdate.parse(updateOf(draftOf(stored)));
    const { agent: _, ...fields } = scenarioUpdate.shape;
    for (const field of Object.keys(fields) as (keyof typeof fields)[])
      expect(sent[field], field).toMatchObject(
        field === 'assertions' ? [assertion] : (stored[field] as never),
      );
    expect(sent.webhook_mocks).toEqual(stored.webhook_mocks);
  });

  it('sends a pathway as a pathway and a persona as a persona', () => {
    const { pathway_id: id } = stored;
    const ofPathway = creationOf(draftOf(stored));
    expect(ofPathway).toMatchObject({ pathway_id: id });
    expect(ofPathway).not.toHaveProperty('persona_id');
    const ofPersona = creationOf(draftOf({ ...stored, pathway_id: null, persona_id: id }));
    expect(ofPersona).toMatchObject({ persona_id: id });
    expect(ofPersona).not.toHaveProperty('pathway_id');
  });

  it('leaves the settings of calls to their defaults until one is set', () => {
    expect(updateOf({ ...emptyDraft, name: 'x' }).voice).toBeNull();
    expect(updateOf(draftOf({ ...stored, voice: null })).voice).toBeNull();
  });

  it('names the field whose JSON is not valid', () => {
    expect(invalidJson(emptyDraft)).toBeUndefined();
    expect(invalidJson({ ...emptyDraft, metadata: '{' })).toMatch(/^Metadata is not valid JSON/);
    const mocks = draftOf(stored).mocks.map((mock) => ({ ...mock, body: '{' }));
    expect(invalidJson({ ...emptyDraft, mocks })).toMatch(/^The body of answer 1 is not valid JSON/);
  });
});

describe('a recorded conversation', () => {
  const user = (content: string) => ({ role: 'user', content }) as const;
  const assistant = (content: string) => ({ role: 'assistant', content }) as const;

  it.each<[string, ReturnType<typeof user | typeof assistant>[]]>([
    ['caller: Hello\nagent: Hi', [user('Hello'), assistant('Hi')]],
    ['Caller:Hello\n  AGENT:   Hi  ', [user('Hello'), assistant('Hi')]],
    // A text that is pasted without speakers begins with the caller.
    ['Hello', [user('Hello')]],
    ['\n\n  Hello\nagain\n\nagent: Hi', [user('Hello\nagain'), assistant('Hi')]],
    ['agent: One\n\n two \nthree', [assistant('One\ntwo\nthree')]],
    ['caller:\nHello', [user('\nHello')]],
    ['caller: at 10: or 11?', [user('at 10: or 11?')]],
    ['', []],
    [' \n ', []],
  ])('is read from %j', (text, lines) => expect(recordedLines(text)).toEqual(lines));

  it('is the same after it was written', () => {
    const lines = [user('Hello\nthere'), assistant('Hi: you?'), user('Bye')];
    expect(recordedLines(recordedText(lines))).toEqual(lines);
  });
});
