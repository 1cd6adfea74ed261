import { describe, expect, it } from 'vitest';
import { mayReadMetrics } from '../../../src/metrics/metrics-token.js';

const token = 'a-token-of-the-test';

describe('the token of the metrics', () => {
  it.each([undefined, '', 'Bearer anything'])('is not asked for when there is none: %j', (header) => {
    expect(mayReadMetrics(undefined, header)).toBe(true);
  });

  it.each([`Bearer ${token}`, `bearer  ${token}`, `BEARER ${token} `])('opens: %j', (header) => {
    expect(mayReadMetrics(token, header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    token,
    'Bearer',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer x ${token}`,
    `Basic ${token}`,
  ])('does not open: %j', (header) => {
    expect(mayReadMetrics(token, header)).toBe(false);
  });
});
