import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallTable } from '../../../src/edge/call/call-table.js';
import { attachInDialog } from '../../../src/edge/call/in-dialog.js';
import { Drain, type DrainPurpose } from '../../../src/edge/drain.js';
import { InboundCall } from '../../../src/edge/inbound/inbound-call.js';
import { CallDoubles, DialogDouble, invitation } from '../../support/call-doubles.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hungUp = { reason: 'caller_hung_up', by: 'caller' } as const;

/** An edge with calls that stops; by default no other edge is there, and the engine ends with it. */
function stopping({ drachtio = undefined as object | undefined } = {}) {
  const doubles = new CallDoubles();
  const table = new CallTable();
  /** What happened, in order. */
  const events: string[] = [];
  const note = (event: string) => async (): Promise<void> => {
    events.push(event);
  };
  const survival = {
    mayHaveSuccessor: true,
    mayLeave: true,
    announceLeaving: vi.fn(async (_until: number) => false),
    hasSuccessor: vi.fn(async () => false),
    refuseNew: vi.fn(note('refuse new')),
    handOver: vi.fn(async () => {
      events.push('hand over');
      return true;
    }),
    leave: vi.fn(async () => {
      events.push('leave');
      return true;
    }),
  };
  const engine = new EventEmitter();
  const life = { isDraining: false };
  const registrations = { stop: note('unregister') };
  const deps = {
    table,
    gate: doubles.gate,
    life,
    engine,
    registrations,
    stream: { flush: note('flush records') },
    calls: { turns: { stop: note('stop turns') }, listenings: { stop: note('stop listenings') } },
    settings: { drachtio },
    log: pino({ level: 'silent' }),
  };
  const drain = new Drain(deps as never, survival);
  function unanswered() {
    const { request, response, statuses } = invitation();
    const call = new InboundCall(doubles.deps, request, response);
    table.add(call);
    call.admit({ number: '12025550100', organization: 'acme', release: () => {} });
    call.invite();
    return { call, statuses };
  }
  function confirmed(
    sides: readonly ('trunk' | 'agent')[] = ['trunk', 'agent'],
    trunk = new DialogDouble('trunk'),
  ) {
    const { call } = unanswered();
    for (const side of sides) {
      const dialog = (side === 'trunk' ? trunk : new DialogDouble(side)).asDialog;
      call.setDialog(side, dialog);
      attachInDialog(call, side, dialog);
    }
    call.answer();
    call.acknowledge();
    call.confirm();
    return call;
  }
  /** Begins, and lets so much time pass. */
  async function run(seconds: number, purpose: DrainPurpose, milliseconds = 0) {
    const state = { isDone: false };
    void drain.run(seconds, purpose).then(() => {
      state.isDone = true;
    });
    await vi.advanceTimersByTimeAsync(milliseconds);
    return state;
  }
  return { ...doubles, registrations, table, survival, engine, life, events, unanswered, confirmed, run };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('an edge that stops while no other edge is there', () => {
  it('refuses new calls, also at an engine that it connects to meanwhile, and unregisters', async () => {
    const { run, confirmed, life, engine, survival, events } = stopping();
    confirmed();
    await run(10, 'end');
    expect(life.isDraining).toBe(true);
    expect(events).toEqual(['unregister']);
    engine.emit('up');
    expect(survival.refuseNew).toHaveBeenCalledTimes(1);
  });

  it('waits for its calls, and is done with the record of the last one', async () => {
    const { run, confirmed, table, records } = stopping();
    const [first, second] = [confirmed(), confirmed()];
    const state = await run(60, 'end', 1_000);
    first.end(hungUp);
    await pass(1_000);
    expect(state.isDone).toBe(false);
    second.end(hungUp);
    await pass(100);
    expect(state.isDone).toBe(true);
    expect(table.ending).toBe(0);
    expect(records.map(({ end_reason }) => end_reason)).toEqual(['caller_hung_up', 'caller_hung_up']);
  });

  it('ends those that last longer, and answers 503 to those that ring', async () => {
    const { run, confirmed, unanswered, records } = stopping();
    const answered = confirmed();
    const { call, statuses } = unanswered();
    const state = await run(10, 'end', 9_700);
    expect([answered.hasEnded, call.hasEnded]).toEqual([false, false]);
    await pass(1_000);
    expect(answered.state.ending).toMatchObject({ reason: 'drained', by: 'edge' });
    expect(statuses).toEqual([503]);
    await pass(3_000);
    expect(state.isDone).toBe(true);
    expect(records).toHaveLength(2);
  });

  it('gives an engine that was just replaced a second to have its calls', async () => {
    const { run, survival } = stopping();
    await run(10, 'restart');
    expect(survival.announceLeaving.mock.calls[0]![0] - performance.now()).toBe(1_000);
    const second = stopping();
    await second.run(10, 'replacement');
    expect(second.survival.announceLeaving.mock.calls[0]![0] - performance.now()).toBe(5_000);
  });
});

describe('an edge that stops while another one is there', () => {
  it('hands the answered calls over once the others have ended and are recorded', async () => {
    const { run, confirmed, unanswered, survival, events } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    const answered = confirmed();
    const { call } = unanswered();
    const state = await run(60, 'end', 5_000);
    expect(events).toEqual(['refuse new', 'unregister']);
    call.end(hungUp);
    await pass(100);
    expect(events.slice(2)).toEqual(['flush records', 'stop turns', 'stop listenings', 'hand over']);
    expect(state.isDone).toBe(true);
    expect(answered.hasEnded).toBe(false);
  });

  it('waits for a transfer; one that lasts too long fails, and the call continues if it has both legs', async () => {
    const { run, confirmed, survival, events } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    const [whole, half] = [confirmed(), confirmed(['trunk'])];
    for (const call of [whole, half]) call.beginTransfer({ callEnded: async () => {} } as never);
    await run(10, 'end', 9_000);
    expect(events).not.toContain('hand over');
    await pass(2_000);
    expect(whole.hasEnded).toBe(false);
    expect(half.state.ending?.reason).toBe('drained');
    await pass(5_000);
    expect(events.at(-1)).toBe('hand over');
  });

  it('ends a call that is not answered in time, and hands over only after its record', async () => {
    const { run, unanswered, confirmed, survival, records } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    confirmed();
    const { statuses } = unanswered();
    survival.handOver.mockImplementation(async () => {
      expect(records).toHaveLength(1);
      return true;
    });
    const state = await run(2, 'end', 5_000);
    expect(statuses).toEqual([503]);
    expect(state.isDone).toBe(true);
    expect(survival.handOver).toHaveBeenCalledTimes(1);
  });

  it('waits for its calls where that one does not stay', async () => {
    const { run, confirmed, survival } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    survival.handOver.mockResolvedValue(false);
    const call = confirmed();
    const state = await run(10, 'end', 9_000);
    expect([state.isDone, call.hasEnded]).toEqual([false, false]);
    await pass(2_000);
    expect(call.state.ending?.reason).toBe('drained');
  });

  it('keeps requests in its calls without a response while they are handed over, and answers them where that fails', async () => {
    const { run, confirmed, survival, deps } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    const trunk = new DialogDouble('trunk');
    confirmed(['trunk', 'agent'], trunk);
    const refer = vi.fn();
    Object.assign(deps, { transfers: { refer } });
    survival.handOver.mockImplementation(async () => {
      trunk.emit('refer', {}, {});
      expect(refer).not.toHaveBeenCalled();
      return false;
    });
    await run(10, 'end', 1_000);
    expect(survival.handOver).toHaveBeenCalledTimes(1);
    expect(refer).toHaveBeenCalledTimes(1);
    trunk.emit('refer', {}, {});
    expect(refer).toHaveBeenCalledTimes(2);
  });

  it('answers nothing more in calls that it has handed over', async () => {
    const { run, confirmed, survival, deps } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    const trunk = new DialogDouble('trunk');
    confirmed(['trunk', 'agent'], trunk);
    const refer = vi.fn();
    Object.assign(deps, { transfers: { refer } });
    trunk.emit('refer', {}, {});
    expect(refer).toHaveBeenCalledTimes(1);
    const state = await run(10, 'end', 1_000);
    expect(state.isDone).toBe(true);
    trunk.emit('refer', {}, {});
    expect(refer).toHaveBeenCalledTimes(1);
  });

  it('leaves requests of the API to the other edge with the calls', async () => {
    const { run, confirmed, survival, gate } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    confirmed();
    const left = vi.fn();
    survival.handOver.mockImplementation(async () => {
      gate.pass(() => expect.unreachable(), left);
      return true;
    });
    await run(10, 'end', 1_000);
    expect(left).toHaveBeenCalledWith(true);
  });

  it('waits for a transfer that begins while it unregisters', async () => {
    const { run, confirmed, survival, events, registrations } = stopping();
    survival.announceLeaving.mockResolvedValue(true);
    const call = confirmed();
    const transfer = { callEnded: async () => {} } as never;
    let release = (): void => {};
    registrations.stop = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    await run(10, 'end', 1_000);
    call.beginTransfer(transfer);
    release();
    await pass(4_000);
    expect(events).not.toContain('hand over');
    call.endTransfer();
    await pass(100);
    expect(events.at(-1)).toBe('hand over');
  });

  it('hands its calls over to an edge that starts meanwhile', async () => {
    const { run, confirmed, survival, events } = stopping();
    const call = confirmed();
    const state = await run(60, 'end', 5_000);
    expect(events).toEqual(['unregister']);
    survival.hasSuccessor.mockResolvedValue(true);
    await pass(1_000);
    expect(events.slice(1, 2)).toEqual(['refuse new']);
    expect(events.at(-1)).toBe('hand over');
    expect([state.isDone, call.hasEnded]).toEqual([true, false]);
  });
});

describe('an edge that is replaced', () => {
  it('takes calls until the other edge is known', async () => {
    const { run, confirmed, survival, life, events } = stopping();
    confirmed();
    const state = await run(60, 'replacement', 1_000);
    expect(life.isDraining).toBe(false);
    survival.hasSuccessor.mockResolvedValue(true);
    await pass(500);
    expect(life.isDraining).toBe(true);
    expect(events.at(0)).toBe('refuse new');
    expect(events.at(-1)).toBe('hand over');
    expect(state.isDone).toBe(true);
  });

  it('drains alone where the other edge does not come within 5 s', async () => {
    const { run, confirmed, life, survival } = stopping();
    confirmed();
    await run(60, 'replacement', 4_700);
    expect(life.isDraining).toBe(false);
    await pass(600);
    expect(life.isDraining).toBe(true);
    expect(survival.handOver).not.toHaveBeenCalled();
  });

  it('drains at once where no edge could continue its calls', async () => {
    const { run, confirmed, life, survival } = stopping();
    survival.mayHaveSuccessor = false;
    confirmed();
    await run(60, 'replacement');
    expect(life.isDraining).toBe(true);
    expect(survival.hasSuccessor).not.toHaveBeenCalled();
  });

  it('is not waited for by one that is only restarted', async () => {
    const { run, confirmed, life } = stopping();
    confirmed();
    await run(60, 'restart');
    expect(life.isDraining).toBe(true);
  });
});

describe('an edge that is restarted', () => {
  const drachtio = { host: '127.0.0.1' };

  it('leaves its answered calls to the engine when its time is over', async () => {
    const { run, confirmed, unanswered, events } = stopping({ drachtio });
    const answered = confirmed();
    const { call } = unanswered();
    const state = await run(10, 'restart', 9_700);
    expect(call.hasEnded).toBe(false);
    await pass(5_000);
    expect(events.at(-1)).toBe('leave');
    expect(call.state.ending?.reason).toBe('drained');
    expect([state.isDone, answered.hasEnded]).toEqual([true, false]);
  });

  it('leaves requests of the API to no edge, because none is there', async () => {
    const { run, confirmed, survival, gate } = stopping({ drachtio });
    confirmed();
    const left = vi.fn();
    survival.leave.mockImplementation(async () => {
      gate.pass(() => expect.unreachable(), left);
      return true;
    });
    await run(1, 'restart', 5_000);
    expect(left).toHaveBeenCalledWith(false);
  });

  it.each([
    ['the engine ends with it', undefined, true, true],
    ['the engine keeps no calls', drachtio, false, true],
    ['Redis does not take them', drachtio, true, false],
  ])('ends them where %s', async (_why, server, mayLeave, isLeft) => {
    const { run, confirmed, survival } = stopping({ drachtio: server });
    Object.assign(survival, { mayLeave });
    survival.leave.mockResolvedValue(isLeft);
    const call = confirmed();
    await run(10, 'restart', 15_000);
    expect(call.state.ending?.reason).toBe('drained');
  });

  it('ends them where it stops for good', async () => {
    const { run, confirmed, survival } = stopping({ drachtio });
    const call = confirmed();
    await run(10, 'end', 15_000);
    expect(call.state.ending?.reason).toBe('drained');
    expect(survival.leave).not.toHaveBeenCalled();
  });
});
