import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { info } from '../../../../src/edge/call/info.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import type { MediaSide } from '../../../../src/edge/media/rtp-statistics.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);
const digit = { body: 'Signal=5\r\nDuration=160\r\n', type: 'application/dtmf-relay' };

type Answer = { status: number; reason?: string } | Error;

/** An answered call whose sides take RTP events where `events` says so; the other side answers INFOs with `answer`. */
function answered({ events = { trunk: true, agent: true }, answer = { status: 200 } as Answer } = {}) {
  const doubles = new CallDoubles();
  const { request, response } = invitation();
  const call = new InboundCall(doubles.deps, request, response);
  call.admit({ number: '1', organization: 'acme', release: () => {} });
  const played: string[] = [];
  const state = { answer, isPlayable: true, hold: undefined as Promise<void> | undefined };
  vi.spyOn(call.digits, 'play').mockImplementation(async (side, { digit: key }: { digit: string }) => {
    if (!state.isPlayable) throw new Error('no stream');
    played.push(`${side} ${key}`);
  });
  call.useMedia({ takesEvents: (side: MediaSide) => events[side], release: async () => undefined } as never);
  const relayed: { method: string; headers: object; body?: string }[] = [];
  const dialogs = { trunk: new DialogDouble('trunk'), agent: new DialogDouble('agent') };
  for (const side of ['trunk', 'agent'] as const) {
    Object.assign(dialogs[side], {
      request: (options: (typeof relayed)[number], done: (error: unknown, response?: unknown) => void) => {
        relayed.push(options);
        void (state.hold ?? Promise.resolve()).then(() => {
          if (state.answer instanceof Error) done(state.answer);
          else
            done(null, {
              source_address: '192.0.2.2',
              source_port: 5060,
              reason: '',
              get: () => undefined,
              ...state.answer,
            });
        });
      },
    });
    call.setDialog(side, dialogs[side].asDialog);
  }
  call.answer();
  /** Sends an INFO. @returns the statuses that answered it */
  const send = async (from: MediaSide, { body = '', type = '' } = {}): Promise<number[]> => {
    const statuses: number[] = [];
    const headers: Record<string, string> = { 'Content-Type': type, 'X-Other': 'not passed on' };
    const get = (name: string) => headers[name] || undefined;
    const sender = {
      get finalResponseSent() {
        return statuses.length > 0;
      },
      send: (status: number) => statuses.push(status),
    };
    info(
      call,
      from,
      { method: 'INFO', body, headers, get, has: (name: string) => name in headers } as never,
      sender as never,
    );
    await settle();
    return statuses;
  };
  return { call, send, relayed, played, state, dialogs };
}

