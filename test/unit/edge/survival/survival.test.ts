import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import type { Call } from '../../../../src/edge/call/call.js';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { Survival, type SurvivalDeps } from '../../../../src/edge/survival/survival.js';
import { confirmedCall, RedisDouble } from './held-doubles.js';

class LeaseDouble extends EventEmitter {
  engine: string | undefined = 'engine-1';
  isTaken = true;
  readonly isCurrent = true;
  readonly steps: string[] = [];

  async readOtherHolders(): Promise<readonly object[]> {
    return [];
  }

  async leave(): Promise<boolean> {
    this.steps.push('leave');
    return this.isTaken;
  }

  async leaveToNext(): Promise<boolean> {
    this.steps.push('leave to next');
    return this.isTaken;
  }

  async announceLeaving(): Promise<void> {
    this.steps.push('announce');
  }

  async stop(): Promise<void> {
    this.steps.push('stop');
  }
}

class EngineDouble extends EventEmitter {
  isUp = true;
  boundListeners: readonly string[] = [];
  isResponsive = true;
  keepsDialogs = true;
  isRouteRefused = false;
  readonly commands: string[] = [];

  async command(leader: string): Promise<object> {
    this.commands.push(leader);
    if (this.isRouteRefused) throw new Error('no such route');
    return {};
  }
}

let redis: RedisDouble;
let lease: LeaseDouble;
let engine: EngineDouble;
let table: CallTable;
let survival: Survival;
let lost: Call[];
let addressesLeft: number;
beforeEach(() => {
  vi.useFakeTimers();
  lost = [];
  addressesLeft = 0;
  redis = new RedisDouble();
  lease = new LeaseDouble();
  engine = new EngineDouble();
  table = new CallTable();
  survival = new Survival(
    {
      redis,
      lease,
      engine,
      table,
      holder: 'edge-1',
      secrets: new SecretBox([generateSecretKey()]),
      log: pino({ level: 'silent' }),
      orders: { adopt: () => {}, leave: () => {} },
      transfers: {},
      takeovers: [],
      isDraining: () => false,
      settings: {
        survival: {
          lookMilliseconds: 1_000,
          graceMilliseconds: 1_000,
          isRehoming: false,
          pingListen: undefined,
        },
      },
      leaveAddress: () => {
        addressesLeft += 1;
      },
    } as unknown as SurvivalDeps,
    (calls) => void lost.push(...calls),
  );
});
afterEach(async () => {
  await survival.stop();
  vi.useRealTimers();
});

/** Calls written for what changes from now on. */
async function writtenLater(): Promise<number> {
  redis.written.length = 0;
  const call = confirmedCall(table);
  await vi.advanceTimersByTimeAsync(1_000);
  call.changed();
  await vi.advanceTimersByTimeAsync(1_000);
  return redis.written.length;
}

describe.each([
  ['handOver', 'leave'],
  ['leave', 'leave to next'],
] as const)('%s of the calls to another edge', (method, step) => {
  it('writes them all, leaves them, and writes none of them later', async () => {
    const call = confirmedCall(table);
    expect(await survival[method]()).toBe(true);
    expect(redis.written).toEqual([[call.state.id]]);
    expect(lease.steps).toEqual([step]);
    expect(await writtenLater()).toBe(0);
  });

  it('leaves the lease alone when the process stops afterwards', async () => {
    await survival[method]();
    await survival.stop();
    expect(lease.steps).toEqual([step]);
  });

  it('returns false when no edge can have them, and continues to write them', async () => {
    lease.isTaken = false;
    expect(await survival[method]()).toBe(false);
    expect(await writtenLater()).toBeGreaterThan(0);
    await survival.stop();
    expect(lease.steps).toEqual([step, 'stop']);
  });

  it('returns false when Redis does not take them, and continues to write them', async () => {
    redis.isFull = true;
    confirmedCall(table);
    expect(await survival[method]()).toBe(false);
    expect(lease.steps).toEqual([]);
    redis.isFull = false;
    expect(await writtenLater()).toBeGreaterThan(0);
  });
});

