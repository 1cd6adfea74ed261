import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/edge/call/call.js';
import type { CallTable } from '../../../../src/edge/call/call-table.js';
import { LateReply } from '../../../../src/edge/sip/engine-commands.js';
import type { EngineLink } from '../../../../src/edge/sip/engine-link.js';
import type { HolderLease } from '../../../../src/edge/survival/holder-lease.js';
import { Recovery, type RecoveryDeps } from '../../../../src/edge/survival/recovery.js';

const graceMilliseconds = 30_000;

interface State {
  calls: Call[];
  keepsDialogs: boolean;
  owner: string | undefined;
  instance: string;
  isHolder: boolean;
  adopted: string[];
  commands: string[];
  /** Of the next commands. */
  failures: Error[];
  lost: Call[];
  begun: string[];
  isUnfinished: boolean;
  adoptLost: () => void;
}

let state: State;
afterEach(() => {
  vi.useRealTimers();
});
beforeEach(() => {
  vi.useFakeTimers();
  state = {
    calls: [],
    keepsDialogs: true,
    owner: 'own',
    instance: 'engine',
    isHolder: true,
    adopted: ['trunk', 'agent'],
    commands: [],
    failures: [],
    lost: [],
    begun: [],
    isUnfinished: false,
    adoptLost: () => {},
  };
});

function call(phase: string, fields: object = {}): Call {
  const added = {
    state: { phase },
    exchange: { isOpen: false },
    dialogs: { trunk: { id: 'trunk' }, agent: { id: 'agent' } },
    ...fields,
  } as unknown as Call;
  state.calls.push(added);
  return added;
}

function recovery(): Recovery {
  const engine = {
    get keepsDialogs() {
      return state.keepsDialogs;
    },
    get owner() {
      return state.owner;
    },
    isUp: true,
    rebind: () => {},
    command: async (leader: string) => {
      state.commands.push(leader);
      const failure = state.failures.shift();
      if (failure !== undefined) throw failure;
      return leader.startsWith('adopt')
        ? { fields: [], body: JSON.stringify(state.adopted.map((id) => ({ id }))) }
        : { fields: [state.instance], body: '' };
    },
  };
  const lease = {
    engine: 'engine',
    begin: (instance: string) => state.begun.push(instance),
    renewed: async () => state.isHolder,
  };
  const table = {
    get size() {
      return state.calls.length;
    },
    forEach: (visit: (each: Call) => void) => state.calls.forEach(visit),
  };
  return new Recovery({
    engine: engine as unknown as EngineLink,
    lease: lease as unknown as HolderLease,
    table: table as unknown as CallTable,
    endLost: (calls) => state.lost.push(...calls),
    graceMilliseconds,
    adoptLost: async () => state.adoptLost(),
    adoption: {
      get isUnfinished() {
        return state.isUnfinished;
      },
    },
    log: { warn: () => {}, info: () => {} } as unknown as RecoveryDeps['log'],
  });
}

const isGivenUp = async (): Promise<boolean> => {
  const before = state.lost.length;
  await vi.advanceTimersByTimeAsync(2 * graceMilliseconds);
  return state.lost.length > before;
};

describe('a lost connection to the engine', () => {
  it('ends the calls that are not confirmed', () => {
    const ringing = call('proceeding');
    call('confirmed');
    recovery().down();
    expect(state.lost).toEqual([ringing]);
  });

  it('ends all calls of an engine that keeps no dialogs', () => {
    state.keepsDialogs = false;
    const confirmed = call('confirmed');
    recovery().down();
    expect(state.lost).toEqual([confirmed]);
  });

  it('without calls leaves nothing to wait for', async () => {
    const of = recovery();
    of.down();
    call('confirmed');
    expect(await isGivenUp()).toBe(false);
    of.stop();
  });

  it('ends the others when it lasts too long', async () => {
    const confirmed = call('confirmed');
    recovery().down();
    await vi.advanceTimersByTimeAsync(graceMilliseconds - 1);
    expect(state.lost).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.lost).toEqual([confirmed]);
  });
});

describe('the engine that is connected again', () => {
  it('continues the calls, and then waits no more', async () => {
    call('confirmed');
    const of = recovery();
    of.down();
    await of.up();
    expect(state.commands).toEqual(['owned|own', 'adopt|own', 'restored']);
    expect(state.begun).toEqual(['engine']);
    expect(await isGivenUp()).toBe(false);
  });

  it('is asked again where its reply was late', async () => {
    call('confirmed');
    state.failures = [new LateReply('late'), new LateReply('late')];
    const of = recovery();
    of.down();
    await of.up();
    expect(state.commands).toEqual(['owned|own', 'owned|own', 'owned|own', 'adopt|own', 'restored']);
    expect(await isGivenUp()).toBe(false);
  });

  it('is asked again later where it refused', async () => {
    call('confirmed');
    state.failures = [new Error('refused')];
    const of = recovery();
    of.down();
    await of.up();
    expect(state.begun).toEqual([]);
    expect(await isGivenUp()).toBe(false);
    expect(state.begun).toEqual(['engine']);
  });

  it('ends them when it names no owner or keeps no dialogs', async () => {
    for (const lack of [{ owner: undefined }, { keepsDialogs: false }]) {
      Object.assign(state, { owner: 'own', keepsDialogs: true, calls: [], commands: [] });
      const confirmed = call('confirmed');
      const of = recovery();
      of.down();
      Object.assign(state, lack, { lost: [] });
      await of.up();
      expect(state.commands).toEqual([]);
      expect(state.lost).toEqual([confirmed]);
    }
  });

  it('adopts nothing that another edge holds meanwhile', async () => {
    call('confirmed');
    state.isHolder = false;
    const of = recovery();
    of.down();
    await of.up();
    expect(state.commands).toEqual(['owned|own']);
    expect(state.begun).toEqual([]);
    of.stop();
  });

  it('adopts nothing when no connection was lost', async () => {
    call('confirmed');
    await recovery().up();
    expect(state.commands).toEqual(['owned|own', 'restored']);
  });

  it('keeps the dialogs of calls that are still to be taken over, and ends what is left of them afterwards', async () => {
    call('confirmed');
    state.isUnfinished = true;
    state.adoptLost = () => {
      state.isUnfinished = false;
    };
    const of = recovery();
    of.down();
    await of.up();
    expect(state.commands).toEqual(['owned|own', 'adopt|own|some', 'adopt|own', 'restored']);
  });

  it('ends nothing while such calls are left', async () => {
    call('confirmed');
    state.isUnfinished = true;
    const of = recovery();
    of.down();
    await of.up();
    expect(state.commands).toEqual(['owned|own', 'adopt|own|some', 'restored']);
  });

  it('does not say for a later connection that all calls are restored', async () => {
    call('confirmed');
    const of = recovery();
    state.adoptLost = () => of.down();
    of.down();
    await of.up();
    expect(state.commands).toEqual(['owned|own', 'adopt|own']);
    of.stop();
  });

  it('leaves unsettled only the exchange that was open', async () => {
    const unsettled: string[] = [];
    const media = (name: string) => ({ unsettle: () => unsettled.push(name) });
    call('confirmed', { media: media('idle') });
    call('confirmed', { exchange: { isOpen: true } });
    const of = recovery();
    of.down();
    await of.up();
    // A call without media has nothing to unsettle, and one without open exchange stays as it is.
    expect(unsettled).toEqual([]);
    expect(state.begun).toEqual(['engine']);
  });
});
