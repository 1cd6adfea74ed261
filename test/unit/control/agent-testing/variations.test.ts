import { describe, expect, it } from 'vitest';
import { seeded, variationsOf, varied } from '../../../../src/control/agent-testing/runs/variations.js';
import { type Definition, digestOf } from '../../../../src/control/agent-testing/schemas/definition.js';
import { matrixSchema } from '../../../../src/control/agent-testing/schemas/matrix.js';
import { matrixStatistics } from '../../../../src/control/agent-testing/simulation/matrix-statistics.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';

const definition: Definition = {
  scenario_id: 's',
  name: 'Price',
  pathway_id: null,
  persona_id: null,
  agent: null,
  scenario_type: 'AGENT',
  channel: 'voice',
  tester_persona_prompt: 'You ask.',
  tester_persona_name: null,
  first_speaker: null,
  max_turns: 20,
  request_data: { city: 'Graz' },
  start_node_id: null,
  service_tone_enabled: false,
  input_messages: [],
  advanced_instructions: null,
  webhook_mocks: [],
  voice: null,
  assertions: [],
};
const matrix = (value: object) => matrixSchema.parse(value);

describe('combinations of a matrix', () => {
  const fields = { 'voice.speed': [0.8, 1, 1.3], max_turns: [3, 5], 'request_data.city': ['Wien', 'Linz'] };

  it('are all, each once', () => {
    const all = variationsOf(matrix({ fields }));
    expect(all).toHaveLength(12);
    expect(new Set(all.map((values) => JSON.stringify(values))).size).toBe(12);
    expect(all[0]).toEqual({ 'voice.speed': 0.8, max_turns: 3, 'request_data.city': 'Wien' });
    expect(all[1]).toEqual({ 'voice.speed': 0.8, max_turns: 3, 'request_data.city': 'Linz' });
  });

  it('are drawn without repetition, the same for the same seed', () => {
    const draw = (seed: number) => variationsOf(matrix({ fields, sample: 5, seed }));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(new Set(draw(7).map((values) => JSON.stringify(values))).size).toBe(5);
    expect(draw(3)).toHaveLength(5);
  });

  it.each([
    [{ fields: { name: ['x'] } }],
    [{ fields: { 'voice.__proto__.x': [1] } }],
    [{ fields: {} }],
    [
      {
        fields: Object.fromEntries(
          Array.from({ length: 8 }, (_, at) => [`request_data.a${at}`, [1, 2, 3, 4, 5]]),
        ),
      },
    ],
  ])('are refused for %j', (value) => {
    expect(matrixSchema.safeParse(value).success).toBe(false);
  });
});

describe('a scenario with the values of a variation', () => {
  it('keeps what is not varied, and gets the defaults of what a value begins', () => {
    const changed = varied(definition, {
      'voice.conditions.noise.kind': 'street',
      'request_data.city': 'Wien',
    });
    expect(changed.voice?.conditions).toMatchObject({ noise: { kind: 'street', level_dbov: -40 }, seed: 1 });
    expect(changed.request_data).toEqual({ city: 'Wien' });
    expect(definition.request_data).toEqual({ city: 'Graz' });
    expect(seeded(changed, 44).voice?.conditions?.seed).toBe(44);
    expect(digestOf(seeded(definition, 44))).toEqual(digestOf(definition));
    const quiet = varied(changed, { 'voice.conditions.noise': null, 'request_data.city': null });
    expect(quiet.voice?.conditions?.noise).toBeUndefined();
    expect(quiet.request_data).toEqual({ city: null });
  });

  it.each([
    ['voice.speed', 7],
    ['voice.nonesuch', 1],
    ['max_turns', 'many'],
    ['voice.conditions.noise.kind', 'silence'],
  ])('is refused at %s', (field, value) => {
    const fault = (): unknown => varied(definition, { [field]: value });
    expect(fault).toThrow(InvalidRequest);
    expect(fault).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ path: `matrix.fields.${field}` })] }),
    );
  });
});

it('counts each combination, and each value over all of them, those that pass least first', () => {
  const fields = { max_turns: [3, 5], 'voice.speed': [1, 2] };
  const run = (turns: number, speed: number, status: 'PASSED' | 'FAILED') => ({
    id: 'r',
    scenario_id: 's',
    scenario_name: 'S',
    status,
    variation: { max_turns: turns, 'voice.speed': speed },
    version_number: null,
    agent_model: null,
    is_stand_in: false,
    score: null,
    failures: [],
    ended: [{ id: 'r', status, score: null, failures: [] }],
  });
  const found = matrixStatistics(matrix({ fields, seed: 4 }), [
    run(3, 1, 'PASSED'),
    run(3, 2, 'FAILED'),
    run(5, 1, 'PASSED'),
    run(5, 2, 'FAILED'),
    run(5, 2, 'PASSED'),
  ]);
  expect(found.variations[0]).toMatchObject({
    values: { max_turns: 3, 'voice.speed': 2 },
    failed: 1,
    pass_rate: 0,
  });
  expect(found.by_value[0]).toMatchObject({ values: { 'voice.speed': 2 }, passed: 1, failed: 2 });
  expect(found.by_value.at(-1)).toMatchObject({ values: { 'voice.speed': 1 }, pass_rate: 1 });
  expect(found.seed).toBe(4);
});