describe('an edge that stops', () => {
  it.each([
    ['the engine keeps no dialogs', false, 'engine-1', false, false],
    ['no engine is known', true, undefined, false, false],
    ['the engine keeps dialogs', true, 'engine-1', true, true],
  ] as const)('may have a successor or not: %s', (_why, keepsDialogs, known, mayHave, mayLeave) => {
    engine.keepsDialogs = keepsDialogs;
    lease.engine = known;
    expect([survival.mayHaveSuccessor, survival.mayLeave]).toEqual([mayHave, mayLeave]);
  });

  it('may not leave calls to an engine that does not respond', () => {
    engine.isResponsive = false;
    expect([survival.mayHaveSuccessor, survival.mayLeave]).toEqual([true, false]);
  });

  it.each([
    ['no engine is connected', false, true],
    ['the engine keeps no dialogs', true, false],
    ['there is no other edge', true, true],
  ])('has no successor when %s', async (_why, isUp, keepsDialogs) => {
    Object.assign(engine, { isUp, keepsDialogs });
    expect(await survival.hasSuccessor()).toBe(false);
    expect(await survival.announceLeaving(performance.now())).toBe(false);
  });

  it('announces that it leaves only where another edge could take its calls', async () => {
    engine.keepsDialogs = false;
    await survival.announceLeaving(performance.now());
    expect(lease.steps).toEqual([]);
    engine.keepsDialogs = true;
    await survival.announceLeaving(performance.now());
    expect(lease.steps).toEqual(['announce']);
  });

  it('removes its route for new calls, and accepts that the engine has none', async () => {
    engine.isRouteRefused = true;
    await survival.refuseNew();
    expect(engine.commands).toEqual(['remove_route|invite']);
  });
});

describe('a lost connection to the engine', () => {
  const address = '192.0.2.7';
  const ofMachine = os.networkInterfaces;
  const present = (...addresses: string[]): void => {
    os.networkInterfaces = () => ({ eth0: addresses.map((each) => ({ address: each })) as never });
    syncBuiltinESMExports();
  };
  /** The engine listens on the address while this machine has it. */
  const connect = async (): Promise<void> => {
    present(address);
    engine.boundListeners = [`tcp/${address}:5060`];
    survival.start();
    engine.emit('up');
    await vi.advanceTimersByTimeAsync(0);
  };
  afterEach(() => {
    os.networkInterfaces = ofMachine;
    syncBuiltinESMExports();
  });

  it('ends answered calls only after they have waited for the engine', async () => {
    await connect();
    const call = confirmedCall(table);
    engine.emit('down');
    await vi.advanceTimersByTimeAsync(999);
    expect(lost).toEqual([]);
    engine.isUp = false;
    await vi.advanceTimersByTimeAsync(1);
    expect(lost).toEqual([call]);
    expect([lease.steps, addressesLeft]).toEqual([[], 0]);
  });

  it('ends no call that was left to another edge', async () => {
    await connect();
    confirmedCall(table);
    await survival.leave();
    engine.isUp = false;
    engine.emit('down');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lost).toEqual([]);
  });

  it('leaves the calls to the machine that has the address of the engine now', async () => {
    await connect();
    confirmedCall(table);
    present('192.0.2.8');
    engine.isUp = false;
    engine.emit('down');
    await vi.advanceTimersByTimeAsync(5_000);
    expect([lease.steps, addressesLeft, lost]).toEqual([['leave to next'], 1, []]);
    expect(await writtenLater()).toBe(0);
  });

  it('stays where the engine listened on an address that this machine never had', async () => {
    present('192.0.2.8');
    engine.boundListeners = [`tcp/${address}:5060`];
    survival.start();
    engine.emit('up');
    await vi.advanceTimersByTimeAsync(0);
    engine.emit('down');
    await vi.advanceTimersByTimeAsync(5_000);
    expect([lease.steps, addressesLeft]).toEqual([[], 0]);
  });
});
