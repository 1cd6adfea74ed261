import { describe, expect, it } from 'vitest';
import { FailedHandshakes } from '../../../../src/engine/wire/peer-commands.js';

describe('failed handshakes', () => {
  it('are the latest of each address, and are read once', () => {
    const failed = new FailedHandshakes();
    failed.add('203.0.113.5', 'first', 1_000);
    failed.add('203.0.113.6', 'other', 2_000);
    failed.add('203.0.113.5', 'second', 3_000);
    expect(failed.take()).toEqual([
      { at: '1970-01-01T00:00:02.000Z', address: '203.0.113.6', text: 'other' },
      { at: '1970-01-01T00:00:03.000Z', address: '203.0.113.5', text: 'second' },
    ]);
    expect(failed.take()).toEqual([]);
  });

  it('are bounded for a flood of addresses and of text', () => {
    const failed = new FailedHandshakes();
    for (let each = 0; each < 1_000; each += 1) failed.add(`address ${each}`, 'x'.repeat(10_000), each);
    const all = failed.take();
    expect(all).toHaveLength(100);
    expect(all[0]!.text).toHaveLength(300);
  });
});
