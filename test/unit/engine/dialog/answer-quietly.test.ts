import { expect, it } from 'vitest';
import { answerQuietly } from '../../../../src/engine/dialog/server-request.js';
import { TransportError } from '../../../../src/engine/transport/flow.js';

type Transaction = Parameters<typeof answerQuietly>[0];

const failing = (error: Error): Transaction =>
  ({
    respond: () => {
      throw error;
    },
  }) as unknown as Transaction;

it('lets a response go that no connection takes, and hides no fault of the program', () => {
  const lost = failing(new TransportError('refused', 'no listener'));
  expect(() => answerQuietly(lost, {} as never)).not.toThrow();
  const faulty = failing(new TypeError('undefined is not a function'));
  expect(() => answerQuietly(faulty, {} as never)).toThrow(TypeError);
});
