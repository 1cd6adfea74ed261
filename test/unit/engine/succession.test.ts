import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Succession, type SuccessionChannel, type SuccessionParts } from '../../../src/engine/succession.js';
import type { Received } from '../../../src/engine/transport/flow.js';
import type { Relay, RelayMessage } from '../../../src/engine/transport/relay.js';
import { Headers } from '../../../src/sip/headers.js';
import { newRequest } from '../../../src/sip/message.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One direction of the channel between two processes: what is posted arrives when the test says so. */
class Direction {
  readonly posted: RelayMessage[] = [];
  receive: (message: RelayMessage) => void = () => {};

  deliver(): void {
    for (const message of this.posted.splice(0)) this.receive(message);
  }
}

function channel(out: Direction, back: Direction, ends: (() => void)[]): SuccessionChannel {
  return {
    post: (message) => void out.posted.push(message),
    onMessage: (handle) => {
      back.receive = handle;
    },
    onEnd: (handle) => void ends.push(handle),
  };
}

const info: Received = {
  message: newRequest('INFO', 'sip:peer@192.0.2.1', Headers.from([['To', '<sip:us@192.0.2.9>;tag=ours']])),
  flow: {
    id: 'flow',
    protocol: 'tcp',
    listener: { address: '192.0.2.9', port: 5060 },
    remoteAddress: '192.0.2.1',
    remotePort: 5060,
  },
} as unknown as Received;

/** An engine process without applications, transactions and connections, that knows no dialog. */
class EngineDouble {
  /** Messages that it has to answer itself: 481, unless an application is expected to restore their dialog. */
  readonly unknown: Received[] = [];
  /** How often it began to wait for applications. */
  awaited = 0;
  readonly succession: Succession;

  constructor() {
    this.succession = new Succession({
      transport: {
        useRelay: () => {},
        retire: () => {},
        relayEnded: () => {},
        relayed: (relay: Relay, message: RelayMessage) => {
          if (message.type === 'message') relay.withSource(() => this.receive(info));
        },
      },
      wire: { stopAccepting: () => {} },
      knows: () => false,
      takesCalls: () => true,
      applications: () => [],
      isQuiet: () => true,
      forget: () => {},
      open: () => 0,
      connections: () => 0,
      awaitRestore: () => this.awaited++,
      receive: (received: Received) => this.receive(received),
      log: { info: () => {}, warn: () => {} },
    } as unknown as SuccessionParts);
  }

  receive(received: Received): void {
    if (!this.succession.passOn(received)) this.unknown.push(received);
  }
}

function pair() {
  const [predecessor, successor] = [new EngineDouble(), new EngineDouble()];
  const [down, up] = [new Direction(), new Direction()];
  const ends: (() => void)[] = [];
  let isGone = false;
  void predecessor.succession.yieldTo(channel(down, up, [])).then(() => {
    isGone = true;
  });
  successor.succession.follow(channel(up, down, ends));
  const pass = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(40);
    up.deliver();
    await vi.advanceTimersByTimeAsync(40);
    down.deliver();
  };
  return { predecessor, successor, down, up, ends, pass, isGone: () => isGone };
}

it('answers what its successor asked before it knew that the process leaves, and is gone only when the answer is there', async () => {
  const { successor, up, pass, isGone } = pair();
  await vi.advanceTimersByTimeAsync(20);
  expect(up.posted).toEqual([{ type: 'takes calls' }]);
  up.deliver();
  await vi.advanceTimersByTimeAsync(40);
  // It has nothing left; the successor does not know that yet.
  successor.receive(info);
  expect(up.posted).toMatchObject([{ type: 'message', mode: 'ask' }]);
  expect(isGone()).toBe(false);
  for (let passes = 0; !isGone() && passes < 10; passes++) await pass();
  expect(isGone()).toBe(true);
  expect(successor.unknown).toEqual([info]);
});

it('is asked no more once it has said that it leaves', async () => {
  const { successor, down, up } = pair();
  await vi.advanceTimersByTimeAsync(20);
  up.deliver();
  await vi.advanceTimersByTimeAsync(40);
  down.deliver();
  expect(up.posted).toEqual([{ type: 'asks no more' }]);
  successor.receive(info);
  expect(up.posted).toHaveLength(1);
  expect(successor.unknown).toEqual([info]);
});

it('does not wait long for a successor of an earlier release, which does not answer', async () => {
  const { up, isGone } = pair();
  await vi.advanceTimersByTimeAsync(20);
  up.deliver();
  await vi.advanceTimersByTimeAsync(2_900);
  expect(isGone()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isGone()).toBe(true);
});

it('stays while its own predecessor is there, which would end with it', async () => {
  const { predecessor, down, up, isGone } = pair();
  const ends: (() => void)[] = [];
  predecessor.succession.follow(channel(new Direction(), new Direction(), ends));
  await vi.advanceTimersByTimeAsync(20);
  up.deliver();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(down.posted).toEqual([]);
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(40);
  expect(down.posted).toEqual([{ type: 'leaving' }]);
  expect(isGone()).toBe(false);
});

it('leaves its successor the questions that it has not dealt with when it is killed, and those alone', async () => {
  const { successor, down, up, ends } = pair();
  await vi.advanceTimersByTimeAsync(20);
  successor.receive(info);
  expect(up.posted.map(({ type }) => type)).toEqual(['takes calls', 'message']);
  up.deliver();
  expect(down.posted).toMatchObject([{ type: 'message', mode: 'final' }, { type: 'handled' }]);
  down.deliver();
  expect(successor.unknown).toEqual([info]);
  const [second, third] = [{ ...info }, { ...info }];
  successor.receive(second);
  successor.receive(third);
  for (const end of ends) end();
  expect(successor.unknown).toEqual([info, second, third]);
  expect(successor.unknown[1]).toBe(second);
  expect(successor.awaited).toBe(1);
});

it('leaves none that an engine of an earlier release, which does not say so, has had for seconds', async () => {
  const { successor, up, ends } = pair();
  await vi.advanceTimersByTimeAsync(20);
  successor.receive(info);
  up.posted.length = 0;
  await vi.advanceTimersByTimeAsync(2_100);
  for (const end of ends) end();
  expect(successor.unknown).toEqual([]);
});
