import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { numberKey } from '../../../src/contract/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import type { UserOfStart } from '../user-of-start.js';

const number = '+12025550143';

type Failures = Readonly<Record<string, 'SIGKILL' | 'SIGSTOP'>>;

/** Sends the signals; the result resolves when the launcher has brought the processes back, and the system is ready. */
function fail(user: UserOfStart, failures: Failures): Promise<void> {
  const { running } = user;
  const before = user.partIdentities();
  const timesReady = (name: string): number =>
    [...running.output.matchAll(new RegExp(`\\b${name} is ready again`, 'g'))].length;
  const failed = Object.keys(failures).map((name) => ({ name, times: timesReady(name) }));
  for (const [name, signal] of Object.entries(failures)) process.kill(before.get(name)!.pid, signal);
  const isBack = ({ name, times }: (typeof failed)[0]): boolean =>
    timesReady(name) > times && user.partIdentities().get(name)?.pid !== before.get(name)!.pid;
  const areBack = async (): Promise<boolean> => failed.every(isBack) && (await user.isReady());
  const back = until(areBack, 40_000, () => `back are ${failed.filter(isBack).map(({ name }) => name)}`);
  // A test that fails before does not wait for it.
  back.catch(() => undefined);
  return back;
}

async function expectCall(user: UserOfStart): Promise<void> {
  const { code, output } = await user.phone(number);
  // Beside other tests a stall of the machine loses some packets, which makes a call fail that is heard.
  const isHeard = /Echo heard +yes/.test(output) && output.includes('of the audio packets were lost');
  expect(isHeard ? 0 : code, output).toBe(0);
}

/** Processes that are killed, or stop answering, and come back. */
export function outages(stage: () => UserOfStart): void {
  describe('while a process of npm start is down', () => {
    it('a number attached without Redis is reached when Redis is back', async () => {
      const user = stage();
      const isBack = fail(user, { redis: 'SIGKILL' });
      const attached = await user.attach(number);
      expect(attached.body).toMatchObject({ data: { configured: [number] } });
      await isBack;
      const redis = new Redis(user.ready().redis.url);
      redis.on('error', () => {});
      const isStored = async (): Promise<boolean> => (await redis.exists(numberKey(number.slice(1)))) === 1;
      await until(isStored, 20_000, 'the number in Redis');
      redis.disconnect();
      await expectCall(user);
    });

    it.each(['postgres', 'control'])(
      'calls continue without %s, and are in the history afterwards',
      async (name) => {
        const user = stage();
        const before = (await user.history(number, 1)).length;
        const isBack = fail(user, { [name]: 'SIGKILL' });
        await expectCall(user);
        await isBack;
        await user.history(number, before + 1);
      },
    );
  });

  describe('npm start', () => {
    it('brings back all that calls go through after kill -9, and calls go through again', async () => {
      const user = stage();
      await fail(user, {
        'edge-1': 'SIGKILL',
        engine: 'SIGKILL',
        rtpengine: 'SIGKILL',
        agent: 'SIGKILL',
        'media-stream': 'SIGKILL',
      });
      await expectCall(user);
      const bot = await user.call('--agent', 'websocket');
      expect(bot.output).toMatch(/Agent heard +yes/);
      expect(bot.output).toMatch(/Echo heard +yes/);
      expect(bot.code, bot.output).toBe(0);
    });

    it('brings back an edge and rtpengine that run and answer nothing, and calls go through again', async () => {
      const user = stage();
      await fail(user, { 'edge-2': 'SIGSTOP', rtpengine: 'SIGSTOP' });
      await expectCall(user);
    });
  });
}
