import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Baresip, CallClosed } from '../../dev/softphone/baresip.js';
import { until } from '../../src/testkit/waiting.js';
import { trunkDescription } from '../contract/media/descriptions.js';
import { drachtioDiffers } from '../support/drachtio-server.js';
import { demarcCommand } from '../support/engine-under-test.js';
import { PeerCall } from '../support/peer-call.js';
import { TestProcess } from '../support/processes.js';
import { Stopwatch } from '../support/stopwatch.js';
import { longestGap, secondsHeard, waitForTone } from './hearing.js';
import { randomLosses } from './losses/random-kills.js';
import { lossOfRedis } from './losses/redis.js';
import { agentToneHertz, phoneToneHertz, root, Stack } from './stack.js';
import { talk, talkAndHangUp } from './talking.js';
import { messagesOf } from './traces.js';

const drainSeconds = 3;

async function expectCallsToWork(stack: Stack): Promise<void> {
  expect((await talkAndHangUp(stack)).outcome).toBe('completed');
}

/** A new INVITE or OPTIONS gets 503 with Retry-After. */
async function expectRefused(stack: Stack, number: string, method: 'INVITE' | 'OPTIONS'): Promise<void> {
  const call = PeerCall.to(await stack.rawCaller(), number);
  await call.send(method, method === 'INVITE' ? { body: trunkDescription() } : {});
  const { message } = await call.response((status) => status >= 200, method);
  if (method === 'INVITE') await call.ack(message);
  expect(message.status).toBe(503);
  if (!stack.edge.isRunning && drachtioDiffers('its 503 while no app is there has no Retry-After.')) return;
  expect(message.headers.get('Retry-After')).toMatch(/^\d+$/);
}

/** The phone heard its echo all the time, and hears it still. */
async function expectUninterrupted(stack: Stack, phone: Baresip): Promise<void> {
  const watch = Stopwatch.start();
  await waitForTone(phone, phoneToneHertz, secondsHeard(phone, phoneToneHertz) + 0.5);
  // The phone and what it calls wait for a processor as this process does.
  expect(1_000 * longestGap(phone, phoneToneHertz)).toBeLessThan(watch.bound(200));
  expect(agentIsIdle(stack)).toBe(false);
}

/** The agent has no call any more: its log has an end for each. */
const agentIsIdle = (stack: Stack): boolean =>
  stack.agent.output.split('"msg":"Call."').length === stack.agent.output.split('"msg":"Call ended."').length;

