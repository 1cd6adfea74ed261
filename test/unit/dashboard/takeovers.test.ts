import { expect, it } from 'vitest';
import { takeoversBetween, takeoversOf } from '../../../src/dashboard/pages/call/takeovers.js';

const at = (second: number): string => `2026-11-20T12:00:0${second}.000Z`;
const takeovers = takeoversOf({
  edge_id: 'edge-3',
  adoptions: [
    { at: at(2), edge_id: 'edge-1' },
    { at: at(5), edge_id: 'edge-2' },
  ],
});

it('a call that changed its edge twice names both edges each time', () => {
  expect(takeovers).toEqual([
    { at: at(2), from: 'edge-1', to: 'edge-2' },
    { at: at(5), from: 'edge-2', to: 'edge-3' },
  ]);
});

it('each takeover stands once in the ladder, also before the first and after the last message', () => {
  const messages = [at(1), at(4), at(4)];
  const marks = [undefined, ...messages].map((after, index) =>
    takeoversBetween(takeovers, after, messages[index]).map(({ to }) => to),
  );
  expect(marks).toEqual([[], ['edge-2'], [], ['edge-3']]);
  expect(takeoversBetween(takeovers, undefined, at(3))).toHaveLength(1);
});

it('a takeover at the moment of a message stands before that message, and not after it too', () => {
  expect(takeoversBetween(takeovers, at(1), at(2))).toHaveLength(1);
  expect(takeoversBetween(takeovers, at(2), at(3))).toEqual([]);
});
