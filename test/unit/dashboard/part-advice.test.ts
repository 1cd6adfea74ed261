import { describe, expect, it } from 'vitest';
import { partAdvice } from '../../../src/dashboard/pages/overview/part-advice.js';

const up = { edges: 'up', media: 'up', redis: 'up', database: 'up' } as const;

describe('advice for a component that is down', () => {
  it('is nothing while all are up', () => {
    for (const name of ['edges', 'media', 'redis', 'database'] as const) {
      expect(partAdvice(name, up)).toBeUndefined();
    }
  });

  it('does not report a call outage when only records are affected', () => {
    const parts = { ...up, redis: 'down', edges: 'unknown', media: 'unknown' } as const;
    expect(partAdvice('edges', parts)).toContain('calls continue');
    expect(partAdvice('redis', parts)).toContain('Restart Redis');
    expect(partAdvice('media', parts)).not.toContain('503');
  });

  it('reports a call outage', () => {
    expect(partAdvice('edges', { ...up, edges: 'down' })).toContain('No calls are accepted');
    expect(partAdvice('media', { ...up, media: 'down' })).toContain('New calls get 503');
    expect(partAdvice('edges', { ...up, edges: 'unknown' })).toContain('start one');
  });
});
