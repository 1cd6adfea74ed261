import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Application } from '../../../src/engine/dialog/application.js';
import { Succession, type SuccessionChannel } from '../../../src/engine/succession.js';
import type { Received } from '../../../src/engine/transport/flow.js';
import type { Relay, RelayMessage } from '../../../src/engine/transport/relay.js';
import type { TransportLayer } from '../../../src/engine/transport/transport-layer.js';
import type { WireServer } from '../../../src/engine/wire/wire-server.js';
import { MemoryTransport, received } from '../../../src/testkit/memory-transport.js';
import { RecordingApplication } from './dialog/fixture.js';
import { ok, request } from './transport/layer.js';

class Channel implements SuccessionChannel {
  readonly posted: RelayMessage[] = [];
  message: (message: RelayMessage) => void = () => {};
  end: () => void = () => {};

  /** The other process answers at once that it asks no more. */
  post = (message: RelayMessage): void => {
    if (message.type === 'leaving') this.message({ type: 'asks no more' });
    else this.posted.push(message);
  };
  onMessage = (handle: (message: RelayMessage) => void): void => {
    this.message = handle;
  };
  onEnd = (handle: () => void): void => {
    this.end = handle;
  };

  /** The types of what was posted since the last look. */
  take(): string[] {
    return this.posted.splice(0).map((each) => (each.type === 'message' ? each.mode : each.type));
  }
}

class NamedApplication extends RecordingApplication {
  isQuiet = true;
  hasEnded = false;

  constructor(override owner: string | undefined) {
    super();
  }

  end(): void {
    this.hasEnded = true;
  }
}

/** One engine process: what its succession asks of the layers, and what it did to them. */
class Process {
  readonly did: string[] = [];
  readonly relays: Relay[] = [];
  readonly relayed: RelayMessage[] = [];
  applications: NamedApplication[] = [];
  takesCalls = false;
  knows = false;
  open = 0;
  connections = 0;
  readonly succession = new Succession({
    transport: {
      useRelay: (relay: Relay) => void this.relays.push(relay),
      relayed: (_relay: Relay, message: RelayMessage) => void this.relayed.push(message),
      relayEnded: () => void this.did.push('relay ended'),
      retire: () => void this.did.push('retired'),
    } as unknown as TransportLayer,
    wire: { stopAccepting: () => void this.did.push('stopped accepting') } as unknown as WireServer,
    knows: () => this.knows,
    takesCalls: () => this.takesCalls,
    applications: () => this.applications,
    isQuiet: (application: Application) => (application as NamedApplication).isQuiet,
    forget: (application: Application) => {
      this.did.push(`forgot ${application.owner}`);
      this.applications = this.applications.filter((each) => each !== application);
    },
    open: () => this.open,
    connections: () => this.connections,
    awaitRestore: (owner) => void this.did.push(`awaits ${owner}`),
    receive: () => void this.did.push('received'),
    log: { info: () => {}, warn: () => {} },
  });

  follow(): Channel {
    const channel = new Channel();
    this.succession.follow(channel);
    return channel;
  }

  /** This process is replaced by one that takes the calls already. */
  yieldToTaker(): { channel: Channel; ended: Promise<'resolved' | 'rejected'>; isOver: () => boolean } {
    const channel = new Channel();
    let isOver = false;
    const ended = this.succession.yieldTo(channel).then(
      () => 'resolved' as const,
      () => 'rejected' as const,
    );
    void ended.finally(() => {
      isOver = true;
    });
    channel.message({ type: 'takes calls' });
    return { channel, ended, isOver: () => isOver };
  }
}

const transport = new MemoryTransport('192.0.2.10');
const message = (text: string, protocol: 'udp' | 'tcp' = 'tcp'): Received =>
  received(text, transport.flow(protocol, '198.51.100.20', 5060));
const initial = request();
const within = initial.replace('To: <sip:service@example.com>', 'To: <sip:service@example.com>;tag=b1');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a successor', () => {
  test('says that it takes calls once it has an application for them, and only then', async () => {
    const successor = new Process();
    const channel = successor.follow();
    await vi.advanceTimersByTimeAsync(100);
    expect(channel.take()).toEqual([]);
    successor.takesCalls = true;
    await vi.advanceTimersByTimeAsync(100);
    expect(channel.take()).toEqual(['takes calls']);
  });

  test('says nothing to a predecessor that has ended, and awaits the applications of one that was killed', async () => {
    const successor = new Process();
    const channel = successor.follow();
    channel.message({ type: 'leaving' });
    expect(channel.take()).toEqual(['asks no more']);
    channel.end();
    successor.takesCalls = true;
    await vi.advanceTimersByTimeAsync(100);
    expect(channel.take()).toEqual([]);
    expect(successor.did).toEqual(['relay ended']);
    expect(successor.succession.passOn(message(initial))).toBe(false);
    const idle = new Process();
    idle.follow().end();
    expect(idle.did).toEqual(['relay ended', 'awaits undefined']);
  });

  test('waits for the dialogs that the predecessor hands over, and has its other messages handled', () => {
    const successor = new Process();
    const channel = successor.follow();
    channel.message({ type: 'restoring', owner: 'edge-1' });
    channel.message({ type: 'closed', flow: 'f1' });
    expect(successor.did).toEqual(['awaits edge-1']);
    expect(successor.relayed).toEqual([{ type: 'closed', flow: 'f1' }]);
  });

  test.each([
    ['a request within a dialog', within, 'tcp', true, ['ask']],
    ['a response', ok(), 'tcp', true, ['ask']],
    ['a new request over a stream, which it takes', initial, 'tcp', true, []],
    ['a new request over a stream while it takes none', initial, 'tcp', false, ['ask']],
    ['a new request over UDP, which the predecessor may know', initial, 'udp', true, ['ask']],
  ] as const)(
    'asks the predecessor about what it does not know: %s',
    (_what, text, protocol, takes, asked) => {
      const successor = new Process();
      const channel = successor.follow();
      successor.takesCalls = takes;
      expect(successor.succession.passOn(message(text, protocol))).toBe(asked.length > 0);
      expect(channel.take()).toEqual(asked);
    },
  );

  test('keeps what it knows, and what came back from the predecessor', () => {
    const successor = new Process();
    const channel = successor.follow();
    successor.knows = true;
    expect(successor.succession.passOn(message(within))).toBe(false);
    successor.knows = false;
    let isPassed: boolean | undefined;
    successor.relays[0]!.withSource(() => {
      isPassed = successor.succession.passOn(message(within));
    });
    expect(isPassed).toBe(false);
    expect(channel.take()).toEqual([]);
  });
});

