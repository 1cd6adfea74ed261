import type { Scenario } from '../../api/testing.js';

/** The answer to a webhook of the pathway, while it is edited. */
export interface MockDraft {
  /** Stays the same while mocks before it are removed. */
  readonly key: string;
  readonly nodeId: string;
  /** Calls of the node and turns of the caller from which it answers. */
  readonly fromCall: number;
  readonly fromTurn: number;
  readonly status: number;
  /** JSON; empty: no body. */
  readonly body: string;
}

type Mock = Scenario['webhook_mocks'][number];

let lastKey = 0;
export const newMock = (nodeId = ''): MockDraft => ({
  key: `mock ${++lastKey}`,
  nodeId,
  fromCall: 1,
  fromTurn: 0,
  status: 200,
  body: '',
});

export const mockDraft = ({ node_id, from_call, from_turn, status, body }: Mock): MockDraft => ({
  ...newMock(node_id),
  fromCall: from_call ?? 1,
  fromTurn: from_turn ?? 0,
  status,
  body: body === undefined ? '' : JSON.stringify(body, null, 2),
});

/** Throws `SyntaxError` where the body is not valid JSON. */
export const mockBody = ({ nodeId, fromCall, fromTurn, status, body }: MockDraft): Mock => ({
  node_id: nodeId,
  ...(fromCall === 1 ? {} : { from_call: fromCall }),
  ...(fromTurn === 0 ? {} : { from_turn: fromTurn }),
  status,
  ...(body.trim() === '' ? {} : { body: JSON.parse(body) as unknown }),
});
