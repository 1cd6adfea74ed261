import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pause } from '../../../src/testkit/waiting.js';
import { type EngineUnderTest, isRealServer, startEngine } from '../../support/engine-under-test.js';
import { expectNoneAlive } from '../../support/leak-check.js';
import { Sipp } from '../../support/sipp.js';
import { connectApplication, newApplication } from '../../support/srf-application.js';
import { EnginePool } from './engine-pool.js';
import type { Scenario, Stage, Transport } from './scenario-stage.js';
import { bridgeScenarios } from './scenarios-bridge.js';
import { oneLegScenarios } from './scenarios-one-leg.js';
import { runKnownDifference } from './suite.js';

const library = dirname(createRequire(import.meta.url).resolve('drachtio-srf/package.json'));
const scenarios = join(library, 'test/scenarios');
const all = [...oneLegScenarios, ...bridgeScenarios];

/** Scenario files of the library that are not run, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'uac-proxy.xml': 'stateful proxying (the `proxy` command) is not part of the embedded engine',
  'uac-pcap.xml': 'uac.xml with an 8 s recording played over a raw socket; signaling is the same',
  'uac-drop-200-then-cancel.xml':
    'expects 481 to CANCEL and to BYE before ACK, which its own comment calls a bug; the embedded engine answers 200 to both',
};

// Waiting for stray messages after the last one adds nothing on loopback.
const general: readonly (readonly [RegExp, string])[] = [
  [/<timewait milliseconds="\d+"/g, '<timewait milliseconds="300"'],
];

function hasSipp(): boolean {
  try {
    execFileSync('sipp', ['-v'], { stdio: 'ignore', env: { ...process.env, TERM: 'dumb' } });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

const isInstalled = hasSipp();
const used = new Set<string>();

/** By T1: the engine deals calls out to all applications that it has, so one scenario at a time uses it. */
const engines = new Map(
  ([50, 500, 2_000] as const).map((t1) => [
    t1,
    new EnginePool(t1 === 500 ? 2 : 1, () => startEngine({ t1 })),
  ]),
);
beforeAll(() => {
  if (!isInstalled) throw new Error('SIPp is missing: apt-get install sip-tester.');
});
afterAll(() => Promise.all([...engines.values()].map((pool) => pool.stop())));

for (const transport of ['udp', 'tcp'] as const) {
  describe(`SIPp scenarios of drachtio-srf over ${transport}`, { concurrent: !isRealServer }, () => {
    for (const scenario of all) {
      if (transport === 'tcp' && scenario.isSameOverStreams === true && !isRealServer) continue;
      if (scenario.only !== undefined && scenario.only[0] !== transport) {
        const [, reason] = scenario.only;
        test(scenario.name, ({ skip }) => skip(reason));
        continue;
      }
      if (isRealServer && scenario.embeddedOnly !== undefined) {
        const reason = scenario.embeddedOnly;
        test(scenario.name, ({ skip }) => skip(reason));
        continue;
      }
      test(scenario.name, () =>
        engines.get(scenario.t1 ?? 500)!.use((engine) => run(scenario, transport, engine)),
      );
    }
    for (const [file, reason] of Object.entries(leftOut)) {
      test(file, ({ skip }) => skip(reason));
    }
  });
}

test('every scenario file of the library has been run or is left out with a reason', () => {
  const files = readdirSync(scenarios).filter((file) => file.endsWith('.xml'));
  const missing = files.filter((file) => !used.has(file) && leftOut[file] === undefined);
  expect(missing).toEqual(isRealServer ? ['uac-recv-reinvite.xml'] : []);
});

async function run(scenario: Scenario, transport: Transport, engine: EngineUnderTest): Promise<void> {
  const opened: (() => Promise<void> | void)[] = [];
  const stage: Stage = {
    engine,
    transport,
    app: async (at = engine) => {
      const app = newApplication();
      await connectApplication(app, at);
      opened.push(() => {
        if (at.isRunning()) app.disconnect();
      });
      return app;
    },
    uas: async (file, adaptions = []) => {
      used.add(file);
      const sipp = await Sipp.start({
        scenario: join(scenarios, file),
        transport,
        adaptions: [...general, ...adaptions],
      });
      opened.push(() => sipp.stop());
      return sipp;
    },
    uac: async (file, options = {}) => {
      used.add(file);
      const sipp = await Sipp.start({
        scenario: join(scenarios, file),
        transport,
        target: engine.listeners[transport]!,
        adaptions: [...general, ...(options.adaptions ?? [])],
        seconds: options.seconds ?? 45,
      });
      opened.push(() => sipp.stop());
      await sipp.succeeded();
    },
  };
  try {
    const difference = isRealServer ? scenario.knownDifference : undefined;
    if (difference !== undefined && difference[0] === transport) {
      await runKnownDifference(scenario.name, { difference: difference[1] }, () => scenario.run(stage));
    } else {
      await scenario.run(stage);
      if (scenario.leavesCalls !== true)
        await expectNoneAlive(engine, /^userAgent\.(dialogs|confirmed)/, 3_000);
    }
  } finally {
    for (const close of opened.reverse()) await close();
    // The engine must have noticed that the application is gone before the next call arrives.
    if (isRealServer) await pause(100);
    else await expectNoneAlive(engine, /^applicationConnections$/, 5_000);
  }
}
