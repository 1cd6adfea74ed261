import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  adoptedByKey,
  type HolderFacts,
  heldCallsKey,
  holderLeaseKey,
  holdersKey,
  leftCallsKey,
} from '../../../../src/contract/held-call.js';
import { openCallOwnersKey, openCallsKey } from '../../../../src/contract/open-calls.js';
import type { DialogsAtEngine } from '../../../../src/edge/survival/dialogs-at-engine.js';
import { HolderLease } from '../../../../src/edge/survival/holder-lease.js';
import type { OtherHolder } from '../../../../src/edge/survival/other-holders.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const leaseMilliseconds = 10_000;
const renewMilliseconds = 3_000;

let redis: MemoryRedis;
let lost: ReturnType<typeof vi.fn<() => void>>;
/** What the engine says of its dialogs. */
let dialogs: DialogsAtEngine;
let asked: string[];
beforeEach(() => {
  dialogs = 'ours';
  asked = [];
  vi.useFakeTimers();
  redis = new MemoryRedis();
  lost = vi.fn<() => void>();
});
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

function leaseOf(holder = 'edge-1'): HolderLease {
  return new HolderLease({
    redis: redis.asRedis,
    holder,
    edgeId: 'e1',
    leaseMilliseconds,
    renewMilliseconds,
    isRehoming: true,
    dialogsAtEngine: async (engine) => {
      asked.push(engine);
      return dialogs;
    },
    lost,
  });
}

/** A lease of an edge whose engine has its dialogs. */
async function begun(holder?: string): Promise<HolderLease> {
  const lease = leaseOf(holder);
  lease.begin('engine-1', 'owner-1', ['tls/192.0.2.1:5061', 'tcp/192.0.2.1:5060']);
  await settle();
  return lease;
}

const factsOf = (holder = 'edge-1'): HolderFacts | null =>
  JSON.parse(redis.hashes.get(holdersKey)?.get(holder) ?? 'null');

/** What a process does that adopts this holder's calls. */
const adopt = (holder = 'edge-1') => void redis.strings.set(adoptedByKey(holder), 'another');

const otherHolder = (holder: string, owner = 'owner-2') =>
  ({ holder, owners: [owner], left_for: null }) as unknown as OtherHolder;

describe('a lease', () => {
  it('names its engine, with the listeners in one order, and is renewed', async () => {
    const lease = await begun();
    expect(lease.engine).toBe('engine-1');
    expect(factsOf()).toMatchObject({
      edge_id: 'e1',
      engine: 'engine-1',
      listeners: 'tcp/192.0.2.1:5060,tls/192.0.2.1:5061',
      owners: ['owner-1'],
      is_leaving: false,
      has_left: false,
    });
    expect(redis.lifetimes.get(holderLeaseKey('edge-1'))).toBe(leaseMilliseconds);
    redis.strings.delete(holderLeaseKey('edge-1'));
    await vi.advanceTimersByTimeAsync(renewMilliseconds);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(true);
  });

  it('writes the next engine at once, and keeps what it had announced', async () => {
    const lease = await begun();
    await lease.announceLeaving();
    lease.begin('engine-2', 'owner-2', []);
    await settle();
    expect(factsOf()).toMatchObject({ engine: 'engine-2', owners: ['owner-2'], is_leaving: true });
  });

  it('says where others can ping the edge', async () => {
    const ping = { address: '192.0.2.1', port: 5_062 } as unknown as HolderFacts['ping'];
    const idle = leaseOf('edge-2');
    idle.pingAt(ping);
    await settle();
    expect(factsOf('edge-2')).toBeNull();
    const lease = await begun();
    lease.pingAt(ping);
    await settle();
    expect(factsOf()?.ping).toEqual(ping);
    lease.begin('engine-2', 'owner-2', []);
    await settle();
    expect(factsOf()?.ping).toEqual(ping);
  });

  it('is renewed as soon as Redis is back, until it stops', async () => {
    const lease = await begun();
    redis.strings.delete(holderLeaseKey('edge-1'));
    redis.emit('ready');
    await settle();
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(true);
    await lease.stop();
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(false);
    expect(factsOf()).toBeNull();
    redis.emit('ready');
    await vi.advanceTimersByTimeAsync(2 * renewMilliseconds);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(false);
  });

  it('stops without a word to a Redis that is not ready', async () => {
    const lease = await begun();
    redis.status = 'reconnecting';
    await lease.stop();
    expect(factsOf()).not.toBeNull();
  });
});

