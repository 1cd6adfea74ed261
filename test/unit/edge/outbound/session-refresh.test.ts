import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refreshSession } from '../../../../src/edge/outbound/session-refresh.js';
import { headerFields } from '../../../support/header-fields.js';

interface Asked {
  readonly method: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

let warnings = 0;
beforeEach(() => {
  warnings = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

/** A call whose trunk answers with these statuses in turn, then 200. */
function callWith({
  allow = 'INVITE, UPDATE, BYE',
  session = { seconds: 100, isOurs: true } as { seconds: number; isOurs: boolean } | null,
  statuses = [] as readonly number[],
  local = 'v=0' as string | null,
  agreed = undefined as string | undefined,
} = {}) {
  const asked: Asked[] = [];
  const left = [...statuses];
  const exchange = {
    isOpen: false,
    begin: () => {
      exchange.isOpen = true;
      return () => {
        exchange.isOpen = false;
      };
    },
  };
  const call = {
    hasEnded: false,
    state: {
      sessions: { trunk: session ?? undefined },
      descriptions: { trunk: { local: local ?? undefined } },
    },
    dialogs: {
      trunk: {
        connected: true,
        res: { get: (name: string) => ({ Allow: allow })[name] },
        request: (request: Asked, done: (error: unknown, response: object) => void) => {
          asked.push(request);
          const status = left.shift() ?? 200;
          const headers = headerFields(agreed === undefined ? {} : { 'Session-Expires': agreed });
          done(undefined, { status, reason: '', ...headers });
        },
      } as { connected: boolean } | undefined,
    },
    exchange,
    after: (milliseconds: number, act: () => void) => void setTimeout(act, milliseconds),
    setSession: (side: 'trunk', to: { seconds: number; isOurs: boolean } | undefined) => {
      call.state.sessions[side] = to;
    },
    log: pino({ level: 'warn' }, { write: () => void warnings++ }),
  };
  refreshSession(call as unknown as Parameters<typeof refreshSession>[0]);
  return { call, asked };
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(1_000 * seconds);

describe('a session that the edge refreshes', () => {
  it('gets an UPDATE without a description at four tenths of its interval, again and again', async () => {
    const { asked } = callWith();
    await pass(39);
    expect(asked).toEqual([]);
    await pass(1.5);
    expect(asked).toMatchObject([{ method: 'UPDATE', headers: { 'Session-Expires': '100;refresher=uac' } }]);
    expect(asked[0]!.body).toBeUndefined();
    expect(asked[0]!.headers.Allow).toContain('INVITE');
    await pass(80);
    expect(asked).toHaveLength(3);
  });

  it.each(['INVITE, BYE', 'INVITE, UPDATES, XUPDATE'])(
    'gets a re-INVITE with its description where the trunk allows %s',
    async (allow) => {
      const { asked, call } = callWith({ allow });
      await pass(41);
      expect(asked).toMatchObject([{ method: 'INVITE', body: 'v=0' }]);
      expect(call.exchange.isOpen).toBe(false);
    },
  );

  it('takes the interval and the refresher that the trunk answers with', async () => {
    const longer = callWith({ agreed: '200;refresher=uac' });
    const refreshedByTrunk = callWith({ agreed: '100;refresher=uas' });
    await pass(41);
    expect(longer.call.state.sessions.trunk).toEqual({ seconds: 200, isOurs: true });
    expect(refreshedByTrunk.call.state.sessions.trunk).toEqual({ seconds: 100, isOurs: false });
    await pass(70);
    expect([longer.asked.length, refreshedByTrunk.asked.length]).toEqual([1, 1]);
    await pass(10);
    expect([longer.asked.length, refreshedByTrunk.asked.length]).toEqual([2, 1]);
  });

  it('is tried again after five seconds when it was refused, and then waits its interval', async () => {
    const { asked } = callWith({ statuses: [500, 300, 299] });
    await pass(41);
    expect(asked).toHaveLength(1);
    await pass(5);
    expect(asked).toHaveLength(2);
    await pass(5);
    expect(asked).toHaveLength(3);
    await pass(30);
    expect(asked).toHaveLength(3);
    await pass(11);
    expect(asked).toHaveLength(4);
  });

  it('waits for an open exchange, or a description, where it needs a re-INVITE', async () => {
    const { asked, call } = callWith({ allow: 'INVITE' });
    const lacking = callWith({ allow: 'INVITE', local: null });
    const update = callWith();
    call.exchange.isOpen = true;
    update.call.exchange.isOpen = true;
    await pass(41);
    expect([asked.length, lacking.asked.length, update.asked.length]).toEqual([0, 0, 1]);
    call.exchange.isOpen = false;
    lacking.call.state.descriptions.trunk.local = 'v=1';
    await pass(5);
    expect([asked.length, lacking.asked[0]!.body]).toEqual([1, 'v=1']);
  });

  it('is refreshed no faster than every four seconds, however short it is', async () => {
    const { asked } = callWith({ session: { seconds: 5, isOurs: true } });
    await pass(3.9);
    expect(asked).toHaveLength(0);
    await pass(4.2);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['the trunk refreshes it', { seconds: 100, isOurs: false }],
    ['there is none', null],
  ])('is left alone where %s', async (_why, session) => {
    const { asked } = callWith({ session });
    await pass(500);
    expect(asked).toEqual([]);
  });

  it('ends with its call, and rests while its dialog has ended', async () => {
    const { asked, call } = callWith();
    const gone = callWith();
    gone.call.dialogs.trunk!.connected = false;
    call.hasEnded = true;
    await pass(200);
    expect([asked.length, gone.asked.length, warnings]).toEqual([0, 0, 0]);
    gone.call.dialogs.trunk!.connected = true;
    await pass(40);
    expect(gone.asked).toHaveLength(1);
  });
});
