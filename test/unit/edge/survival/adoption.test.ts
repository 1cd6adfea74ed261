import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldCallVersion } from '../../../../src/contract/held-call.js';
import { Adoption, type AdoptionDeps } from '../../../../src/edge/survival/adoption.js';
import type { OtherHolder } from '../../../../src/edge/survival/other-holders.js';
import type { MachineState } from '../../../../src/edge/survival/other-machines.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether an edge takes the calls of that one, whose last renewal is long ago but whose lease stands by default. */
async function takes(
  holder: {
    hasEngine: boolean;
    hasEnded: boolean;
    isFree?: boolean;
    has_left?: boolean;
    isElsewhere?: boolean;
    document_version?: number;
  },
  owned: readonly string[],
  machine: MachineState = 'unknown',
  hasEngine = true,
) {
  const taken: [string, boolean][] = [];
  warnings = [];
  const found = {
    holder: 'other',
    owners: ['other'],
    at: 0,
    hasLease: true,
    isFree: false,
    document_version: heldCallVersion,
    ...holder,
    hasEnded: () => holder.hasEnded,
  } as unknown as OtherHolder;
  const adoption = new Adoption({
    engine: {
      owner: 'own',
      keepsDialogs: true,
      isUp: true,
      command: async () => ({ fields: owned, body: '' }),
    },
    lease: {
      engine: 'engine',
      readOtherHolders: async () => (taken.length > 0 ? [] : [found]),
      take: async ({ holder }: OtherHolder, isGone: boolean) => void taken.push([holder, isGone]),
    },
    machines: { watch: () => {}, stateOf: async () => machine, edgeState: () => machine },
    isDraining: () => false,
    hasEngine: () => hasEngine,
    lookMilliseconds: 500,
    log: { warn: (_fields: object, text: string) => warnings.push(text), debug: () => {} },
  } as unknown as AdoptionDeps);
  const done = adoption.adoptLost();
  await vi.advanceTimersByTimeAsync(20_000);
  await done;
  return taken.length > 0;
}

let warnings: string[] = [];
const noConnection = ['engine', '0'];

describe('an edge that could not renew its lease in time', () => {
  it('keeps its calls while it is on its way from the engine before', async () => {
    expect(await takes({ hasEngine: false, hasEnded: false }, noConnection)).toBe(false);
  });

  it('keeps its calls when this engine has disconnected it for its successor', async () => {
    expect(await takes({ hasEngine: true, hasEnded: false }, [...noConnection, 'replaced'])).toBe(false);
  });

  it('keeps its calls when the engine that this edge is connected to again is a new one', async () => {
    const otherEngine = ['new engine', '0', '', '0'];
    expect(await takes({ hasEngine: true, hasEnded: false }, otherEngine)).toBe(false);
    expect(await takes({ hasEngine: true, hasEnded: true }, otherEngine)).toBe(true);
  });

  it('loses its calls at once when its process has ended, or lost an engine that stays', async () => {
    expect(await takes({ hasEngine: false, hasEnded: true }, noConnection)).toBe(true);
    expect(await takes({ hasEngine: true, hasEnded: true }, [...noConnection, 'replaced'])).toBe(true);
    expect(await takes({ hasEngine: true, hasEnded: false }, noConnection)).toBe(true);
  });
});

it('an edge whose own engine was lost takes no calls of others before it knows the next one', async () => {
  const ended = { hasEngine: true, hasEnded: true, isFree: true };
  expect(await takes(ended, noConnection, 'gone', true)).toBe(true);
  expect(await takes(ended, noConnection, 'gone', false)).toBe(false);
});

describe('an edge without a lease that is connected to the engine', () => {
  const leaseless = { hasEngine: true, hasEnded: false, isFree: true };

  it('keeps its calls while it answers the engine', async () => {
    expect(await takes(leaseless, ['engine', '1', '', '1'])).toBe(false);
  });

  it('loses them when it is silent, as one that hangs, or the engine does not know', async () => {
    expect(await takes(leaseless, ['engine', '1', '', '0'])).toBe(true);
    expect(await takes(leaseless, ['engine', '1'])).toBe(true);
  });

  it('loses them at once when it has left them', async () => {
    expect(await takes({ ...leaseless, has_left: true }, ['engine', '1', '', '1'])).toBe(true);
  });
});

