import type { Scenario } from '../../api/testing.js';

/** The answer to a webhook of the pathway, while it is edited. */
export interface MockDraft {
  /** Stays the same while mocks before it are removed. */
  readonly key: string;
  readonly nodeId: string;
  readonly status: number;
  /** JSON; empty: no body. */
  readonly body: string;
}

type Mock = Scenario['webhook_mocks'][number];

let lastKey = 0;
export const newMock = (nodeId = ''): MockDraft => ({
  key: `mock ${++lastKey}`,
  nodeId,
  status: 200,
  body: '',
});

export const mockDraft = ({ node_id, status, body }: Mock): MockDraft => ({
  ...newMock(node_id),
  status,
  body: body === undefined ? '' : JSON.stringify(body, null, 2),
});

/** Throws `SyntaxError` where the body is not valid JSON. */
export const mockBody = ({ nodeId, status, body }: MockDraft): Mock => ({
  node_id: nodeId,
  status,
  ...(body.trim() === '' ? {} : { body: JSON.parse(body) as unknown }),
});