describe('an INFO', () => {
  it('goes to the other side with its content, and the answer comes back', async () => {
    const { send, relayed, state } = answered();
    expect(await send('trunk', { body: '<x/>', type: 'application/xml' })).toEqual([200]);
    expect(relayed).toEqual([
      { method: 'INFO', headers: { 'Content-Type': 'application/xml' }, body: '<x/>' },
    ]);
    state.answer = { status: 488 };
    expect(await send('agent', { body: '<x/>', type: 'application/xml' })).toEqual([488]);
    state.answer = { status: 481 };
    expect(await send('trunk')).toEqual([500]);
    expect(relayed.at(-1)).toEqual({ method: 'INFO', headers: {} });
  });

  it.each([
    [
      'the other side has no dialog',
      500,
      ({ call }: ReturnType<typeof answered>) => call.legs.releaseDialog('agent'),
    ],
    ['its dialog has ended', 500, ({ dialogs }) => Object.assign(dialogs.agent, { connected: false })],
    ['the agent talks to another party', 500, ({ call }) => call.beginTransfer({ isApart: true } as never)],
    ['the call has ended', 481, ({ call }) => call.end({ reason: 'caller_hung_up', by: 'caller' })],
  ] as readonly [string, number, (test: ReturnType<typeof answered>) => void][])(
    'is refused where %s',
    async (_why, status, change) => {
      const test = answered();
      change(test);
      expect(await test.send('trunk')).toEqual([status]);
      expect(test.relayed).toEqual([]);
    },
  );

  it('is refused where its content is too long for the other side', async () => {
    const { send, relayed } = answered();
    expect(await send('trunk', { body: 'x'.repeat(61_400), type: 'text/plain' })).toEqual([200]);
    expect(await send('trunk', { body: 'x'.repeat(61_401), type: 'text/plain' })).toEqual([513]);
    expect(relayed).toHaveLength(1);
  });

  it('is one of at most 32 of its side that are not answered', async () => {
    const { call, send, state, relayed } = answered();
    let release = (): void => {};
    state.hold = new Promise((resolve) => {
      release = resolve;
    });
    const waiting = [];
    for (let index = 0; index < 32; index++) waiting.push(await send('trunk'));
    expect(call.pendingInfos).toEqual({ trunk: 32, agent: 0 });
    expect(await send('trunk')).toEqual([500]);
    expect(await send('agent')).toEqual([]);
    expect(relayed).toHaveLength(33);
    release();
    await settle();
    expect(call.pendingInfos).toEqual({ trunk: 0, agent: 0 });
    expect(waiting.flat()).toHaveLength(32);
    expect(await send('trunk')).toEqual([200]);
  });

  it('is answered once when it could not be passed on', async () => {
    const { send, state, call } = answered({ answer: new Error('not sent') });
    expect(await send('trunk')).toEqual([500]);
    let release = (): void => {};
    state.hold = new Promise((resolve) => {
      release = resolve;
    });
    const statuses = await send('trunk');
    call.end({ reason: 'caller_hung_up', by: 'caller' });
    release();
    await settle();
    expect(statuses).toEqual([481]);
  });
});

describe('a digit by INFO', () => {
  it('is an INFO for a side as it is for the other', async () => {
    const { send, played, relayed } = answered();
    expect(await send('trunk', digit)).toEqual([200]);
    expect(played).toEqual([]);
    expect(relayed).toHaveLength(1);
  });

  it('is an RTP event where only the other side takes those', async () => {
    const { send, played, relayed } = answered({ events: { trunk: false, agent: true } });
    expect(await send('trunk', digit)).toEqual([200]);
    expect(played).toEqual(['agent 5']);
    expect(relayed).toEqual([]);
  });

  it('is passed on where the event cannot be played', async () => {
    const { send, state, relayed } = answered({ events: { trunk: false, agent: true } });
    state.isPlayable = false;
    expect(await send('trunk', digit)).toEqual([200]);
    expect(relayed).toHaveLength(1);
    state.answer = { status: 415 };
    expect(await send('trunk', digit)).toEqual([415]);
  });

  it('is an RTP event where the other side does not take the INFO', async () => {
    const { send, state, played } = answered({ answer: { status: 415 } });
    expect(await send('trunk', digit)).toEqual([200]);
    expect(played).toEqual(['agent 5']);
    state.isPlayable = false;
    expect(await send('trunk', digit)).toEqual([415]);
  });

  it('is no RTP event where the other side refuses it otherwise, or takes no events', async () => {
    const refusing = answered({ answer: { status: 486 } });
    expect(await refusing.send('trunk', digit)).toEqual([486]);
    const without = answered({ events: { trunk: true, agent: false }, answer: { status: 415 } });
    expect(await without.send('trunk', digit)).toEqual([415]);
    expect([...refusing.played, ...without.played]).toEqual([]);
  });

  it('is no RTP event where the INFO is no digit', async () => {
    const { send, played } = answered({ answer: { status: 415 } });
    expect(await send('trunk', { body: '<x/>', type: 'application/xml' })).toEqual([415]);
    expect(played).toEqual([]);
  });
});