describe('an edge without a lease at another engine with the same listeners', () => {
  const sameAddress = { hasEngine: false, hasEnded: false, isFree: true };

  it('keeps its calls while it answers pings, and loses them otherwise', async () => {
    expect(await takes(sameAddress, noConnection, 'works')).toBe(false);
    expect(await takes(sameAddress, noConnection, 'unknown')).toBe(true);
    expect(await takes(sameAddress, noConnection, 'gone')).toBe(true);
  });

  it('loses its calls although it answers pings when it has left them', async () => {
    expect(await takes({ ...sameAddress, has_left: true }, noConnection, 'works')).toBe(true);
  });
});

describe('an edge without a lease at an engine with other listeners', () => {
  const elsewhere = { hasEngine: false, isElsewhere: true, hasEnded: false, isFree: true };

  it('loses its calls unless its machine works', async () => {
    expect(await takes(elsewhere, noConnection, 'unknown')).toBe(true);
    expect(await takes(elsewhere, noConnection, 'gone')).toBe(true);
  });

  it('keeps its calls while its machine works: it may come back, and its engine would end them', async () => {
    expect(await takes(elsewhere, noConnection, 'works')).toBe(false);
    expect(await takes({ ...elsewhere, has_left: true }, noConnection, 'works')).toBe(false);
  });

  it('keeps its calls while its lease stands, unless its machine is known to be gone', async () => {
    expect(await takes({ ...elsewhere, isFree: false }, noConnection, 'unknown')).toBe(false);
    expect(await takes({ ...elsewhere, isFree: false }, noConnection, 'gone')).toBe(true);
  });
});

describe('an edge of a newer release that has ended', () => {
  const ended = { hasEngine: true, hasEnded: true };

  it('keeps its calls for an edge that can read their documents, and one warning says so', async () => {
    expect(await takes({ ...ended, document_version: heldCallVersion + 1 }, noConnection)).toBe(false);
    expect(warnings).toEqual([expect.stringContaining('only an edge of that release can')]);
  });

  it('loses its calls to this one where the documents are of the version before', async () => {
    expect(await takes({ ...ended, document_version: heldCallVersion - 1 }, noConnection)).toBe(true);
  });
});

describe('an edge that came to a restarted engine first', () => {
  const late = 15_000;
  const elsewhere = { holder: 'other', owners: ['other'], hasLease: true, isFree: false, isElsewhere: false };

  /** How long it waits where another edge, which lives, comes after 15 s. */
  async function waits(isDraining: boolean, redisDownFor = 0): Promise<number> {
    const from = performance.now();
    const passed = (): number => performance.now() - from;
    const adoption = new Adoption({
      engine: {
        owner: 'own',
        keepsDialogs: true,
        isUp: true,
        command: async () => ({ fields: ['engine', '1', '', '1'], body: '' }),
      },
      lease: {
        engine: 'engine',
        readOtherHolders: async () => {
          if (passed() < redisDownFor) throw new Error('Redis is down');
          const hasEngine = passed() >= late;
          return [{ ...elsewhere, hasEngine, document_version: heldCallVersion, hasEnded: () => false }];
        },
      },
      machines: { watch: () => {}, edgeState: () => 'unknown' },
      isDraining: () => isDraining,
      hasEngine: () => true,
      lookMilliseconds: 500,
      log: { warn: () => {}, debug: () => {} },
    } as unknown as AdoptionDeps);
    let waited = 0;
    const done = adoption.adoptLost().then(() => {
      waited = passed();
    });
    await vi.advanceTimersByTimeAsync(30_000);
    await done;
    return waited;
  }

  it.each([
    ['which lives', false, 0],
    ['also when it is draining itself', true, 0],
    ['also when Redis was restarted with the engine', false, 5_000],
  ] as const)('has it wait for another one, %s', async (_when, isDraining, redisDownFor) => {
    const waited = await waits(isDraining, redisDownFor);
    expect(waited).toBeGreaterThanOrEqual(late);
    expect(waited).toBeLessThan(late + 1_000);
  });

  it('waits no longer than the engine keeps requests', async () => {
    expect(await waits(false, 60_000)).toBeLessThan(20_500);
  });
});

