import { describe, expect, it } from 'vitest';
import { requireEvaluated } from '../../../../src/control/agent-testing/calibration/review.js';
import { reasonOf, unableRefusals } from '../../../../src/control/agent-testing/gates/promotion-gate.js';
import { endingOfCall } from '../../../../src/control/agent-testing/runs/heard-call.js';
import {
  channelOf,
  keyOf,
  missingVersion,
  orderedDefinition,
  requireChannel,
} from '../../../../src/control/agent-testing/runs/run-definition.js';
import type { RunOrder } from '../../../../src/control/agent-testing/runs/run-order.js';
import { groupOf } from '../../../../src/control/agent-testing/runs/shared-budget.js';
import { usedBudget } from '../../../../src/control/agent-testing/runs/used-budget.js';
import { pageFrom } from '../../../../src/control/agent-testing/scenarios/page-start.js';
import type { Definition } from '../../../../src/control/agent-testing/schemas/definition.js';
import type { RunChannel } from '../../../../src/control/agent-testing/schemas/scenario.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { DemarcError } from '../../../../src/errors.js';

const order = (fields: Partial<RunOrder> = {}): RunOrder => ({
  organizationId: 'acme',
  scenarioId: 's1',
  origin: 'api',
  ...fields,
});

const faultOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults[0];
    throw error;
  }
  return undefined;
};

describe('orders of runs', () => {
  it('run the same definition when nothing of it differs', () => {
    expect(keyOf(order({ id: 'r1', batchId: 'b1', channel: 'voice' }))).toBe(keyOf(order({ id: 'r2' })));
  });

  it.each<[string, Partial<RunOrder>]>([
    ['scenario', { scenarioId: 's2' }],
    ['version', { versionNumber: 3 }],
    ['live version', { versionNumber: 'live' }],
    ['seed', { seed: 7 }],
    ['variation', { variation: { language: 'de' } as RunOrder['variation'] }],
  ])('run another one with another %s', (_, fields) => {
    expect(keyOf(order(fields))).not.toBe(keyOf(order()));
  });

  it.each<[Partial<RunOrder>, RunChannel, RunChannel]>([
    [{}, 'text', 'text'],
    [{}, 'voice', 'voice'],
    [{ channel: 'voice' }, 'text', 'voice'],
    [{ channel: 'text' }, 'voice', 'text'],
    [{ callId: 'c1' }, 'text', 'voice'],
    [{ callId: 'c1', channel: 'text' }, 'text', 'voice'],
  ])('%j of a scenario by %s run by %s', (fields, own, channel) => {
    expect(channelOf(order(fields), { channel: own })).toBe(channel);
  });

  it('without variation and seed run the scenario as it is', () => {
    const definition = { name: 'Booking' } as Definition;
    expect(orderedDefinition(definition, order())).toBe(definition);
  });
});

describe('a version that is missing', () => {
  const of = { pathwayId: 'w1', personaId: null };

  it.each<[typeof of | { pathwayId: null; personaId: string }, RunOrder['versionNumber'], string, string]>([
    [of, undefined, 'version_number', 'Scenario Booking: the pathway w1 is deleted.'],
    [of, 3, 'version_number', 'Scenario Booking: the pathway w1 has no version 3.'],
    [of, 'live', 'version', 'Scenario Booking: the pathway w1 has no live version.'],
    [
      { pathwayId: null, personaId: 'p1' },
      3,
      'version_number',
      'Scenario Booking: the persona p1 has no version 3.',
    ],
  ])('of %j, wanted %s', (subject, wanted, path, message) => {
    expect(missingVersion('Booking', subject, wanted).faults).toEqual([
      { error: 'VALIDATION_ERROR', path, message },
    ]);
  });
});

describe('the channel of a run', () => {
  const agent = { url: 'https://agent.example', sip_uri: 'sip:agent.example' } as Definition['agent'];
  const definition = (fields: Partial<Definition> = {}): Definition =>
    ({ name: 'Booking', agent: null, scenario_type: 'AGENT', ...fields }) as Definition;
  const both: ReadonlySet<RunChannel> = new Set(['text', 'voice']);
  const problem = (channel: RunChannel, fields: Partial<Definition>, channels = both) =>
    faultOf(() => requireChannel(channel, definition(fields), channels))?.message;

  it.each<[RunChannel, Partial<Definition>]>([
    ['text', {}],
    ['voice', {}],
    ['text', { agent }],
    ['voice', { agent: { ...agent!, url: null } }],
    ['text', { scenario_type: 'HISTORICAL' }],
    ['text', { scenario_type: 'HISTORICAL', agent: { ...agent!, url: null } }],
  ])('may be %s for %j', (channel, fields) => {
    expect(problem(channel, fields)).toBeUndefined();
  });

  it.each<[RunChannel, Partial<Definition>, string]>([
    ['voice', { scenario_type: 'HISTORICAL' }, 'Scenario Booking: HISTORICAL holds no conversation.'],
    [
      'text',
      { agent: { ...agent!, url: null } },
      'Scenario Booking: its agent has no URL for a conversation by text; run it by voice.',
    ],
  ])('may not be %s for %j', (channel, fields, message) => {
    expect(problem(channel, fields)).toBe(message);
  });

  it('is one that this service has', () => {
    expect(problem('voice', {}, new Set<RunChannel>(['text']))).toBe(
      'Scenario Booking: this service has no channel voice.',
    );
  });
});