describe('a holder', () => {
  it('is one without asking Redis while its lease stands', async () => {
    const lease = await begun();
    redis.isDown = true;
    expect(await lease.isHolder()).toBe(true);
    await vi.advanceTimersByTimeAsync(leaseMilliseconds - 1);
    expect(await lease.isHolder()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    await expect(lease.isHolder()).rejects.toThrow('Connection is closed.');
  });

  it('is one before it has an engine', async () => {
    expect(await leaseOf().isHolder()).toBe(true);
  });

  it('loses its calls once to a process that has adopted them', async () => {
    const lease = await begun();
    adopt();
    redis.hashes.set(heldCallsKey('edge-1'), new Map([['call-1', 'sealed']]));
    expect(await lease.renewed()).toBe(false);
    expect(await lease.isHolder()).toBe(false);
    expect(lost).toHaveBeenCalledTimes(1);
    expect(redis.hashes.has(heldCallsKey('edge-1'))).toBe(false);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(false);
    expect(factsOf()).toBeNull();
    await lease.lose();
    await vi.advanceTimersByTimeAsync(2 * renewMilliseconds);
    expect(lost).toHaveBeenCalledTimes(1);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(false);
  });

  it('keeps its entry after it lost its calls, while others have not taken all of them', async () => {
    const lease = await begun();
    adopt();
    redis.hashes.set(leftCallsKey('edge-1'), new Map([['call-1', 'sealed']]));
    await lease.renewed();
    expect(factsOf()).not.toBeNull();
  });

  it('reports that it lost its calls although Redis is down again', async () => {
    const lease = await begun();
    redis.isDown = true;
    await lease.lose();
    expect(lost).toHaveBeenCalledTimes(1);
  });
});

describe('a process that stalled for longer than its lease', () => {
  /** Another one has taken all of its calls, and Redis has lost the mark. */
  async function wakesUp(hasEntry = false): Promise<{ lease: HolderLease; dataLost: () => void }> {
    const lease = await begun();
    const dataLost = vi.fn();
    lease.on('dataLost', dataLost);
    expect(lease.isCurrent).toBe(true);
    redis.strings.delete(holderLeaseKey('edge-1'));
    if (!hasEntry) redis.hashes.get(holdersKey)!.delete('edge-1');
    // Nothing runs meanwhile.
    vi.setSystemTime(Date.now() + 2 * leaseMilliseconds);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2 * leaseMilliseconds);
    expect(lease.isCurrent).toBe(false);
    return { lease, dataLost };
  }
  afterEach(() => void vi.restoreAllMocks());

  it.each([false, true])(
    'learns from the engine that another one has its calls (entry: %s)',
    async (entry) => {
      const { lease, dataLost } = await wakesUp(entry);
      dialogs = 'adopted';
      expect(await lease.renewed()).toBe(false);
      expect(asked).toEqual(['engine-1']);
      expect(lost).toHaveBeenCalledTimes(1);
      // Its documents would be taken once more.
      expect(dataLost).not.toHaveBeenCalled();
      expect(lease.isCurrent).toBe(false);
    },
  );

  it('has them again once the engine says so, which may be connected later', async () => {
    const { lease, dataLost } = await wakesUp();
    dialogs = 'unknown';
    expect(await lease.renewed()).toBe(true);
    expect(await lease.isHolder()).toBe(true);
    expect(lease.isCurrent).toBe(false);
    expect(dataLost).not.toHaveBeenCalled();
    dialogs = 'ours';
    expect(await lease.renewed()).toBe(true);
    expect(lease.isCurrent).toBe(true);
    expect(dataLost).toHaveBeenCalledTimes(1);
    await lease.renewed();
    expect(asked).toHaveLength(2);
    expect(dataLost).toHaveBeenCalledTimes(1);
  });
});