describe('an edge whose takeover fails at the engine', () => {
  /** @param refusals how often the engine does not reply to `adopt` */
  function takeover(refusals: number, parts: object = {}) {
    const read: (readonly string[])[] = [];
    const taken: string[] = [];
    const givenBack: string[] = [];
    const gone = (holder: string) => ({
      holder,
      owners: [holder],
      engine: 'engine',
      hasEngine: true,
      left_for: null,
      isFree: true,
      document_version: heldCallVersion,
      hasEnded: () => true,
    });
    let left = refusals;
    const adoption = new Adoption({
      engine: {
        owner: 'own',
        keepsDialogs: true,
        isUp: true,
        command: async (leader: string) => {
          if (leader.startsWith('adopt|') && left-- > 0) throw new Error('The SIP engine did not reply.');
          return { fields: noConnection, body: '[]' };
        },
      },
      lease: {
        engine: 'engine',
        readOtherHolders: async () => [gone(taken.length === 0 ? 'first' : 'second')],
        take: async ({ holder }: OtherHolder) => {
          if (taken.includes(holder)) return undefined;
          taken.push(holder);
          return { documents: new Map([[`call of ${holder}`, '']]), left: 0, unanswered: [] };
        },
        unclaimed: async () => ['call of first', 'call of another edge'],
        nameOwners: async () => {},
        documentsOf: async (ids: readonly string[]) => {
          read.push(ids);
          return new Map(ids.map((id) => [id, '']));
        },
        adopted: () => {},
        giveBack: async (_holder: object, ids: readonly string[]) => void givenBack.push(...ids),
        dropDocuments: async () => {},
      },
      // A document that cannot be read: what is repeated is the engine's part.
      held: { open: () => undefined },
      calls: { pool: { deleteEverywhere: async () => {} } },
      table: { find: () => undefined, findUnrecorded: () => undefined, isJustRecorded: () => false },
      orders: { leave: () => {} },
      machines: { watch: () => {} },
      endLost: () => {},
      takeovers: [],
      isDraining: () => false,
      hasEngine: () => true,
      lookMilliseconds: 500,
      log: { warn: (_fields: object, text: string) => warnings.push(text), debug: () => {}, info: () => {} },
      ...parts,
    } as unknown as AdoptionDeps);
    return { adoption, read, taken, givenBack };
  }

  it('repeats it with the calls of that holder only', async () => {
    const { adoption, read, givenBack } = takeover(1);
    await expect(adoption.takeLost()).rejects.toThrow('did not reply');
    expect(adoption.isUnfinished).toBe(true);
    await adoption.takeLost();
    expect(read).toEqual([['call of first']]);
    expect(givenBack).toContain('call of first');
    expect(adoption.isUnfinished).toBe(false);
  });

  it('takes over the calls of other edges meanwhile', async () => {
    const { adoption, taken } = takeover(2);
    await expect(adoption.takeLost()).rejects.toThrow('did not reply');
    await expect(adoption.takeLost()).rejects.toThrow('did not reply');
    expect(taken).toEqual(['first', 'second']);
  });

  it('leaves the calls to control when the engine refuses them for longer than it keeps dialogs', async () => {
    const { adoption, givenBack } = takeover(Number.POSITIVE_INFINITY);
    await expect(adoption.takeLost()).rejects.toThrow('did not reply');
    await vi.advanceTimersByTimeAsync(29_000);
    await expect(adoption.takeLost()).rejects.toThrow('did not reply');
    expect(givenBack).not.toContain('call of first');
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(adoption.takeLost()).rejects.toThrow('did not reply');
    expect(givenBack).toContain('call of first');
  });

  it('does not stop at the password of a trunk that it cannot read', async () => {
    warnings = [];
    const legs = { trunk: { credential: 'user' }, agent: null };
    const call = { call_id: 'call of first', number: '1', legs, media: null };
    const trunks = {
      find: async () => {
        // As an edge without the key finds it.
        return {
          get outbound(): never {
            throw new Error('It was sealed with another key.');
          },
        };
      },
    };
    const { adoption, givenBack } = takeover(0, { held: { open: () => ({ call, trace: '' }) }, trunks });
    await adoption.takeLost();
    expect(warnings).toEqual([expect.stringContaining('credential')]);
    expect(givenBack).toEqual(['call of first']);
  });
});
