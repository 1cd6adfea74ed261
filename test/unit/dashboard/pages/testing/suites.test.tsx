import { describe, expect, it } from 'vitest';
import { written } from '../../../../../src/dashboard/api/request.js';
import type { CallSuite, GeneratedScenario, PersonaSuite } from '../../../../../src/dashboard/api/testing.js';
import { SuiteView, suiteRequest } from '../../../../../src/dashboard/pages/testing/generate-page.js';
import {
  allConfirmed,
  confirmedBodies,
  keyOf,
  toggled,
  toggledScenario,
} from '../../../../../src/dashboard/pages/testing/suite-choice.js';
import { SuitePanel } from '../../../../../src/dashboard/pages/testing/suite-panel.js';
import { rendered } from '../../rendered.js';

const generated = (name: string, ...assertions: readonly string[]): GeneratedScenario =>
  ({
    scenario: {
      name,
      persona_id: 'p1',
      pathway_id: null,
      category: 'CUSTOM',
      channel: 'text',
      tester_persona_prompt: '',
      input_messages: [{ role: 'user', content: 'A table, please.' }],
      assertions: assertions.map((title, order) => ({
        type: 'LLM_JUDGE',
        name: title,
        config: { prompt: title },
        is_required: true,
        weight: 1,
        order,
      })),
    },
    evidence: assertions.map((title, assertion) => ({
      assertion,
      source: 'transcript',
      quote: `It said ${title}.`,
      kb_id: null,
      kb_name: null,
      call_id: 'c1',
    })),
  }) as unknown as GeneratedScenario;

const suite = [generated('Call 1', 'yes', 'no'), generated('Call 2', 'maybe')];

describe('the scenarios of a suite', () => {
  it('are created with their confirmed assertions alone, and not without one', () => {
    expect(confirmedBodies(suite, new Set())).toEqual([]);
    const [body, ...rest] = confirmedBodies(suite, toggled(new Set(), [keyOf(0, 1)]));
    expect(rest).toEqual([]);
    expect(body).toMatchObject({ name: 'Call 1', assertions: [{ name: 'no', config: { prompt: 'no' } }] });
    expect(body!.assertions).toHaveLength(1);
    expect(confirmedBodies(suite, allConfirmed(suite))).toHaveLength(2);
  });

  it('are confirmed and taken back together', () => {
    const single = toggled(new Set(), [keyOf(0, 1)]);
    const all = toggledScenario(single, suite, 0);
    expect([...all].sort()).toEqual([keyOf(0, 0), keyOf(0, 1)]);
    expect([...toggledScenario(all, suite, 0)]).toEqual([]);
  });

  it('show the evidence of each assertion, and wait for a person where it is what an agent did', () => {
    const { text, elements } = rendered(<SuitePanel scenarios={suite} isTrusted={false} />);
    expect(text).toContain('Said by the agent: It said maybe.');
    expect(text).toContain('Create 0 scenarios');
    expect(elements('input').map(({ checked }) => checked)).toEqual([false, false, false]);
    expect(rendered(<SuitePanel scenarios={suite} isTrusted />).text).toContain('Create 2 scenarios');
  });
});

describe('the form', () => {
  const bodyOf = (source: 'persona' | 'calls', values: Readonly<Record<string, string>>): unknown => {
    const fields = new FormData();
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    return JSON.parse(written(suiteRequest(source, fields)).body!);
  };

  it('asks for what its source needs', () => {
    expect(bodyOf('persona', { persona: 'p1', most: '5' })).toEqual({
      persona_id: 'p1',
      maximum_scenarios: 5,
    });
    const calls = { number: '+14155550100', days: '7', most: '10' };
    expect(bodyOf('calls', calls)).toEqual({ number: '+14155550100', days: 7, maximum_scenarios: 10 });
    expect(bodyOf('calls', { ...calls, number: '', target: 'persona p1' })).toEqual({
      persona_id: 'p1',
      days: 7,
      maximum_scenarios: 10,
    });
  });
});

describe('the view of a generated suite', () => {
  const share = { covered: 1, total: 4, percent: 25 };
  const ofPersona = (scenarios: readonly GeneratedScenario[]): PersonaSuite =>
    ({
      persona_id: 'p1',
      version_number: 7,
      prompts: share,
      knowledge: share,
      generated_by: null,
      scenarios,
    }) as never;
  const ofCalls = (scenarios: readonly GeneratedScenario[]): CallSuite =>
    ({ examined_calls: 12, unheard_calls: 3, similar_calls: 2, scenarios }) as never;

  it('shows what was read of a persona, and its drafts', () => {
    const { text } = rendered(<SuiteView suite={ofPersona(suite)} generation={1} />);
    expect(text).toContain('25 % (1 of 4)');
    expect(text).toContain('Rules: no language model is configured');
    expect(text).toContain('Call 1');
    expect(text).not.toContain('No drafts');
  });

  it('shows what was read of calls, and their drafts', () => {
    const { text } = rendered(<SuiteView suite={ofCalls(suite)} generation={1} />);
    expect(text).toContain('12 calls');
    expect(text).toContain('Call 2');
    expect(text).not.toContain('Prompts covered before');
  });

  it('says why there are no drafts', () => {
    const persona = rendered(<SuiteView suite={ofPersona([])} generation={1} />).text;
    expect(persona).toContain('No drafts Its scenarios quote every sentence already.');
    expect(rendered(<SuiteView suite={ofCalls([])} generation={1} />).text).toContain(
      'No drafts No call with stored messages',
    );
  });
});
