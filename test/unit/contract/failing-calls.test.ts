import { describe, expect, it } from 'vitest';
import { stateOfCalls } from '../../../src/contract/failing-calls.js';

const share = (failed: number, calls: number) => ({ calls, failed });
const stateOf = (recent: [number, number], hour: [number, number], day?: [number, number]) =>
  stateOfCalls([share(...recent), share(...hour)], day && share(...day)).state;

describe('the state of recent calls', () => {
  it('is failing when every call fails, although nothing else is wrong', () => {
    expect(stateOf([8, 8], [8, 8])).toBe('failing');
    expect(stateOf([5, 10], [5, 10])).toBe('failing');
  });

  it('is judged by the last minutes, which an hour of good calls must not hide', () => {
    expect(stateOf([6, 6], [6, 600])).toBe('failing');
    expect(stateOf([0, 6], [500, 600])).toBe('working');
  });

  it('is judged by the hour when the last minutes had too few calls', () => {
    expect(stateOf([1, 1], [9, 9])).toBe('failing');
    expect(stateOf([0, 4], [1, 5])).toBe('working');
  });

  it('is not judged by fewer than five calls', () => {
    expect(stateOfCalls([share(4, 4), share(4, 4)])).toEqual({ state: 'quiet', span: -1 });
    expect(stateOf([0, 0], [0, 0])).toBe('quiet');
  });

  it('is degraded from a fifth on, or from twice the share of the day', () => {
    expect(stateOf([2, 10], [2, 10])).toBe('degraded');
    expect(stateOf([19, 100], [19, 100])).toBe('working');
    expect(stateOf([10, 100], [10, 100], [10 + 45, 100 + 1_000])).toBe('degraded');
    expect(stateOf([10, 100], [10, 100], [10 + 60, 100 + 1_000])).toBe('working');
  });

  it('does not rest on a single failure', () => {
    expect(stateOf([1, 5], [1, 5], [1, 1_000])).toBe('working');
  });
});