describe('a process that is replaced', () => {
  test('leaves new applications to its successor, and keeps the calls until that takes them', () => {
    const process = new Process();
    const channel = new Channel();
    void process.succession.yieldTo(channel);
    expect(process.did).toEqual(['stopped accepting']);
    expect(process.succession.passOn(message(initial))).toBe(false);
    expect(process.succession.isReplaced).toBe(false);
    // Only the successor can have sent its request.
    expect(process.succession.passOn(message(ok()))).toBe(true);
    expect(channel.take()).toEqual(['final']);
    channel.message({ type: 'closed', flow: 'f1' });
    expect(process.relayed).toEqual([{ type: 'closed', flow: 'f1' }]);
  });

  test('hands everything that it does not know to a successor that takes the calls', () => {
    const process = new Process();
    const { channel } = process.yieldToTaker();
    expect(process.succession.isReplaced).toBe(true);
    expect(process.did).toEqual(['stopped accepting', 'retired']);
    for (const text of [initial, within, ok()]) expect(process.succession.passOn(message(text))).toBe(true);
    expect(channel.take()).toEqual(['final', 'final', 'final']);
    process.knows = true;
    expect(process.succession.passOn(message(within))).toBe(false);
  });

  test('in the middle of three, gives new requests to the newest and asks the oldest about the others', () => {
    const process = new Process();
    const before = process.follow();
    const { channel: after } = process.yieldToTaker();
    expect(process.succession.passOn(message(initial))).toBe(true);
    expect([before.take(), after.take()]).toEqual([[], ['final']]);
    expect(process.succession.passOn(message(within))).toBe(true);
    expect([before.take(), after.take()]).toEqual([['ask'], []]);
    process.relays[0]!.withSource(() => process.succession.passOn(message(within)));
    expect([before.take(), after.take()]).toEqual([[], ['final']]);
  });

  test('disconnects an application that has been quiet for 300 ms, and names it to the successor first', async () => {
    const process = new Process();
    const application = new NamedApplication('edge-1');
    process.applications = [application];
    const { channel, isOver } = process.yieldToTaker();
    await vi.advanceTimersByTimeAsync(310);
    expect([channel.take(), application.hasEnded]).toEqual([[], false]);
    await vi.advanceTimersByTimeAsync(20);
    expect(channel.posted).toEqual([{ type: 'restoring', owner: 'edge-1' }]);
    expect([process.did.at(-1), application.hasEnded]).toEqual(['forgot edge-1', true]);
    await vi.advanceTimersByTimeAsync(20);
    expect(isOver()).toBe(true);
  });

  test('counts the quiet time from the last open request', async () => {
    const process = new Process();
    const application = new NamedApplication('edge-1');
    process.applications = [application];
    process.yieldToTaker();
    await vi.advanceTimersByTimeAsync(200);
    application.isQuiet = false;
    await vi.advanceTimersByTimeAsync(20);
    application.isQuiet = true;
    await vi.advanceTimersByTimeAsync(300);
    expect(application.hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(60);
    expect(application.hasEnded).toBe(true);
  });

  test('does not wait for ever for an application that is never quiet; without owner it has no dialogs to restore', async () => {
    const process = new Process();
    const application = new NamedApplication(undefined);
    application.isQuiet = false;
    process.applications = [application];
    const { channel } = process.yieldToTaker();
    await vi.advanceTimersByTimeAsync(299_900);
    expect(application.hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect([application.hasEnded, channel.take()]).toEqual([true, []]);
  });

  test.each(['open', 'connections'] as const)('stays while it has %s', async (what) => {
    const process = new Process();
    process[what] = 1;
    const { isOver } = process.yieldToTaker();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOver()).toBe(false);
    process[what] = 0;
    await vi.advanceTimersByTimeAsync(20);
    expect(isOver()).toBe(true);
  });

  test('is done at once when the successor that took the calls ends, and fails when it had taken none', async () => {
    const process = new Process();
    process.open = 1;
    const { channel, ended } = process.yieldToTaker();
    channel.end();
    expect(await ended).toBe('resolved');
    expect(process.did.at(-1)).toBe('relay ended');
    expect(process.succession.passOn(message(initial))).toBe(false);
    const failing = new Process();
    const idle = new Channel();
    const failed = failing.succession.yieldTo(idle);
    idle.end();
    await expect(failed).rejects.toThrow('before it took any call');
  });
});
