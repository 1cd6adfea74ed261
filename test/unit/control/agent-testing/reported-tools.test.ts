import { expect, it } from 'vitest';
import { check } from '../../../../src/control/agent-testing/assertions/checks.js';
import type { Evidence } from '../../../../src/control/agent-testing/conversation/evidence.js';
import { assertionConfigs } from '../../../../src/control/agent-testing/schemas/assertion.js';
import type { VoiceMeasurements } from '../../../../src/control/agent-testing/schemas/voice.js';
import { reportedBy } from '../../../../src/control/agent-testing/voice/reported-tools.js';

const chat = (['assistant', 'user', 'assistant', 'user'] as const).map((role) => ({ role, content: '…' }));
const reported = reportedBy(
  {
    'tool_call.10': '{"name":"pay","status":500,"error":"declined"}',
    'tool_call.2': '{"name":"book","arguments":{"guests":2,"api_key":"sk-1"},"status":200}',
    'tool_call.3': 'not JSON',
    intent: 'booking',
  },
  chat,
);
const evidence: Evidence = {
  chat,
  nodesVisited: [],
  nodeNames: {},
  details: [],
  ending: null,
  tone: null,
  voice: {} as VoiceMeasurements,
  isCalled: true,
  hidesTools: true,
  ...reported,
};

it('reads tool calls in their order, secrets masked, and keeps the rest as variables', () => {
  expect(reported.webhooks).toMatchObject([
    { node_id: 'book', arguments: { guests: 2, api_key: '[masked]' }, status: 200, turn: null },
    { node_id: 'pay', arguments: null, status: 500, error: 'declined' },
  ]);
  expect(reported.variables).toEqual({ intent: 'booking', 'tool_call.3': 'not JSON' });
});

it.each([
  ['TOOL_CALLED', { node_id: 'book', arguments: [{ path: 'guests', value: 2 }] }, 'PASSED'],
  ['TOOL_CALLED', { node_id: 'book', arguments: [{ path: 'guests', value: 3 }] }, 'FAILED'],
  ['TOOL_CALLED', { node_id: 'pay', must_succeed: true }, 'FAILED'],
  ['TOOL_CALLED', { node_id: 'book', to_turn: 2 }, 'ERROR'],
  ['TOOL_ORDER', { node_ids: ['book', 'pay'] }, 'PASSED'],
  ['TOOL_ORDER', { node_ids: ['pay', 'book'] }, 'FAILED'],
  ['VARIABLE_EXTRACTED', { variable_name: 'intent', expected_value: 'booking' }, 'PASSED'],
  ['VARIABLE_EXTRACTED', { variable_name: 'intent', expected_value: 'complaint' }, 'FAILED'],
  ['VARIABLE_EXTRACTED', { variable_name: 'day' }, 'ERROR'],
  ['NODE_REACHED', { node_id: 'book' }, 'ERROR'],
] as const)('of an agent that is called, %s %j is %s', (type, config, status) => {
  const parsed = assertionConfigs[type].parse(config);
  expect(check(type, parsed, evidence).status).toBe(status);
});

it('places calls after the turn of the caller that they report', () => {
  const placed = reportedBy(
    Object.fromEntries(
      [0, 1, 2, 9].map((turn, index) => [`tool_call.${index + 1}`, JSON.stringify({ name: 'find', turn })]),
    ),
    chat,
  );
  expect(placed.webhooks.map(({ turn }) => turn)).toEqual([0, 2, 4, 4]);
  const config = assertionConfigs.TOOL_CALLED.parse({ node_id: 'find', from_turn: 2, max_count: 2 });
  expect(check('TOOL_CALLED', config, { ...evidence, ...placed }).status).toBe('PASSED');
});

it('gives no verdict on tools when none is reported', () => {
  const config = assertionConfigs.TOOL_CALLED.parse({ min_count: 0, max_count: 0 });
  const silent = { ...evidence, webhooks: [] };
  expect(check('TOOL_CALLED', config, silent).status).toBe('ERROR');
  expect(check('TOOL_CALLED', config, { ...silent, isCalled: false }).reasoning).toContain('webhook_mocks');
  expect(check('TOOL_CALLED', config, { ...silent, isCalled: false, hidesTools: false }).status).toBe(
    'PASSED',
  );
});