describe('an engine whose parent dies', () => {
  it('also exits if its output is no longer read', async () => {
    const [command, argv] = demarcCommand('engine', ['--admin', '127.0.0.1:0', '--tcp', '127.0.0.1:0']);
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(${JSON.stringify(command)}, ${JSON.stringify(argv)}, {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { ...process.env, DEMARC_ENGINE_SECRET: 'e2e-secret' },
      });
      child.once('message', () => console.log('engine ' + child.pid));
    `;
    const parent = new TestProcess(process.execPath, ['-e', script], { cwd: root });
    const pid = Number((await parent.line(/engine (\d+)/, 20_000))[1]);
    parent.signal('SIGKILL');
    await parent.exit(20_000);
    await until(() => !existsSync(`/proc/${pid}`), 20_000, `end of engine ${pid}`);
  });
});

describe('an edge beside its engine', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ edge: { DEMARC_DRAIN_SECONDS: '60' } });
  });
  afterAll(() => stack?.stop());
  afterEach(async () => {
    if (stack.engine?.isRunning === false) await stack.startEngine();
    if (!stack.edge.isRunning) await stack.startEdge();
    await until(async () => (await stack.health()) === 200, 20_000, 'the edge is ready');
    await stack.endTest();
  });

  it('refuses new calls after SIGTERM, lets the running one finish, and exits 0', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    stack.edge.signal('SIGTERM');
    await until(async () => (await stack.health()) === 503, 20_000, '/readyz says draining');
    await expectRefused(stack, number, 'INVITE');
    await expectRefused(stack, number, 'OPTIONS');
    await waitForTone(phone, phoneToneHertz, 0.2);
    expect(stack.edge.isRunning).toBe(true);
    await phone.hangup();
    expect(await stack.edge.exit(20_000)).toBe(0);
    expect(await stack.record(({ outcome }) => outcome === 'completed')).toMatchObject({
      number,
      end_reason: 'caller_hung_up',
    });
    expect(await stack.recordOf(number)).toMatchObject({
      outcome: 'refused',
      end_reason: 'refused_draining',
    });
  });

  it('ends a call after SIGINT that does not finish within the bound, and exits 0', async () => {
    await stack.edge.stop();
    await stack.startEdge({ DEMARC_DRAIN_SECONDS: String(drainSeconds) });
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    const began = performance.now();
    stack.edge.signal('SIGINT');
    await phone.waitFor('CALL_CLOSED', (drainSeconds + 20) * 1_000);
    expect(performance.now() - began).toBeGreaterThan((drainSeconds - 1) * 1_000);
    expect(await stack.edge.exit(20_000)).toBe(0);
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({ end_reason: 'drained', ended_by: 'edge' });
    expect(messagesOf(record, { leg: 'trunk', summary: 'BYE' })).toHaveLength(1);
    expect(messagesOf(record, { leg: 'agent', summary: 'BYE' })).toHaveLength(1);
  });

  it('leaves its calls up with their audio when it is killed; new ones are refused until the next edge has both', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    await waitForTone(phone, phoneToneHertz, 0.3);
    stack.edge.signal('SIGKILL');
    await expectRefused(stack, number, 'INVITE');
    await stack.startEdge();
    if (drachtioDiffers('it leaves the dialogs of a lost app as they are, and answers 481 in them.')) {
      await phone.hangup();
      await stack.agent.stop();
      await stack.startAgent();
      // No process knows the session any more; rtpengine's timeout would end it.
      for (const id of await stack.rtpengines[0]!.sessions()) {
        await stack.rtpengines[0]!.command('delete', { 'call-id': id, 'delete-delay': 0 });
      }
      return;
    }
    await expectUninterrupted(stack, phone);
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      adoptions: [{ edge_id: 'e2e' }],
    });
    await expectCallsToWork(stack);
  });

  it('keeps its calls up with their audio in the next engine when its engine is killed', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    await waitForTone(phone, phoneToneHertz, 0.3);
    stack.engine!.signal('SIGKILL');
    await until(async () => (await stack.health()) === 503, 20_000, 'the edge misses its engine');
    expect(stack.edge.isRunning).toBe(true);
    await stack.startEngine();
    await until(async () => (await stack.health()) === 200, 20_000, 'the edge has found the engine');
    if (drachtioDiffers('a restarted one knows no dialogs.')) {
      expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'engine_lost', ended_by: 'edge' });
      await expectCallsToWork(stack);
      // No process is left to hang up the agent's leg of the lost call.
      await stack.agent.stop();
      await stack.startAgent();
      return;
    }
    await expectUninterrupted(stack, phone);
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'caller_hung_up', sip_status: 200 });
    await until(() => agentIsIdle(stack), 20_000, 'BYE at the agent');
    await expectCallsToWork(stack);
  });

  it('has its calls restored, with their audio, by its successor when it is killed with its engine', async () => {
    if (drachtioDiffers('a restarted one knows no dialogs, and no edge can give it any.')) return;
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    await waitForTone(phone, phoneToneHertz, 0.3);
    stack.edge.signal('SIGKILL');
    stack.engine!.signal('SIGKILL');
    await Promise.all([stack.edge.exit(5_000), stack.engine!.exit(5_000)]);
    await Promise.all([stack.startEngine(), stack.startEdge()]);
    await expectUninterrupted(stack, phone);
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({
      end_reason: 'caller_hung_up',
      adoptions: [{ edge_id: 'e2e' }],
    });
    await until(() => agentIsIdle(stack), 20_000, 'BYE at the agent');
    await expectCallsToWork(stack);
  });

  it('refuses new calls at once when their agent is killed; active ones continue until the caller hangs up', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    stack.agent.signal('SIGKILL');
    await stack.agent.exit(20_000);
    const second = await stack.phone();
    await second.dial(stack.uri(number));
    await expect(second.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(
      new CallClosed('503 Service Unavailable'),
    );
    expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'agent_unreachable', sip_status: 503 });
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'caller_hung_up' });
    await stack.startAgent();
    await expectCallsToWork(stack);
  });

  lossOfRedis(() => stack);
  randomLosses(() => stack);
});

describe('an edge with an embedded engine', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ embedded: true });
  });
  afterAll(() => stack?.stop());
  afterEach(() => stack.endTest());

  const engineOfEdge = (): number => {
    const { pid } = stack.edge;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const engine = children.map(Number).find((child) => {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').includes('engine');
    });
    if (engine === undefined) throw new Error('The edge has no engine.');
    return engine;
  };

  it('starts it again when it is killed, and keeps its calls with their audio', async () => {
    await expectCallsToWork(stack);
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    await waitForTone(phone, phoneToneHertz, 0.3);
    const before = engineOfEdge();
    process.kill(before, 'SIGKILL');
    await until(async () => (await stack.health()) === 503, 20_000, 'the edge misses it');
    await until(async () => (await stack.health()) === 200, 20_000, 'another engine');
    expect(engineOfEdge()).not.toBe(before);
    await expectUninterrupted(stack, phone);
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'caller_hung_up' });
    await expectCallsToWork(stack);
  });

  it('is killed: its engine ends itself, and the next edge restores the calls with their audio in the next engine', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, agentToneHertz);
    await waitForTone(phone, phoneToneHertz, 0.3);
    const engine = engineOfEdge();
    stack.edge.signal('SIGKILL');
    await until(() => !existsSync(`/proc/${engine}`), 20_000, `end of engine ${engine}`);
    await stack.startEdge();
    await expectUninterrupted(stack, phone);
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'caller_hung_up' });
    await until(() => agentIsIdle(stack), 20_000, 'BYE at the agent');
    await expectCallsToWork(stack);
  });
});
