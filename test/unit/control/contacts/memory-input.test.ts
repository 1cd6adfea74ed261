import { describe, expect, it } from 'vitest';
import { memoryBodySchema } from '../../../../src/control/contacts/memory-input.js';

const messageAt = (timestamp: string) =>
  memoryBodySchema.safeParse({ messages: [{ role: 'user', content: 'Hello', timestamp }] });

describe('the time of a message', () => {
  it.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '3000-01-01T00:00:00Z'])(
    'is not %s, after which the contact could not be read any more',
    (timestamp) => {
      const { error } = messageAt(timestamp);
      expect(error?.issues[0]?.message).toBe('Must be in the years 1970 to 2999');
    },
  );

  it('is kept in UTC', () => {
    const read = messageAt('2026-11-20T16:04:05+01:00');
    expect(read.data?.messages?.[0]?.timestamp).toBe('2026-11-20T15:04:05.000Z');
  });
});
