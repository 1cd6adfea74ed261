import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codecPolicySchema } from '../../../src/contract/number.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { MediaUnavailable, RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { until } from '../../../src/testkit/waiting.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription, trunkDescription } from './descriptions.js';
import { RtpengineProcess } from './rtpengine-process.js';

let rtpengine: RtpengineProcess;
let two: RtpengineProcess;
let pool: RtpenginePool;
let counter = 0;

beforeAll(async () => {
  [rtpengine, two] = await Promise.all([RtpengineProcess.start(), RtpengineProcess.start()]);
  pool = new RtpenginePool({
    settings: { nodes: [rtpengine, two], timeoutMilliseconds: 3_000, pingMilliseconds: 200 },
    log: pino({ level: 'silent' }),
  });
  await pool.start();
});
afterAll(async () => {
  await pool?.stop();
  await Promise.all([rtpengine?.stop(), two?.stop()]);
});

const session = (): MediaSession =>
  new MediaSession(`pool-${++counter}`, pool, { codecs: codecPolicySchema.parse({}) });
const stateOf = (node: RtpengineProcess): string | undefined =>
  pool.states().find(({ name }) => name.endsWith(`:${node.port}`))?.state;

describe('a pool of two rtpengines', () => {
  it('shares new calls between them', async () => {
    const sessions = Array.from({ length: 6 }, session);
    for (const media of sessions) await media.offer('trunk', trunkDescription());
    expect((await rtpengine.sessions()).length).toBe(3);
    expect((await two.sessions()).length).toBe(3);
    await Promise.all(sessions.map((media) => media.release()));
  });

  it('takes the other one when the first is silent, within the bound, and pays the deletion later', async () => {
    await rtpengine.freeze();
    const sessions = [session(), session()];
    const watch = Stopwatch.start();
    for (const media of sessions) await media.offer('trunk', trunkDescription());
    expect(watch.milliseconds).toBeLessThan(watch.bound(3_000));
    expect(sessions.map(({ nodeName }) => nodeName)).toEqual(sessions.map(() => `127.0.0.1:${two.port}`));
    await until(() => stateOf(rtpengine) === 'down', 2_000, 'a ping was not answered either');
    rtpengine.thaw();
    await until(
      () => stateOf(rtpengine) === 'up' && pool.owedDeletions === 0,
      4_000,
      'the first is back and clean',
    );
    expect(await rtpengine.sessions()).toEqual([]);
    await Promise.all(sessions.map((media) => media.release()));
    expect(await two.sessions()).toEqual([]);
  });

  it('sends deletions that wait for their turn when it stops', async () => {
    const leaving = new RtpenginePool({
      settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000, deletionMilliseconds: 2_000 },
      log: pino({ level: 'silent' }),
    });
    const media = new MediaSession('leaving', leaving, { codecs: codecPolicySchema.parse({}) });
    await media.offer('trunk', trunkDescription());
    expect(await rtpengine.sessions()).toHaveLength(1);
    void media.release();
    await leaving.stop();
    expect(await rtpengine.sessions()).toEqual([]);
  });

  it('keeps a call on its node: a re-offer there fails, it does not move', async () => {
    const media = session();
    await media.offer('trunk', trunkDescription());
    await media.answer(agentDescription());
    const node = media.nodeName;
    const [own, idle] = node === `127.0.0.1:${rtpengine.port}` ? [rtpengine, two] : [two, rtpengine];
    await own.freeze();
    await expect(media.offer('trunk', trunkDescription({ version: 2 }))).rejects.toBeInstanceOf(
      MediaUnavailable,
    );
    expect(media.nodeName).toBe(node);
    expect(await idle.sessions()).toEqual([]);
    await until(() => stateOf(own) === 'down', 2_000, 'a ping was not answered either');
    const watch = Stopwatch.start();
    expect(await media.release()).toBeUndefined();
    // No node was asked.
    expect(watch.milliseconds).toBeLessThan(watch.bound(1_400));
    expect(pool.owedDeletions).toBe(1);
    own.thaw();
    await until(() => pool.owedDeletions === 0, 4_000, 'the deletion was made good');
    expect(await own.sessions()).toEqual([]);
  });

  it('refuses at once when none answers, and takes calls again when one is back', async () => {
    await Promise.all([rtpengine.kill(), two.kill()]);
    await until(() => !pool.isUsable, 4_000, 'both are known to be away');
    const watch = Stopwatch.start();
    await expect(session().offer('trunk', trunkDescription())).rejects.toBeInstanceOf(MediaUnavailable);
    // No node was asked.
    expect(watch.milliseconds).toBeLessThan(watch.bound(1_400));
    await two.restart();
    await until(() => pool.isUsable, 4_000, 'the second is back');
    const media = session();
    await media.offer('trunk', trunkDescription());
    expect(media.nodeName).toBe(`127.0.0.1:${two.port}`);
    await media.release();
    await rtpengine.restart();
  });

  it('uses a full node again only when it has capacity', async () => {
    await until(() => stateOf(rtpengine) === 'up' && stateOf(two) === 'up', 4_000, 'both are up');
    const full = await RtpengineProcess.start(4);
    const small = new RtpenginePool({
      settings: { nodes: [full, two], timeoutMilliseconds: 3_000 },
      log: pino({ level: 'silent' }),
    });
    await small.start();
    const sessions = Array.from(
      { length: 4 },
      () => new MediaSession(`full-${++counter}`, small, { codecs: codecPolicySchema.parse({}) }),
    );
    for (const media of sessions) {
      await media.offer('trunk', trunkDescription());
      await media.answer(agentDescription());
    }
    expect(
      sessions.filter(({ nodeName }) => nodeName === `127.0.0.1:${two.port}`).length,
    ).toBeGreaterThanOrEqual(3);
    await Promise.all(sessions.map((media) => media.release()));
    await small.stop();
    await full.stop();
  });
});
