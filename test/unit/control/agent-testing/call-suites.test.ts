import { describe, expect, it } from 'vitest';
import { unsavedAssertions } from '../../../../src/control/agent-testing/scenarios/unsaved-assertions.js';
import {
  isSimilar,
  type RecordedCall,
  scenarioOfRecordedCall,
} from '../../../../src/control/agent-testing/suites/call-scenario.js';

const call: RecordedCall = {
  callId: 'call-1',
  chat: [
    { role: 'assistant', content: 'Good morning.' },
    { role: 'user', content: 'A table for two on Friday, please. My number is +1 312 555 0143.' },
    { role: 'assistant', content: 'Booked for 2 guests on Friday.' },
  ],
  requestData: { first_name: 'Ada', phone: '+13125550143' },
  variables: {
    day: 'Friday',
    crm_id: '8f3c',
    phone: '+13125550143',
    note: 'My number is +1 312 555 0143',
  },
  tools: [
    { node_id: 'find_slot', arguments: { day: 'friday', trace: 'a81' } },
    { node_id: 'book', arguments: { guests: 2, guest: { phone: '+13125550143', 'a.b': 2 }, day: 'Friday' } },
  ],
  ending: { ended_by: 'agent', transfer: 'transferred', transferred_to: 'sip:desk@example.com' },
};

describe('a scenario of a real call', () => {
  it('has an assertion for each thing that the agent did, on what was said alone', () => {
    const draft = scenarioOfRecordedCall(call)!;
    expect(draft.replay).toMatchObject({
      name: 'Call call-1',
      scenario_type: 'REPLAY',
      max_turns: 1,
      request_data: { first_name: 'Ada' },
    });
    expect(draft.observed.map(({ source, assertion }) => [source, assertion.type, assertion.config])).toEqual(
      [
        [
          'transcript',
          'LLM_JUDGE',
          expect.objectContaining({ rubric: expect.stringContaining('"Booked for 2') }),
        ],
        [
          'call_record',
          'CALL_OUTCOME',
          { ended_by: 'agent', transfer: 'required', transfer_to: 'sip:desk@example.com' },
        ],
        [
          'agent_report',
          'TOOL_CALLED',
          { node_id: 'find_slot', arguments: [{ path: 'day', value: 'friday' }] },
        ],
        [
          'agent_report',
          'TOOL_CALLED',
          {
            node_id: 'book',
            arguments: [
              { path: 'guests', value: 2 },
              { path: 'day', value: 'Friday' },
            ],
          },
        ],
        ['agent_report', 'TOOL_ORDER', { node_ids: ['find_slot', 'book'] }],
        ['agent_report', 'VARIABLE_EXTRACTED', { variable_name: 'day', expected_value: 'Friday' }],
      ],
    );
    expect(JSON.stringify(draft)).not.toMatch(/555/);
    const assertions = draft.observed.map(({ assertion }) => assertion);
    expect(unsavedAssertions(assertions)).toHaveLength(6);
  });

  it('names no number that the caller was transferred to, and expects no hang-up of a replayed caller', () => {
    const outcome = (ending: RecordedCall['ending']) =>
      scenarioOfRecordedCall({ ...call, ending })!.observed.find(
        ({ assertion }) => assertion.type === 'CALL_OUTCOME',
      )?.assertion.config;
    expect(
      outcome({ ended_by: 'caller', transfer: 'transferred', transferred_to: '+1 312 555 0143' }),
    ).toEqual({ ended_by: 'any', transfer: 'required' });
    expect(outcome({ ended_by: 'caller', transfer: 'none', transferred_to: null })).toEqual({
      ended_by: 'any',
      transfer: 'none',
    });
    expect(outcome({ ended_by: 'caller', transfer: 'unknown', transferred_to: null })).toBeUndefined();
    expect(outcome(null)).toBeUndefined();
  });

  it('is none if the caller said nothing', () => {
    expect(scenarioOfRecordedCall({ ...call, chat: call.chat.slice(0, 1) })).toBeUndefined();
  });
});

describe('callers who say nearly the same', () => {
  const words = (text: string): string[] => text.split(' ');

  it.each([
    ['i want a table for two on friday', 'i want a table for two on friday please', true],
    ['i want a table for two on friday', 'i want my money back', false],
    ['hello', 'hello', true],
    ['', 'hello there', false],
  ])('%j and %j: %s', (left, right, similar) => {
    expect(isSimilar(words(left), words(right))).toBe(similar);
  });
});
