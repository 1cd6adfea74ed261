import { describe, expect, it } from 'vitest';
import { partAdvice } from '../../../src/dashboard/overview/part-advice.js';

const up = { edges: 'up', media: 'up', redis: 'up', database: 'up' } as const;

describe('what it means that a part is away', () => {
  it('is nothing while all are up', () => {
    for (const name of ['edges', 'media', 'redis', 'database'] as const) {
      expect(partAdvice(name, up)).toBeUndefined();
    }
  });

  it('does not say that calls stop when only their reports are missing', () => {
    const parts = { ...up, redis: 'down', edges: 'unknown', media: 'unknown' } as const;
    expect(partAdvice('edges', parts)).toContain('calls go on');
    expect(partAdvice('redis', parts)).toContain('Start Redis');
    expect(partAdvice('media', parts)).not.toContain('refused');
  });

  it('says that calls stop when they do', () => {
    expect(partAdvice('edges', { ...up, edges: 'down' })).toContain('No call is taken');
    expect(partAdvice('media', { ...up, media: 'down' })).toContain('refused with 503');
    expect(partAdvice('edges', { ...up, edges: 'unknown' })).toContain('start one');
  });
});
