import { describe, expect, it } from 'vitest';
import { voiceMetrics } from '../../../../../src/contract/voice-metrics.js';
import { assertionConfigs } from '../../../../../src/control/agent-testing/schemas/assertion.js';
import { argumentOperators as apiOperators } from '../../../../../src/control/agent-testing/schemas/tool-assertion.js';
import {
  argumentDrafts,
  argumentOperators,
  sentArguments,
} from '../../../../../src/dashboard/pages/testing/argument-draft.js';
import {
  type AssertionType,
  assertionForms,
  assertionTypes,
  initialConfig,
  linesFrom,
  listFrom,
  sentConfig,
  summaryOf,
} from '../../../../../src/dashboard/pages/testing/assertion-fields.js';

/** A value that each kind of field takes. */
const filled = (type: AssertionType): Record<string, unknown> => ({
  ...Object.fromEntries(
    assertionForms[type].fields
      .filter(({ isRequired }) => isRequired)
      .map(({ name, kind }) => [name, kind === 'nodes' || kind === 'list' ? ['one', 'two'] : 'one']),
  ),
  ...initialConfig(type),
  // One of several fields is required.
  ...(type === 'PHRASES' ? { required: ['one'] } : {}),
  ...(type === 'CALL_OUTCOME' ? { transfer: 'required' } : {}),
});

describe('the forms of assertions', () => {
  it('has a form for each type of the API', () => {
    expect([...assertionTypes].sort()).toEqual(Object.keys(assertionConfigs).sort());
  });

  it.each(assertionTypes)('%s: fills its required fields with what the API takes', (type) => {
    const read = assertionConfigs[type].safeParse(sentConfig(type, filled(type)));
    expect(read.error?.issues).toBeUndefined();
  });

  it.each(assertionTypes)('%s: has all fields of its configuration', (type) => {
    const shape = Object.keys(assertionConfigs[type].shape);
    const fields = assertionForms[type].fields.map(({ name }) => name);
    expect([...fields].sort()).toEqual(shape.sort());
  });

  it.each(assertionTypes)('%s: offers only choices that the API takes, and all of them', (type) => {
    for (const { name, options } of assertionForms[type].fields) {
      for (const [value] of options ?? []) {
        // A regular expression needs a pattern.
        const pattern = type === 'VARIABLE_EXTRACTED' ? { expected_value: 'one' } : {};
        const config = { ...filled(type), ...pattern, [name]: value };
        const visible = sentConfig(type, config);
        expect(assertionConfigs[type].safeParse(visible).error?.issues, `${name} ${value}`).toBeUndefined();
      }
    }
  });

  it('keeps the JSON of arguments while they are edited', () => {
    const sent = [
      { path: 'day', operator: 'equals', value: '2026-12-01' },
      { path: 'guests', operator: 'equals', value: 4 },
      { path: 'code', operator: 'equals', value: '4' },
      { path: '', operator: 'contains', value: { name: 'Ada' } },
      { path: 'id', operator: 'matches', value: '4' },
      { path: 'iban', operator: 'absent' },
    ];
    expect(sentArguments(argumentDrafts(sent))).toEqual(sent);
    expect(argumentDrafts(sent)[2]!.value).toBe('"4"');
    const present = { path: 'id', operator: 'present' } as const;
    expect(argumentDrafts([present])).toStrictEqual([{ ...present, value: '' }]);
    expect(argumentOperators.map(([operator]) => operator)).toEqual(apiOperators);
  });

  it('offers all measurements of a call', () => {
    const { options } = assertionForms.VOICE_METRIC.fields[0]!;
    expect(options!.map(([metric]) => metric).sort()).toEqual([...voiceMetrics].sort());
  });

  it('sends no field that its configuration does not show', () => {
    const config = { prompt: 'Was it polite?', output_type: 'score', threshold: 0.5, categories: ['a'] };
    expect(sentConfig('LLM_JUDGE', config)).toEqual({
      prompt: 'Was it polite?',
      output_type: 'score',
      threshold: 0.5,
    });
    expect(sentConfig('VARIABLE_EXTRACTED', { variable_name: 'day', expected_value: '' })).toEqual({
      variable_name: 'day',
    });
  });

  it('reads lists and says in a few words what is checked', () => {
    expect(listFrom(' polite, ,neutral ,')).toEqual(['polite', 'neutral']);
    expect(linesFrom('Yes, of course\n\n no ')).toEqual(['Yes, of course', 'no']);
    expect(summaryOf('STRING_CHECK', { value: 'recorded' })).toBe('Text: recorded');
    expect(summaryOf('TRAVERSAL_MATCH', { reference_path: ['a', 'b'] })).toBe(
      'Path through the nodes: a → b',
    );
  });
});