describe('a Redis that has lost its data', () => {
  it.each([
    ['was emptied', () => redis.hashes.clear()],
    [
      'was restored from an older copy',
      () => redis.hashes.get(holdersKey)!.set('edge-1', JSON.stringify({ ...factsOf(), at: 1 })),
    ],
  ])('is noticed when it %s', async (_what, lose) => {
    const lease = await begun();
    const dataLost = vi.fn();
    lease.on('dataLost', dataLost);
    await vi.advanceTimersByTimeAsync(renewMilliseconds);
    expect(dataLost).not.toHaveBeenCalled();
    lose();
    await lease.renewed();
    expect(dataLost).toHaveBeenCalledTimes(1);
    await lease.renewed();
    expect(dataLost).toHaveBeenCalledTimes(1);
  });

  it('gets the marks of adopted holders again, for an hour', async () => {
    redis.script('adoptCalls', () => [[], 0, []]);
    const lease = await begun();
    await lease.take(otherHolder('edge-2'), false, 10);
    await lease.take({ ...otherHolder('edge-3'), left_for: 'edge-1' }, false, 10);
    redis.hashes.clear();
    await lease.renewed();
    expect(redis.strings.get(adoptedByKey('edge-2'))).toBe('edge-1');
    expect(redis.strings.has(adoptedByKey('edge-3'))).toBe(false);
    redis.strings.clear();
    await vi.advanceTimersByTimeAsync(3_600_001);
    redis.hashes.clear();
    await lease.renewed();
    expect(redis.strings.has(adoptedByKey('edge-2'))).toBe(false);
  });
});

describe('leaving', () => {
  beforeEach(() => {
    redis.script('leaveCalls', ([lease, holders, ...candidates], [holder, facts]) => {
      if (!candidates.some((key) => redis.strings.has(key))) return 0;
      redis.strings.delete(lease!);
      redis.hashes.get(holders!)!.set(holder!, facts!);
      return 1;
    });
  });

  it('is announced before', async () => {
    const idle = leaseOf('edge-2');
    await idle.announceLeaving();
    expect(factsOf('edge-2')).toBeNull();
    const lease = await begun();
    await lease.announceLeaving();
    expect(factsOf()).toMatchObject({ is_leaving: true, has_left: false });
  });

  it('needs another holder that lives', async () => {
    const lease = await begun();
    expect(await lease.leave([otherHolder('edge-2')])).toBe(false);
    expect(factsOf()?.has_left).toBe(false);
    redis.strings.delete(holderLeaseKey('edge-1'));
    await vi.advanceTimersByTimeAsync(renewMilliseconds);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(true);
    redis.strings.set(holderLeaseKey('edge-2'), '1');
    expect(await lease.leave([otherHolder('edge-2')])).toBe(true);
    expect(factsOf()?.has_left).toBe(true);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(false);
  });

  it('is final: no renewal follows, no name is added, and it happens once', async () => {
    const lease = await begun();
    expect(await lease.leaveToNext()).toBe(true);
    await vi.advanceTimersByTimeAsync(2 * renewMilliseconds);
    expect(redis.strings.has(holderLeaseKey('edge-1'))).toBe(false);
    expect(await lease.leaveToNext()).toBe(false);
    expect(await lease.addOwner('owner-9')).toBe(false);
    expect(factsOf()?.owners).toEqual(['owner-1']);
    redis.isDown = true;
    await vi.advanceTimersByTimeAsync(leaseMilliseconds);
    expect(await lease.isHolder()).toBe(true);
  });

  it('fails where Redis is down, and can be repeated', async () => {
    const lease = await begun();
    redis.isDown = true;
    await expect(lease.leaveToNext()).rejects.toThrow();
    redis.isDown = false;
    expect(await lease.leaveToNext()).toBe(true);
  });

  it('is not for a process that has no calls, or lost them', async () => {
    expect(await leaseOf('edge-2').leaveToNext()).toBe(false);
    const lease = await begun();
    await lease.lose();
    expect(await lease.leaveToNext()).toBe(false);
  });
});