describe('how a real call ended', () => {
  it.each([
    ['agent', 'agent'],
    ['caller', 'caller'],
    ['callee', 'caller'],
    ['edge', 'test'],
    ['api', 'test'],
    ['target', 'test'],
  ] as const)('by %s is shown as by %s', (endedBy, side) => {
    expect(endingOfCall(endedBy, null)).toEqual({ ended_by: side, transfer: 'none', transferred_to: null });
  });

  it('after a transfer names its target', () => {
    expect(endingOfCall('caller', '+14155550100')).toEqual({
      ended_by: 'caller',
      transfer: 'transferred',
      transferred_to: '+14155550100',
    });
  });
});

describe('what a run shares its budget with', () => {
  const none = { batchId: null, simulationSetId: null, loadTestId: null };

  it.each([
    [none, undefined],
    [
      { ...none, batchId: 'b1' },
      { kind: 'batch', id: 'b1' },
    ],
    [
      { ...none, simulationSetId: 'x1' },
      { kind: 'set', id: 'x1' },
    ],
    [
      { ...none, loadTestId: 'l1' },
      { kind: 'load', id: 'l1' },
    ],
    [
      { batchId: 'b1', simulationSetId: 'x1', loadTestId: 'l1' },
      { kind: 'batch', id: 'b1' },
    ],
  ])('%j is %j', (groups, group) => {
    expect(groupOf(groups)).toEqual(group);
  });

  it('has limits with what is used of them, read as text', () => {
    const row = {
      token_budget: '1000',
      budget_tokens_used: '400',
      cost_budget: 2.5,
      cost_currency: 'EUR',
      budget_cost_used: '0.75',
    };
    expect(usedBudget(row)).toEqual({
      token_budget: { limit: 1_000, used: 400 },
      cost_budget: { limit: 2.5, used: 0.75, currency: 'EUR' },
    });
    expect(usedBudget({ ...row, token_budget: null, cost_budget: null })).toEqual({
      token_budget: null,
      cost_budget: null,
    });
    expect(usedBudget({ ...row, cost_currency: null }).cost_budget?.currency).toBe('USD');
  });
});

describe('the gate of promotions', () => {
  it('refuses scenarios of which no run can fail', () => {
    expect(
      unableRefusals([
        { name: 'A', assertions: 1 },
        { name: 'B', assertions: 0 },
      ]),
    ).toEqual(['Scenario “B” has no required assertion, so that no run of it can fail.']);
    expect(unableRefusals([{ name: 'A', assertions: 1 }])).toEqual([]);
  });

  it('says why scenarios cannot run, and not that another promotion runs', () => {
    expect(reasonOf(InvalidRequest.at('channel', 'This service has no channel voice.'))).toBe(
      'This service has no channel voice.',
    );
    const full = new DemarcError('RUN_QUEUE_FULL', '10 have not ended');
    expect(reasonOf(full)).toBe(full.message);
    expect(reasonOf(new DemarcError('PROMOTION_RUNNING'))).toBeUndefined();
    expect(reasonOf(new Error('Connection terminated'))).toBeUndefined();
  });
});

describe('labels of people', () => {
  it('are of assertions that the run evaluated', () => {
    const labels = [{ assertion_id: 'a1' }, { assertion_id: 'a3' }];
    expect(faultOf(() => requireEvaluated(labels, ['a1', 'a2', 'a3']))).toBeUndefined();
    expect(faultOf(() => requireEvaluated(labels, ['a1', 'a2']))).toEqual({
      error: 'VALIDATION_ERROR',
      path: 'labels.1.assertion_id',
      message: 'The run has no result of this assertion.',
    });
    expect(faultOf(() => requireEvaluated(labels, []))?.path).toBe('labels.0.assertion_id');
    expect(faultOf(() => requireEvaluated([], []))).toBeUndefined();
  });
});

describe('a page of a list', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id }));

  it.each([
    [2, 'a b', 'b'],
    [3, 'a b c', null],
    [4, 'a b c', null],
    [1, 'a', 'a'],
  ])('of %d has %s, and continues after %s', (limit, ids, next) => {
    const page = pageFrom(rows, limit);
    expect(page.rows.map(({ id }) => id).join(' ')).toBe(ids);
    expect(page.next).toBe(next);
  });

  it('of nothing is the last', () => {
    expect(pageFrom([], 10)).toEqual({ rows: [], next: null });
  });
});
