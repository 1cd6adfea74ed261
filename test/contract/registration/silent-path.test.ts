import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SystemClock } from '../../../src/base/system-clock.js';
import { readEngineSettings } from '../../../src/config/engine-settings.js';
import {
  type RegistrationState,
  registrationId,
  registrationKey,
  registrationStateSchema,
} from '../../../src/contract/registration.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { Registrations } from '../../../src/edge/registration/registrations.js';
import { edgeNames } from '../../../src/edge/routing/names.js';
import { EngineLink } from '../../../src/edge/sip/engine-link.js';
import { Engine } from '../../../src/engine/index.js';
import type { EngineTransport } from '../../../src/engine/transport/flow.js';
import { transportSettings } from '../../../src/engine/transport/settings.js';
import { TransportLayer } from '../../../src/engine/transport/transport-layer.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { until } from '../../../src/testkit/waiting.js';
import { LossyNamespace } from '../../support/lossy-namespace.js';
import { configureNumber } from '../../support/number-writer.js';
import type { TestProcess } from '../../support/processes.js';
import { log } from '../engine-bench.js';
import { PrivateRedis } from '../redis/private-redis.js';

const secrets = new SecretBox([generateSecretKey()]);
const username = 'demarc-trunk';
const keepAlive = { intervalMilliseconds: 500, pongMilliseconds: 300, unacknowledgedMilliseconds: 1_500 };

let network: LossyNamespace | undefined;
let redis: PrivateRedis;
let registrar: TestProcess;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  try {
    network = LossyNamespace.create(0);
  } catch (error) {
    console.log(`Skipped: this machine gives no network whose path can be cut: ${(error as Error).message}`);
    return;
  }
  redis = await PrivateRedis.start();
  const script = fileURLToPath(new URL('../../support/mute-registrar.mjs', import.meta.url));
  registrar = network.run(process.execPath, [script, network.address, '5060']);
  await registrar.line(/Registrar listens/, 10_000);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await registrar?.stop();
  await redis?.stop();
  network?.remove();
});

it('notices within the time for keep-alives that the path to a registrar drops packets, and registers again when it is back', async () => {
  if (network === undefined) return;
  const { hostAddress } = network;
  const listeners = [{ protocol: 'tcp', address: hostAddress, port: 0 }] as const;
  const clock = new SystemClock((error) => console.error(error));
  const transport: EngineTransport = new TransportLayer(
    transportSettings({ listeners, keepAlive }),
    {
      message: (received) => engine.transactions.receive(received),
      flowClosed: (flow) => {
        engine.transactions.flowClosed(flow);
        engine.core.flowClosed(flow);
      },
    },
    clock,
  );
  const settings = readEngineSettings([
    '--admin',
    '127.0.0.1:0',
    '--secret',
    's',
    '--tcp',
    `${hostAddress}:0`,
  ]);
  const notices = { wire() {}, transport() {}, defect: (error: unknown) => console.error(error) };
  const engine = new Engine(settings, notices, clock, transport);
  await engine.start();
  closing.push(() => engine.stop());
  const link = new EngineLink(log);
  link.connect({ host: '127.0.0.1', port: engine.adminPort, secret: 's' });
  closing.push(() => link.close());
  await until(() => link.isUp, 5_000, 'the engine is connected');
  const client = redis.client();
  closing.push(() => client.disconnect());
  const registrations = new Registrations({
    settings: { expiresSeconds: 300, timeoutMilliseconds: 6_000, leaseMilliseconds: 900, maximumTargets: 4 },
    edgeId: 'edge',
    holder: 'holder',
    redis: client,
    engine: link,
    names: edgeNames().targets,
    egress: new EgressPolicy({ allowPrivate: true }),
    secrets,
    kept: async () => [],
    log,
  });
  link.on('flowLost', (callId, reason) => registrations.connectionLost(callId, reason));
  registrations.start();
  closing.push(() => registrations.stop());
  const endpoint = { host: network.address, port: 5060, transport: 'tcp' } as const;
  await configureNumber(client, '493000001', {
    inbound: [{ id: 'in', registration: { ...endpoint, username, password: secrets.seal('secret') } }],
  });
  const key = registrationKey(registrationId('acme', endpoint, username));
  const state = async (): Promise<RegistrationState | undefined> => {
    const text = await client.get(key);
    return text === null ? undefined : registrationStateSchema.parse(JSON.parse(text));
  };
  const becomes = (wanted: RegistrationState['state'], milliseconds: number): Promise<void> =>
    until(
      async () => (await state())?.state === wanted,
      milliseconds,
      () => `the registration is ${wanted}`,
    );
  await becomes('registered', 5_000);
  // Several pings without a pong are no reason to close the connection.
  await sleep(4 * keepAlive.unacknowledgedMilliseconds);
  expect(transport.counters).toMatchObject({ connectionsOpened: 1, closedUnacknowledged: 0 });
  network.cut();
  await becomes('failed', 20_000);
  expect(transport.counters).toMatchObject({ closedUnacknowledged: 1 });
  network.mend();
  await becomes('registered', 10_000);
});
