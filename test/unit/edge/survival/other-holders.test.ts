import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { identify, processSpace } from '../../../../src/base/process-identity.js';
import { holderLeaseKey, holdersKey } from '../../../../src/contract/held-call.js';
import { OtherHolders } from '../../../../src/edge/survival/other-holders.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const leaseMilliseconds = 10_000;
const renewMilliseconds = 3_000;
const ours = { engine: 'engine-1', listeners: 'tls/192.0.2.1:5061' };

let redis: MemoryRedis;
beforeEach(() => {
  vi.useFakeTimers();
  redis = new MemoryRedis();
});
afterEach(() => void vi.useRealTimers());

function holders({ isRehoming = true } = {}) {
  const otherHolders = new OtherHolders({
    redis: redis.asRedis,
    holder: 'edge-1',
    leaseMilliseconds,
    renewMilliseconds,
    isRehoming,
  });
  otherHolders.renewed(true);
  return { otherHolders, read: () => otherHolders.read(ours) };
}

/** Another process as it renewed itself just now; without a lease where that has run out. */
function known(holder: string, facts: object = {}, hasLease = true): void {
  const hash = redis.hashes.get(holdersKey) ?? new Map<string, string>();
  const all = { edge_id: 'e2', ...ours, owners: [holder], at: Date.now(), document_version: 1, ...facts };
  redis.hashes.set(holdersKey, hash.set(holder, JSON.stringify(all)));
  if (hasLease) redis.strings.set(holderLeaseKey(holder), '1');
  else redis.strings.delete(holderLeaseKey(holder));
}

describe('the other holders', () => {
  it('are all but this process, and those that can be read', async () => {
    known('edge-1');
    known('edge-2');
    redis.hashes.get(holdersKey)!.set('edge-3', '{"not":"facts"}');
    expect((await holders().read()).map(({ holder }) => holder)).toEqual(['edge-2']);
    redis.hashes.clear();
    expect(await holders().read()).toEqual([]);
  });

  it('have our engine, the one before it, or are elsewhere', async () => {
    known('here');
    known('before', { engine: 'engine-0' });
    known('elsewhere', { engine: 'engine-2', listeners: 'tls/192.0.2.2:5061' });
    const found = await holders().read();
    expect(found.map(({ holder, hasEngine, isElsewhere }) => [holder, hasEngine, isElsewhere])).toEqual([
      ['here', true, false],
      ['before', false, false],
      ['elsewhere', false, true],
    ]);
  });

  it('elsewhere are none where calls cannot continue here', async () => {
    known('here');
    known('elsewhere', { engine: 'engine-2', listeners: 'tls/192.0.2.2:5061' });
    const found = await holders({ isRehoming: false }).read();
    expect(found.map(({ holder }) => holder)).toEqual(['here']);
  });

  it('are elsewhere while this process does not know its own listeners', async () => {
    known('before', { engine: 'engine-0', listeners: '' });
    const [found] = await holders().otherHolders.read({ engine: undefined, listeners: '' });
    expect(found).toMatchObject({ isElsewhere: true, hasEngine: false });
  });

  it('are forgotten an hour after their last renewal', async () => {
    known('edge-2', { at: Date.now() - 3_600_000 });
    known('edge-3', { at: Date.now() - 3_600_001 });
    expect((await holders().read()).map(({ holder }) => holder)).toEqual(['edge-2']);
    expect([...redis.hashes.get(holdersKey)!.keys()]).toEqual(['edge-2']);
  });
});

describe('a holder', () => {
  it('is not free while its lease stands', async () => {
    known('edge-2', { has_left: true });
    expect((await holders().read())[0]).toMatchObject({ hasLease: true, isFree: false });
  });

  it('is free half a lease after its lease ran out, as seen from here', async () => {
    known('edge-2', {}, false);
    const { read } = holders();
    expect((await read())[0]).toMatchObject({ hasLease: false, isFree: false });
    await vi.advanceTimersByTimeAsync(leaseMilliseconds / 2 - 1);
    expect((await read())[0]!.isFree).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await read())[0]!.isFree).toBe(true);
  });

  it('is free at once when it has left its calls', async () => {
    known('edge-2', { has_left: true }, false);
    const { read, otherHolders } = holders();
    expect((await read())[0]!.isFree).toBe(true);
    otherHolders.renewed(false);
    expect((await read())[0]!.isFree).toBe(true);
  });

  it('is not free while this process cannot renew its own lease, and the time starts again', async () => {
    known('edge-2', {}, false);
    const { read, otherHolders } = holders();
    await read();
    await vi.advanceTimersByTimeAsync(leaseMilliseconds);
    otherHolders.renewed(false);
    expect((await read())[0]!.isFree).toBe(false);
    otherHolders.renewed(true);
    expect((await read())[0]!.isFree).toBe(false);
    await vi.advanceTimersByTimeAsync(leaseMilliseconds / 2);
    expect((await read())[0]!.isFree).toBe(true);
  });

  it('gets the whole time again when it had its lease meanwhile', async () => {
    known('edge-2', {}, false);
    const { read } = holders();
    await read();
    await vi.advanceTimersByTimeAsync(leaseMilliseconds);
    known('edge-2');
    await read();
    known('edge-2', {}, false);
    expect((await read())[0]!.isFree).toBe(false);
  });

  it('is late when it did not renew for one and a half times as long as it may take', async () => {
    known('edge-2');
    const { read, otherHolders } = holders();
    expect((await read())[0]!.isLate).toBe(false);
    await vi.advanceTimersByTimeAsync(1.5 * renewMilliseconds - 1);
    expect((await read())[0]!.isLate).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await read())[0]!.isLate).toBe(true);
    known('edge-2');
    expect((await read())[0]!.isLate).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * renewMilliseconds);
    otherHolders.renewed(false);
    expect((await read())[0]!.isLate).toBe(false);
  });

  it('has its call reserved while the holder that it was left for lives', async () => {
    known('edge-2', { left_for: 'edge-3' });
    known('edge-3');
    const { read } = holders();
    expect((await read()).map(({ isReserved }) => isReserved)).toEqual([true, false]);
    redis.strings.delete(holderLeaseKey('edge-3'));
    expect((await read())[0]!.isReserved).toBe(false);
  });

  it('has ended when its process of this machine does not run', async () => {
    const self = { ...identify(process.pid)!, space: processSpace() };
    known('running', { process: self });
    known('ended', { process: { ...self, started: 'another time' } });
    known('elsewhere', { process: { ...self, started: 'another time', space: 'another machine' } });
    known('unknown', { process: null });
    const found = await holders().read();
    expect(found.map(({ holder, hasEnded }) => [holder, hasEnded()])).toEqual([
      ['running', false],
      ['ended', true],
      ['elsewhere', false],
      ['unknown', false],
    ]);
  });
});
