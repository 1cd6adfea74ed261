import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../../../src/base/process-identity.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { CallStream } from '../../support/call-stream.js';
import { RequestLoop } from '../../support/request-loop.js';
import { parts, type UserOfStart } from '../user-of-start.js';

/** The next launcher runs after this. */
export function adoption(stage: () => UserOfStart): void {
  describe('the next launcher of npm start', () => {
    it('adopts all processes after a kill -9 of the launcher, and a call does not notice', async () => {
      const user = stage();
      const left = user.partIdentities();
      const caller = user.phone(user.ready().demo.number, '--seconds', '10');
      await until(async () => (await user.activeCalls()) === 1, 20_000, 'the call is up');
      process.kill(user.supervisor().pid, 'SIGKILL');
      await user.running.exit(20_000);
      expect([...left.values()].filter(isRunning)).toHaveLength(parts.length);
      // With the same settings: what other settings concern would be replaced.
      await user.startAndWait();
      expect(user.running.output).toContain('Adopted running processes');
      expect(user.partIdentities()).toEqual(left);
      // The key is shown once, and stays.
      expect(user.running.output).not.toContain(user.ready().http.apiKey);
      const { code, output } = await caller;
      expect(code, output).toBe(0);
      expect(await user.activeCalls()).toBe(0);
    });
  });
}

export function replacement(stage: () => UserOfStart): void {
  describe('npm start --replace', () => {
    it('replaces all processes: no call fails or is cut, no request to the API is refused', async () => {
      const user = stage();
      const { sip, demo, http } = user.ready();
      const before = user.partIdentities();
      const peer = await SipPeer.open({
        protocol: 'tls',
        target: { host: sip.host, port: sip.port },
        ca: readFileSync(sip.caFile, 'utf8'),
      });
      const calls = new CallStream(peer, {
        number: demo.number,
        callsPerSecond: 5,
        holdMilliseconds: 1_000,
        mostAtOnce: 12,
      });
      // A failure must not leave its load to the next test.
      onTestFinished(() => calls.stop());
      await calls.hold(5);
      const authorization = `Bearer ${http.apiKey}`;
      const requests = new RequestLoop(`${http.url}/v1/sip/calls?limit=1`, { authorization }, 50);
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
  });
}