describe('the names under which the engine keeps dialogs', () => {
  it('are added, once each, and end with the adoption', async () => {
    const lease = await begun();
    expect(await lease.addOwner('owner-2')).toBe(true);
    await lease.nameOwners(['owner-2', 'owner-3']);
    expect(factsOf()?.owners).toEqual(['owner-1', 'owner-2', 'owner-3']);
    lease.adopted(['owner-2']);
    await lease.renewed();
    expect(factsOf()?.owners).toEqual(['owner-1', 'owner-3']);
  });

  it('are not added by a process without engine', async () => {
    const lease = leaseOf();
    expect(await lease.addOwner('owner-2')).toBe(false);
    await lease.nameOwners(['owner-2']);
    lease.adopted(['owner-2']);
    expect(factsOf()).toBeNull();
  });
});

describe('one call that is left', () => {
  const left = {
    callId: 'call-1',
    document: Buffer.from('sealed'),
    owner: 'owner-call',
    holder: 'edge-1-call-1',
    successor: 'edge-2',
  };

  it('goes under a separate holder, with its owner alone', async () => {
    const scripts: string[][] = [];
    redis.script('leaveCall', (_keys, values) => {
      scripts.push(values);
      return 1;
    });
    const lease = await begun();
    await lease.addOwner('owner-call');
    expect(await lease.leaveCall(left)).toBe(true);
    const [, own, holder, its, callId] = scripts[0]!;
    expect([holder, callId]).toEqual(['edge-1-call-1', 'call-1']);
    expect(JSON.parse(own!)).toMatchObject({ owners: ['owner-1'], has_left: false });
    expect(JSON.parse(its!)).toMatchObject({ owners: ['owner-call'], has_left: true, left_for: 'edge-2' });
    await lease.renewed();
    expect(factsOf()?.owners).toEqual(['owner-1']);
  });

  it('stays where another process has the calls', async () => {
    redis.script('leaveCall', () => 0);
    const lease = await begun();
    expect(await lease.leaveCall(left)).toBe(false);
    await lease.lose();
    redis.script('leaveCall', () => 1);
    expect(await lease.leaveCall(left)).toBe(false);
    expect(await leaseOf('edge-9').leaveCall(left)).toBe(false);
  });
});

