import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { Linphone } from '../../../dev/softphone/linphone.js';
import { hearTone } from '../../../dev/softphone/tone.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { freePort, mediaPorts } from '../../support/free-ports.js';
import { parts, type UserOfStart } from '../user-of-start.js';

/** What a newcomer finds, and what a second start says. */
export function firstSteps(stage: () => UserOfStart): void {
  describe('npm start', () => {
    it('lists all addresses in ready.json and on the terminal', async () => {
      const ready = stage().ready();
      expect(ready.sip).toEqual({
        host: '127.0.0.1',
        port: Number(stage().environment.DEMARC_SIP_TLS_PORT),
        transport: 'tls',
        caFile: join(stage().stateDirectory, 'tls', 'ca.crt'),
      });
      expect(ready.http.url).toBe(`http://127.0.0.1:${stage().environment.DEMARC_HTTP_PORT}`);
      expect(stage().running.output).toContain(
        `sip:${ready.demo.number}@127.0.0.1:${ready.sip.port};transport=tls`,
      );
      expect(stage().running.output).toContain('npm run call');
      expect(existsSync(ready.sip.caFile)).toBe(true);
      expect([...stage().partIdentities().keys()].sort()).toEqual(parts);
      expect(await stage().isReady()).toBe(true);
    });

    it('keeps its keys and passwords to the owner', async () => {
      for (const file of [
        'ready.json',
        'env',
        'secret.key',
        'api.key',
        'tls/ca.key',
        'tls/server.key',
        'redis/redis.conf',
      ]) {
        expect(statSync(join(stage().stateDirectory, file)).mode & 0o077, file).toBe(0);
      }
      const { url } = stage().ready().redis;
      const redis = new Redis(url, { maxRetriesPerRequest: 0 });
      expect(await redis.ping()).toBe('PONG');
      redis.disconnect();
      const stranger = new Redis(url.replace(/:[^:@/]+@/, ':wrong@'), {
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
      });
      stranger.on('error', () => undefined);
      await expect(stranger.ping()).rejects.toThrow();
      stranger.disconnect();
    });

    it('takes a call of a softphone with Opus, audio both ways', async () => {
      const { code, output } = await stage().call('--codec', 'opus');
      expect(output).toMatch(/INVITE, SDP/);
      expect(output).toMatch(/200 .*\(INVITE, SDP\)/);
      expect(output).toMatch(/200 .*\(BYE\)/);
      expect(output).toMatch(/Codec +opus\//);
      expect(output).toMatch(/SRTP suite +AES_CM_128_HMAC_SHA1_80/);
      expect(output).toMatch(/Agent heard +yes/);
      expect(output).toMatch(/Echo heard +yes/);
      expect(output).not.toContain('inline:');
      expect(code, output).toBe(0);
    });

    it('has an API key that works, and shows the calls in the history', async () => {
      const { url, apiKey } = stage().ready().http;
      expect(stage().running.output).toContain(apiKey);
      const statuses = async (): Promise<string[]> => {
        const answer = await fetch(`${url}/v1/sip/calls`, { headers: { authorization: `Bearer ${apiKey}` } });
        const { data } = (await answer.json()) as { data: { calls: { status: string }[] } };
        return data.calls.map(({ status }) => status);
      };
      await until(async () => (await statuses()).includes('200 OK'), 10_000, 'the call in the history');
      expect((await fetch(`${url}/docs/`)).status).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('demarc_calls');
    });

    it('takes a call of linphonec, which verifies the certificate and its name', async () => {
      const [low, high] = await mediaPorts(4);
      const { sip, demo } = stage().ready();
      const phone = await Linphone.start({
        directory: join(stage().stateDirectory, 'linphone'),
        address: '127.0.0.1',
        tlsPort: await freePort(),
        rtpPorts: { low, high },
        user: 'caller',
        caFile: sip.caFile,
        toneHertz: 1_000,
      });
      try {
        phone.dial(`sip:${demo.number}@localhost:${sip.port};transport=tls`);
        await phone.waitUntilEstablished(30_000);
        await pause(5_000);
        phone.hangup();
        await phone.waitUntilEnded(20_000);
      } finally {
        await phone.stop();
      }
      expect(hearTone(phone.heard, 440).seconds).toBeGreaterThan(0.3);
      expect(hearTone(phone.heard, 1_000).seconds).toBeGreaterThan(0.5);
    });

    it('refuses a second start on the same ports, names them and how to change them, and leaves no files or processes', async () => {
      const secondState = mkdtempSync(join(tmpdir(), 'demarc-second-'));
      try {
        const second = stage().start({ DEMARC_STATE_DIR: secondState });
        expect(await second.exit(60_000)).toBe(1);
        for (const name of ['DEMARC_SIP_TLS_PORT', 'DEMARC_HTTP_PORT']) {
          expect(second.output).toContain(
            `port ${stage().environment[name]} on 127.0.0.1 is taken by process`,
          );
          expect(second.output).toContain(`${name}=`);
        }
        expect([...stage().partIdentities(secondState).keys()]).toEqual([]);
        expect(existsSync(join(secondState, 'supervisor.json'))).toBe(false);
      } finally {
        rmSync(secondState, { recursive: true, force: true });
      }
      expect(await stage().isReady()).toBe(true);
    });

    it('refuses a second start in the same directory and names the running one', async () => {
      const second = stage().start();
      expect(await second.exit(60_000)).toBe(1);
      expect(second.output).toContain(`process ${stage().supervisor().pid}`);
      expect(second.output).toContain('DEMARC_STATE_DIR');
      expect(existsSync(join(stage().stateDirectory, 'ready.json'))).toBe(true);
      expect(await stage().isReady()).toBe(true);
    });
  });
}
