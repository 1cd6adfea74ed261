import { afterAll, beforeAll, describe, test } from 'vitest';
import { type PeerOptions, type PeerProtocol, SipPeer } from '../../../src/testkit/sip-peer.js';
import { TestAuthority } from '../../support/certificates.js';
import {
  type EngineOptions,
  type EngineUnderTest,
  isRealServer,
  startEngine,
} from '../../support/engine-under-test.js';
import { expectNoneAlive } from '../../support/leak-check.js';
import { PeerCall } from '../../support/peer-call.js';
import { connectApplication, newApplication, type SrfApplication } from '../../support/srf-application.js';
import { WireClient } from '../../support/wire-client.js';
import { EnginePool } from './engine-pool.js';
import { type KnownDifference, knownDifferences } from './known-differences.js';

/** **L**: the library breaks without it; **R**: parity with the real server; **B**: deliberately better. */
export type RowClass = 'L' | 'R' | 'B';

export interface RowOptions {
  /** Extra time for the embedded engine, milliseconds. */
  readonly timeout?: number;
  /** The row needs another configuration than a shared real server has; why. */
  readonly embeddedOnly?: string;
  /** The row leaves calls to their timers on purpose, so dialogs are awaited longer. */
  readonly leavesCalls?: boolean;
}

/** What a row works with; everything it opens is closed after it. */
export interface Bench {
  readonly engine: EngineUnderTest;
  readonly authority: TestAuthority;
  /** T1 in milliseconds, and 64·T1. */
  readonly t1: number;
  readonly giveUp: number;
  /** An authenticated raw connection with these verbs. */
  wire(...verbs: string[]): Promise<WireClient>;
  /** A raw connection that has said nothing yet. */
  rawWire(): Promise<WireClient>;
  /** An application of the library, connected. */
  srf(): Promise<SrfApplication>;
  peer(protocol?: PeerProtocol, options?: Partial<PeerOptions>): Promise<SipPeer>;
  /** A call of a new peer towards the engine. */
  caller(protocol?: PeerProtocol, options?: Partial<PeerOptions>): Promise<PeerCall>;
}

export interface Suite {
  row(id: string | number, rowClass: RowClass, statement: string, run: Run, options?: RowOptions): void;
}

/**
 * What must be gone when a file is through. Refused outgoing INVITEs stay 32 s whatever T1 is (Timer D, RFC 3261 §17.1.1.2)
 * and registered flows until they expire, so those are not waited for.
 */
const live =
  /^userAgent\.(?!registeredFlows)|^transactions\.(client|server|lingeringServer)$|^applicationConnections$/;

type Run = (bench: Bench) => Promise<void>;

interface Opened {
  readonly close: (() => Promise<void> | void)[];
}

function benchOf(engine: EngineUnderTest, authority: TestAuthority, opened: Opened): Bench {
  const keep = <T>(value: T, close: () => Promise<void> | void): T => {
    opened.close.push(close);
    return value;
  };
  const bench: Bench = {
    engine,
    authority,
    t1: engine.t1,
    giveUp: 64 * engine.t1,
    rawWire: async () => {
      const wire = await WireClient.connect(engine.admin);
      return keep(wire, () => wire.close());
    },
    wire: async (...verbs) => {
      const wire = await bench.rawWire();
      await wire.authenticate(engine.secret);
      await wire.route(...verbs);
      return wire;
    },
    srf: async () => {
      const application = newApplication();
      await connectApplication(application, engine);
      return keep(application, () => application.disconnect());
    },
    peer: async (protocol = 'udp', options = {}) => {
      const target = engine.listeners[protocol];
      if (target === undefined) throw new Error(`The engine has no ${protocol} listener.`);
      const certificate = protocol === 'tls' ? await authority.issue('peer') : undefined;
      const peer = await SipPeer.open({
        protocol,
        target,
        ...(certificate === undefined ? {} : { certificate }),
        ...options,
      });
      return keep(peer, () => peer.close());
    },
    caller: async (protocol = 'udp', options = {}) => PeerCall.to(await bench.peer(protocol, options)),
  };
  return bench;
}

/** Runs a row that the real server is known to fail: failing is right, passing is news. */
export async function runKnownDifference(
  id: string,
  difference: KnownDifference,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    const first = String((error as Error).message ?? error).split('\n', 1)[0];
    console.info(`#${id}: known difference of drachtio-server: ${difference.difference} [${first}]`);
    return;
  }
  if (difference.sometimes === true) return;
  throw new Error(`#${id} passes on this drachtio-server: take it off the list of known differences.`);
}

const mostEngines = 2;

/** Declares one section of the checklist. Most rows wait for timers, so they run side by side, each with an engine to itself. */
export function contractSuite(name: string, options: EngineOptions, define: (suite: Suite) => void): void {
  describe(name, { concurrent: !isRealServer }, () => {
    let authority: TestAuthority;
    const pool = new EnginePool(mostEngines, () => startEngine({ authority, ...options }));
    beforeAll(async () => {
      authority = await TestAuthority.create();
    });
    afterAll(async () => {
      try {
        await Promise.all(
          pool.engines.map(async (engine) => {
            if (!engine.isRunning())
              throw new Error(`The engine has ended.\n${engine.output().slice(-4_000)}`);
            await expectNoneAlive(engine, live, 64 * engine.t1 + 6_000);
          }),
        );
      } finally {
        await pool.stop();
        authority?.remove();
      }
    });

    const row: Suite['row'] = (id, rowClass, statement, run, rowOptions = {}) => {
      const key = String(id);
      const title = `#${key} ${rowClass} ${statement}`;
      const difference = isRealServer ? knownDifferences[key] : undefined;
      const timeout = isRealServer ? 110_000 : (rowOptions.timeout ?? 90_000);
      const { embeddedOnly } = rowOptions;
      if (isRealServer && embeddedOnly !== undefined) {
        test(title, ({ skip }) => skip(embeddedOnly));
        return;
      }
      if (difference?.endsTheServer === true) {
        test(title, ({ skip }) => skip(`ends the real server: ${difference.difference}`));
        return;
      }
      test(
        title,
        () =>
          pool.use(async (engine) => {
            const opened: Opened = { close: [] };
            const whole = async (): Promise<void> => {
              await run(benchOf(engine, authority, opened));
              const patience = rowOptions.leavesCalls === true ? 64 * engine.t1 + 2_000 : 2_000;
              await expectNoneAlive(engine, /^userAgent\.(dialogs|confirmed)/, patience);
            };
            try {
              await (difference === undefined ? whole() : runKnownDifference(key, difference, whole));
            } finally {
              for (const close of opened.close.reverse()) await close();
            }
          }),
        timeout,
      );
    };
    define({ row });
  });
}
