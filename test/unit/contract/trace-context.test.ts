import { expect, it } from 'vitest';
import { isSampled, spanIdOf, traceIdOf, traceparentOf } from '../../../src/contract/trace-context.js';

const call = '0af76519-16cd-43dd-8448-eb211c80319c';

it('takes the digits of a UUID as the trace id, and hashes other ids', () => {
  expect(traceIdOf(call)).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(traceIdOf(call.toUpperCase())).toBe(traceIdOf(call));
  expect(traceIdOf('call 1')).toMatch(/^[0-9a-f]{32}$/);
  expect(traceIdOf('call 1')).not.toBe(traceIdOf('call 2'));
});

it('gives each span of a call another id, and the same each time', () => {
  expect(spanIdOf(call, 'call')).toMatch(/^[0-9a-f]{16}$/);
  expect(spanIdOf(call, 'call')).toBe(spanIdOf(call, 'call'));
  expect(spanIdOf(call, 'agent')).not.toBe(spanIdOf(call, 'call'));
});

it('writes traceparent as W3C wants it', () => {
  expect(traceparentOf(call, 'agent', 1)).toBe(
    `00-0af7651916cd43dd8448eb211c80319c-${spanIdOf(call, 'agent')}-01`,
  );
  expect(traceparentOf(call, 'agent', 0)).toMatch(/-00$/);
});

it('samples the given share of the calls', () => {
  const ids = Array.from({ length: 4_000 }, (_, index) => `call ${index}`);
  const sampled = ids.filter((id) => isSampled(id, 0.25)).length;
  expect(sampled).toBeGreaterThan(850);
  expect(sampled).toBeLessThan(1_150);
  expect(ids.some((id) => isSampled(id, 0))).toBe(false);
  expect(ids.every((id) => isSampled(id, 1))).toBe(true);
});
