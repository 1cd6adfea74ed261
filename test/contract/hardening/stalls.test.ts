import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { demarcCommand, demoAgentCommand } from '../../support/engine-under-test.js';
import type { PeerCall } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { Stage } from './stage.js';

/** A BYE that waits for no reply is answered within a few milliseconds. Waiting would take longer. */
const atOnce = 3_000;

let stage: Stage;
let trunk: SipPeer;
/** The demo agent in a separate process. */
let agent: TestProcess;
let agentUri = '';
beforeAll(async () => {
  stage = await Stage.start({
    engine: { t1: 60 },
    edge: {
      DEMARC_AGENT_RESPONSE_SECONDS: '3',
      DEMARC_TRUST_UDP_SOURCES: 'true',
      DEMARC_RTPENGINE_TIMEOUT_MS: '5000',
    },
  });
  trunk = await stage.peer('tcp');
  const [command, argv] = demoAgentCommand(['--listen', '127.0.0.1:0', '--ring-ms', '0']);
  agent = new TestProcess(command, argv, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const port = await agent.message(
    (message) => (message as { port?: number }).port,
    20_000,
    'the agent is ready',
  );
  agentUri = `sip:silent@127.0.0.1:${port};transport=tcp`;
  await stage.configure({ inbound: [{ id: 'any', agent_uri: agentUri }] });
});
afterAll(async () => {
  agent?.signal('SIGCONT');
  await agent?.stop();
  await stage?.stop();
});
async function answered(): Promise<PeerCall> {
  const call = await stage.call(trunk);
  await call.ack((await call.response(200)).message);
  return call;
}

/** The caller's BYE waits for nothing that hangs. */
async function expectByeAtOnce(call: PeerCall): Promise<void> {
  const watch = Stopwatch.start();
  await call.hangUp();
  expect(watch.milliseconds).toBeLessThan(watch.bound(atOnce));
}

async function expectService(): Promise<void> {
  const call = await answered();
  await call.hangUp();
  expect(await stage.record(call.callId)).toMatchObject({ outcome: 'completed' });
}

describe('a process that hangs during a call', () => {
  afterEach(() => stage.expectNothingLeft());

  it('the agent: BYE is answered at once, new calls are refused in time, and it serves again later', async () => {
    const call = await answered();
    agent.signal('SIGSTOP');
    await expectByeAtOnce(call);
    expect(await stage.record(call.callId)).toMatchObject({ end_reason: 'caller_hung_up' });
    const watch = Stopwatch.start();
    const refused = await stage.call(trunk);
    const final = await refused.response((status) => status >= 200);
    await refused.ack(final.message);
    expect(final.message.status).toBe(504);
    expect(watch.milliseconds).toBeLessThan(watch.bound(5_000));
    expect(await stage.record(refused.callId)).toMatchObject({ end_reason: 'agent_unreachable' });
    agent.signal('SIGCONT');
    await expectService();
  });

  it('Redis: BYE is answered at once, calls go on from memory, and the records come later', async () => {
    const call = await answered();
    stage.redis.hang();
    await expectByeAtOnce(call);
    const watch = Stopwatch.start();
    const next = await answered();
    expect(watch.milliseconds).toBeLessThan(watch.bound(atOnce));
    await expectByeAtOnce(next);
    stage.redis.resume();
    for (const { callId } of [call, next]) {
      expect(await stage.record(callId, 10_000)).toMatchObject({ end_reason: 'caller_hung_up' });
    }
    await until(async () => (await stage.health()) === 200, 5_000, 'ready');
  });

  it('rtpengine: BYE is answered at once, and its session is deleted when it moves again', async () => {
    const call = await answered();
    await stage.rtpengine.freeze();
    await expectByeAtOnce(call);
    expect(await stage.record(call.callId)).toMatchObject({ end_reason: 'caller_hung_up' });
    stage.rtpengine.thaw();
    await until(async () => (await stage.health()) === 200, 5_000, 'ready');
    await expectService();
  });

  it('the edge, for a second: requests received during it are served once', async () => {
    const call = await answered();
    const logged = stage.edge.output.length;
    stage.edge.signal('SIGSTOP');
    const during = await stage.call(trunk);
    await during.response(100);
    await call.send('BYE');
    await pause(1_000);
    stage.edge.signal('SIGCONT');
    await call.response(200, 'BYE');
    await during.ack((await during.response(200)).message);
    await during.hangUp();
    expect(await stage.record(during.callId)).toMatchObject({ outcome: 'completed' });
    expect(await stage.record(call.callId)).toMatchObject({ end_reason: 'caller_hung_up' });
    expect(stage.edge.output.slice(logged)).not.toContain('rtpengine is down');
  });

  it('the engine, for a second: repeated datagrams make one call, and its timers continue', async () => {
    const caller = await stage.peer('udp');
    const { pid } = stage.engine;
    process.kill(pid!, 'SIGSTOP');
    const call = await stage.call(caller);
    for (let repeat = 0; repeat < 4; repeat++) {
      await pause(250);
      await caller.send(call.invitation!);
    }
    process.kill(pid!, 'SIGCONT');
    await call.ack((await call.response(200)).message);
    await call.hangUp();
    expect(await stage.record(call.callId)).toMatchObject({ end_reason: 'caller_hung_up' });
    await stage.expectNothingLeft();
    const repeated = (await stage.otherRecords()).filter(
      ({ sip_call_ids }) => sip_call_ids.trunk === call.callId,
    );
    expect(repeated).toEqual([]);
    await expectService();
  });
});

describe('an engine that cannot start', () => {
  const start = (options: readonly string[]): TestProcess => {
    const [command, argv] = demarcCommand('engine', ['--admin', '127.0.0.1:0', ...options]);
    // With the channel open, as under an edge.
    return new TestProcess(command, argv, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, DEMARC_ENGINE_SECRET: 'a secret of the test' },
    });
  };
  const taken = (): string => `127.0.0.1:${stage.engine.listeners.tcp!.port}`;

  it.each([
    ['a port that is taken', () => ['--udp', '127.0.0.1:0', '--tcp', taken()], /tcp 127\.0\.0\.1.*in use/i],
    ['an admin port that is taken', () => ['--udp', '127.0.0.1:0', '--admin', taken()], /admin .*in use/i],
    ['a metrics port that is taken', () => ['--udp', '127.0.0.1:0', '--metrics', taken()], /in use/i],
    [
      'a certificate that is missing',
      () => ['--tls', '127.0.0.1:0', '--cert', '/no/such.pem', '--key', '/no/such.pem'],
      /no\/such\.pem cannot be read/,
    ],
  ])('for %s ends with status 1 and says why', async (_name, options, why) => {
    const engine = start(['--hep', '127.0.0.1:9', ...options()]);
    expect(await engine.exit(15_000)).toBe(1);
    const line = engine.output.split('\n').find((each) => each.includes('"level":60'));
    expect((JSON.parse(line!) as { msg: string }).msg).toMatch(why);
    expect(engine.output).not.toContain('a secret of the test');
  });
});