describe('the calls of another holder', () => {
  it('are taken with their documents, and its owners become known', async () => {
    const scripts: string[][] = [];
    redis.script('adoptCalls', (_keys, values) => {
      scripts.push(values);
      return [
        [Buffer.from('call-1'), Buffer.from('one'), Buffer.from('call-2'), Buffer.from('two')],
        3,
        ['call-9'],
      ];
    });
    const lease = await begun();
    const taken = await lease.take(otherHolder('edge-2'), true, 2);
    expect(taken).toEqual({
      documents: new Map([
        ['call-1', Buffer.from('one')],
        ['call-2', Buffer.from('two')],
      ]),
      left: 3,
      unanswered: ['call-9'],
    });
    const [dead, adopter, isGone, facts, , most] = scripts[0]!;
    expect([dead, adopter, isGone, most]).toEqual(['edge-2', 'edge-1', '1', '2']);
    expect(JSON.parse(facts!).owners).toEqual(['owner-1', 'owner-2']);
    await lease.take(otherHolder('edge-3', 'owner-3'), false, 2);
    expect(scripts[1]![2]).toBe('0');
    await lease.renewed();
    expect(factsOf()?.owners).toEqual(['owner-1', 'owner-2', 'owner-3']);
  });

  it('stay where it lives, or where this process is no holder itself', async () => {
    redis.script('adoptCalls', () => null);
    const lease = await begun();
    expect(await lease.take(otherHolder('edge-2'), false, 2)).toBeUndefined();
    await lease.renewed();
    expect(factsOf()?.owners).toEqual(['owner-1']);
    redis.script('adoptCalls', () => [[], 0, []]);
    expect(await leaseOf('edge-9').take(otherHolder('edge-2'), false, 2)).toBeUndefined();
    await lease.lose();
    expect(await lease.take(otherHolder('edge-2'), false, 2)).toBeUndefined();
  });

  it('are not given to another one where they have ended', async () => {
    const lease = await begun();
    const documents = new Map([
      ['call-1', 'sealed'],
      ['call-2', 'sealed'],
    ]);
    redis.hashes.set(heldCallsKey('edge-1'), documents);
    await lease.dropDocuments([]);
    expect(redis.hashes.get(heldCallsKey('edge-1'))!.size).toBe(2);
    await lease.dropDocuments(['call-1']);
    expect([...redis.hashes.get(heldCallsKey('edge-1'))!.keys()]).toEqual(['call-2']);
  });

  it('are given back with what is known of them in place of a record', async () => {
    const lease = await begun();
    redis.hashes.set(
      heldCallsKey('edge-1'),
      new Map([
        ['call-1', 'sealed'],
        ['call-2', 'sealed'],
        ['call-3', 'sealed'],
      ]),
    );
    redis.hashes.set(
      openCallsKey('edge-1'),
      new Map([
        ['call-1', '{"call":1}'],
        ['call-3', '{"call":3}'],
      ]),
    );
    await lease.giveBack(otherHolder('edge-2'), []);
    expect(redis.hashes.get(heldCallsKey('edge-1'))!.size).toBe(3);
    await lease.giveBack(otherHolder('edge-2'), ['call-1', 'call-2']);
    expect([...redis.hashes.get(heldCallsKey('edge-1'))!.keys()]).toEqual(['call-3']);
    expect([...redis.hashes.get(openCallsKey('edge-1'))!.keys()]).toEqual(['call-3']);
    expect(redis.hashes.get(openCallsKey('edge-2'))).toEqual(new Map([['call-1', '{"call":1}']]));
    expect(redis.sets.get(openCallOwnersKey)).toEqual(new Set(['edge-2']));
    expect(redis.lifetimes.has(openCallsKey('edge-2'))).toBe(true);
    await lease.giveBack(otherHolder('edge-4'), ['call-2']);
    expect(redis.sets.get(openCallOwnersKey)).toEqual(new Set(['edge-2']));
  });
});

describe('calls in Redis', () => {
  beforeEach(() => {
    redis.hashes.set(
      heldCallsKey('edge-1'),
      new Map([
        ['call-1', 'one'],
        ['call-2', 'two'],
      ]),
    );
  });

  it('are unclaimed where this process does not know them', async () => {
    const lease = leaseOf();
    expect(await lease.unclaimed((id) => id === 'call-1')).toEqual(['call-2']);
    expect(await lease.documentsOf(['call-2', 'call-9'])).toEqual(new Map([['call-2', Buffer.from('two')]]));
  });

  it('are elsewhere where edges on other engines have them', async () => {
    const lease = await begun();
    await begun('edge-2');
    const elsewhere = leaseOf('edge-3');
    elsewhere.begin('engine-3', 'owner-3', ['tls/192.0.2.3:5061']);
    await settle();
    redis.hashes.set(heldCallsKey('edge-2'), new Map([['call-5', 'x']]));
    redis.hashes.set(heldCallsKey('edge-3'), new Map([['call-6', 'x']]));
    expect(await lease.takenElsewhere()).toEqual({ ids: new Set(['call-6']), isWhole: true });
    redis.hashes.set(leftCallsKey('edge-1'), new Map([['call-7', 'x']]));
    expect((await lease.takenElsewhere()).isWhole).toBe(false);
  });
});
