import type { WebhookMock } from '../schemas/scenario.js';

interface Call {
  readonly nodeId: string;
  /** Of this node in the conversation, from 1. */
  readonly call: number;
  /** Turns of the caller so far. */
  readonly turn: number;
}

/** The answer of the scenario to a call of a webhook; undefined: the webhook is really called. */
export function mockFor(
  mocks: readonly WebhookMock[],
  { nodeId, call, turn }: Call,
): WebhookMock | undefined {
  return mocks
    .filter(
      ({ node_id: id, from_call: firstCall = 1, from_turn: firstTurn = 0 }) =>
        id === nodeId && call >= firstCall && turn >= firstTurn,
    )
    .reduce<WebhookMock | undefined>(
      (best, mock) => (best === undefined || isLater(mock, best) ? mock : best),
      undefined,
    );
}

/** Of two answers that apply, the later one counts; of equal ones, the first. */
function isLater(mock: WebhookMock, reference: WebhookMock): boolean {
  const calls = (mock.from_call ?? 1) - (reference.from_call ?? 1);
  return calls > 0 || (calls === 0 && (mock.from_turn ?? 0) > (reference.from_turn ?? 0));
}
