import { setTimeout as pause } from 'node:timers/promises';
import { readEngineSettings } from '../../src/config/engine-settings.js';
import { Engine } from '../../src/engine/engine.js';
import { ManualClock } from '../../src/testkit/manual-clock.js';
import type { PeerProtocol } from '../../src/testkit/sip-peer.js';
import type { EngineUnderTest } from './engine-under-test.js';

/** Below every time that the engine allows for a connection. */
const stepMilliseconds = 250;
/** Real time for what a timer has set off to cross the loopback sockets of engine, application and peers. */
const settleMilliseconds = 2;
/** Each is a turn of the event loop at least, so that all sockets are read even where this process has stood still. */
const arrivalTurns = 15;
/** For an answer that has to come; only a peer that is to stay silent costs a test that much. */
const answerMilliseconds = 3_000;

/** The embedded engine in the test's own process, with real sockets and a clock that only the test moves. */
export class VirtualTimeEngine {
  private constructor(
    private readonly clock: ManualClock,
    private readonly engine: Engine,
    readonly underTest: EngineUnderTest,
  ) {}

  static async start(): Promise<VirtualTimeEngine> {
    const secret = 'virtual-time-secret';
    const clock = new ManualClock();
    const settings = readEngineSettings([
      ...['--secret', secret, '--admin', '127.0.0.1:0', '--udp', '127.0.0.1:0', '--tcp', '127.0.0.1:0'],
    ]);
    const failed = (error: unknown): void => {
      throw error;
    };
    const engine = new Engine(settings, { wire: () => {}, transport: () => {}, defect: failed }, clock);
    await engine.start();
    const listener = (protocol: PeerProtocol) => {
      const found = engine.listeners.find((each) => each.protocol === protocol);
      return found === undefined ? undefined : { host: found.address, port: found.port };
    };
    return new VirtualTimeEngine(clock, engine, {
      kind: 'embedded',
      admin: { host: '127.0.0.1', port: engine.adminPort },
      secret,
      listeners: { udp: listener('udp'), tcp: listener('tcp'), tls: undefined },
      ipv6Listeners: { udp: undefined, tcp: undefined, tls: undefined },
      t1: 500,
      metricsUrl: undefined,
      pid: undefined,
      counts: async () => ({ dialogs: engine.snapshot().userAgent.dialogs }),
      output: () => '',
      isRunning: () => true,
      stop: async () => {
        const stopping = engine.stop();
        // It waits for answers by its own clock.
        await clock.advance(5_000);
        await stopping;
      },
    });
  }

  /** Lets that much time pass for the engine; what it sends meanwhile may be answered before more of it passes. */
  async advance(seconds: number): Promise<void> {
    // Messages from the peers, such as an ACK, arrive before time advances.
    for (let turn = 0; turn < arrivalTurns; turn++) await pause(settleMilliseconds);
    for (let left = seconds * 1_000; left > 0; left -= stepMilliseconds) {
      const before = this.engine.snapshot().transactions.client;
      await this.clock.advance(Math.min(left, stepMilliseconds));
      if (this.engine.snapshot().transactions.client > before) await this.answered(before);
    }
  }

  private async answered(before: number): Promise<void> {
    // Counted in turns: time in which this process stood still is not the peers'.
    for (let turn = 0; turn < answerMilliseconds / settleMilliseconds; turn++) {
      await pause(settleMilliseconds);
      if (this.engine.snapshot().transactions.client <= before) return;
    }
  }
}
