import { describe, expect, it } from 'vitest';
import { mostHeldCalls } from '../../../../dev/bench/descriptors.js';

const limits = (soft: string, hard: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units',
    'Max processes             94000                94000                processes',
    `Max open files            ${soft.padEnd(20)} ${hard.padEnd(20)} files`,
  ].join('\n');

describe('calls that the limit of open files allows', () => {
  it('takes four descriptors for a call, and the hard limit, to which Node.js raises its own', () => {
    expect(mostHeldCalls(limits('1024', '20000'))).toBe(4_975);
  });

  it('returns no limit where the machine has none', () => {
    expect(mostHeldCalls(limits('1024', 'unlimited'))).toBe(Number.POSITIVE_INFINITY);
    expect(mostHeldCalls('')).toBe(Number.POSITIVE_INFINITY);
  });
});
