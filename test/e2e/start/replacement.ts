import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../../dev/setup/bootstrap.mjs';
import { isRunning } from '../../src/base/process-identity.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { CallStream } from '../support/call-stream.js';
import { TestProcess } from '../support/processes.js';
import { RequestLoop } from '../support/request-loop.js';
import { parts, UserOfStart } from './user-of-start.js';

let user: UserOfStart;
beforeAll(async () => {
  user = await UserOfStart.again({
    // The time of a user: on a busy machine, an edge needs more than 3 s to end its calls.
    DEMARC_DRAIN_SECONDS: '10',
    // A busy machine refuses calls because it is busy, which says nothing of the replacement.
    DEMARC_SETUP_DELAY_MS: '0',
    DEMARC_RTPENGINE_TIMEOUT_MS: '5000',
    DEMARC_TRUNK_WAIT_MS: '5000',
  });
  await user.startAndWait();
});
afterAll(() => user?.stop());

/** Answered calls: those that ring end with their edge. */
async function talkingCalls(): Promise<number> {
  const { url, apiKey } = user.ready().http;
  const live = await fetch(`${url}/v1/noc/calls/live`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { data } = (await live.json()) as { data: { calls: { state: string }[] } | null };
  return (data?.calls ?? []).filter(({ state }) => state === 'answered').length;
}

describe('the launcher of npm start', () => {
  it('adopts all processes after a kill -9 of the launcher, and a call does not notice', async () => {
    const left = user.partIdentities();
    const caller = user.call('--seconds', '12');
    await until(async () => (await user.activeCalls()) === 1, 20_000, 'the call is up');
    process.kill(user.supervisor().pid, 'SIGKILL');
    await user.running.exit(20_000);
    expect([...left.values()].filter(isRunning)).toHaveLength(parts.length);
    await user.startAndWait();
    expect(user.running.output).toContain('Adopted running processes');
    expect(user.partIdentities()).toEqual(left);
    // The key is shown once, and stays.
    expect(user.running.output).not.toContain(user.ready().http.apiKey);
    const { code, output } = await caller;
    expect(code, output).toBe(0);
    expect(await user.activeCalls()).toBe(0);
  });

  it('starts an adopted process again after it was killed', async () => {
    const crashed = user.partIdentities().get('edge-1')!;
    process.kill(crashed.pid, 'SIGKILL');
    await user.running.line(/edge-1 is ready again/, 20_000);
    expect(user.partIdentities().get('edge-1')?.pid).not.toBe(crashed.pid);
  });

  it('replaces all processes with --replace: no call fails or is cut, no request to the API is refused', async () => {
    const { sip, demo, http } = user.ready();
    const before = user.partIdentities();
    const peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: sip.host, port: sip.port },
      ca: readFileSync(sip.caFile, 'utf8'),
    });
    const calls = new CallStream(peer, {
      number: demo.number,
      callsPerSecond: 10,
      holdMilliseconds: 1_000,
      mostAtOnce: 12,
    });
    // A failure must not leave its load to the next test.
    onTestFinished(() => calls.stop());
    await calls.hold(5);
    const requests = new RequestLoop(`${http.url}/v1/sip/calls?limit=1`, {
      authorization: `Bearer ${http.apiKey}`,
    });
    const load = calls.run();
    const previous = user.running;
    user.running = user.start({}, '--replace');
    await user.running.line(/Replaced all processes/, 180_000);
    expect(await previous.exit(20_000)).toBe(0);
    await requests.stop();
    await calls.stop();
    await load;
    await calls.hangUpHeld();
    await peer.close();
    // Says which process was down, if any was, and what edges and engines did with the calls.
    const hasFailed = calls.failures.length > 0 || requests.failures.length > 0;
    const output = `${previous.output}\n${user.running.output}${hasFailed ? `\n${user.edgeLogs()}` : ''}`;
    expect(calls.failures, output).toEqual([]);
    expect(requests.failures, output).toEqual([]);
    expect(requests.answered).toBeGreaterThan(20);
    const after = user.partIdentities();
    const isSame = (name: string): boolean => after.get(name)?.pid === before.get(name)?.pid;
    expect(parts.filter(isSame)).toEqual(['agent', 'postgres', 'redis', 'rtpengine']);
  }, 240_000);

  it('keeps a call with DEMARC_EDGES=1 when the only edge is killed, and demarc down ends all of it after the launcher', async () => {
    await user.running.stop(20_000);
    await user.startAndWait({ DEMARC_EDGES: '1' });
    const started = user.partIdentities();
    expect([...started.keys()].sort()).toEqual(parts.filter((name) => name !== 'edge-2'));
    const caller = user.call('--seconds', '8');
    await until(async () => (await talkingCalls()) === 1, 20_000, 'the call is answered');
    process.kill(started.get('edge-1')!.pid, 'SIGKILL');
    await user.running.line(/edge-1 is ready again/, 20_000);
    const { code, output } = await caller;
    expect(code, output).toBe(0);
    process.kill(user.supervisor().pid, 'SIGKILL');
    await user.running.exit(20_000);
    const left = [...user.partIdentities().values()];
    const down = (): TestProcess =>
      new TestProcess(process.execPath, [programs.demarc, 'down'], { env: user.environment });
    const first = down();
    expect(await first.exit(40_000), first.output).toBe(0);
    expect(left.filter(isRunning)).toEqual([]);
    const second = down();
    expect(await second.exit(20_000)).toBe(1);
    expect(second.output).toContain('does not run');
  }, 240_000);
});
