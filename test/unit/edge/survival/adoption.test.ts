import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Adoption, type AdoptionDeps } from '../../../../src/edge/survival/adoption.js';
import type { OtherHolder } from '../../../../src/edge/survival/holder-lease.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether an edge takes the calls of that one, whose last renewal is long ago but whose lease stands. */
async function takes(other: { hasEngine: boolean; hasEnded: boolean }, owned: readonly string[]) {
  const taken: [string, boolean][] = [];
  const found = {
    ...{ holder: 'other', owners: ['other'], at: 0, hasLease: true, isFree: false },
    hasEngine: other.hasEngine,
    hasEnded: () => other.hasEnded,
  } as unknown as OtherHolder;
  const adoption = new Adoption({
    engine: { keepsDialogs: true, isUp: true, command: async () => ({ fields: owned, body: '' }) },
    lease: {
      engine: 'engine',
      others: async () => (taken.length > 0 ? [] : [found]),
      take: async ({ holder }: OtherHolder, isGone: boolean) => void taken.push([holder, isGone]),
    },
    isDraining: () => false,
    lookMilliseconds: 500,
    log: { warn: () => {}, debug: () => {} },
  } as unknown as AdoptionDeps);
  const done = adoption.adoptLost();
  await vi.advanceTimersByTimeAsync(20_000);
  await done;
  return taken.length > 0;
}

const noConnection = ['engine', '0'];

describe('an edge that could not renew its lease in time', () => {
  it('keeps its calls while it is on its way from the engine before', async () => {
    expect(await takes({ hasEngine: false, hasEnded: false }, noConnection)).toBe(false);
  });

  it('keeps its calls when this engine has disconnected it for its successor', async () => {
    expect(await takes({ hasEngine: true, hasEnded: false }, [...noConnection, 'replaced'])).toBe(false);
  });

  it('loses its calls at once when its process has ended, or lost an engine that stays', async () => {
    expect(await takes({ hasEngine: false, hasEnded: true }, noConnection)).toBe(true);
    expect(await takes({ hasEngine: true, hasEnded: true }, [...noConnection, 'replaced'])).toBe(true);
    expect(await takes({ hasEngine: true, hasEnded: false }, noConnection)).toBe(true);
  });
});
