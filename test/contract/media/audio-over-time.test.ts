import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RtpSession } from '../../../dev/agent/rtp.js';
import { codecPolicySchema } from '../../../src/contract/number.js';
import type { SampleRow } from '../../../src/contract/quality.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { type MediaSide, packetsFrom } from '../../../src/edge/media/rtp-statistics.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { QualityWatch, type SampledCall } from '../../../src/edge/quality/quality-watch.js';
import { type CallTurns, TurnWatch } from '../../../src/edge/quality/turn-watch.js';
import { answerOffer } from '../../../src/media-stream/audio-description.js';
import { encode, samplesPerPacket } from '../../../src/rtp/g711.js';
import { writePacket } from '../../../src/rtp/packet.js';
import { RtcpSession } from '../../../src/rtp/rtcp-session.js';
import { openSocketPair, type SocketPair } from '../../../src/rtp/socket-pair.js';
import { encodeTones } from '../../../src/rtp/tone-code.js';
import { readSession } from '../../../src/sdp/sdp.js';
import { until } from '../../../src/testkit/waiting.js';
import { realTime } from '../../support/real-time.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { agentDescription } from './descriptions.js';
import { RtpengineProcess, testedReleases } from './rtpengine-process.js';

const log = pino({ level: 'silent' });
/** An end of a call that sends a packet every 20 ms, and RTCP reports. */
class Speaker {
  private timer: NodeJS.Timeout | undefined;
  private words: Int16Array = new Int16Array();
  private readonly reports: RtcpSession;
  private target = 0;
  private count = 0;

  private constructor(
    private readonly pair: SocketPair,
    private readonly source: number,
    /** Of so many packets one is not sent. */
    private readonly losesOneOf: number,
  ) {
    this.reports = new RtcpSession({
      source,
      send: (compound) => pair.rtcp.send(compound, this.target + 1, '127.0.0.1'),
      // The shortest interval, two seconds.
      random: () => 0,
    });
    pair.rtp.on('message', (packet) => this.reports.received(packet));
    pair.rtcp.on('message', (compound) => this.reports.receivedReport(compound));
  }

  static async open(source: number, losesOneOf = Number.POSITIVE_INFINITY): Promise<Speaker> {
    return new Speaker(await openSocketPair('127.0.0.1'), source, losesOneOf);
  }

  get description(): string {
    return agentDescription({ port: this.pair.rtp.address().port });
  }

  start(sdp: string): void {
    this.target = readSession(sdp)!.media[0]!.port;
    this.reports.start();
    const began = performance.now();
    this.timer = setInterval(() => {
      while (began + this.count * 20 <= performance.now()) this.send(this.count++);
    }, 10);
  }

  say(words: string): void {
    this.words = encodeTones(words);
  }

  stop(): void {
    clearInterval(this.timer);
    this.reports.leave();
    this.pair.rtp.close();
    setImmediate(() => this.pair.rtcp.close());
  }

  private send(index: number): void {
    const samples = new Int16Array(samplesPerPacket);
    samples.set(this.words.subarray(0, samplesPerPacket));
    this.words = this.words.subarray(samplesPerPacket);
    if ((index + 1) % this.losesOneOf === 0) return;
    const packet = writePacket({
      payloadType: 0,
      isMarked: false,
      source: this.source,
      sequence: index & 0xffff,
      timestamp: index * samplesPerPacket,
      payload: encode('PCMU', samples),
    });
    this.reports.sent(packet);
    this.pair.rtp.send(packet, this.target, '127.0.0.1');
  }
}

/** As much of a call as the watches see. */
function callOf(media: MediaSession) {
  return {
    state: { startedAt: Date.now(), answeredAt: Date.now(), newParties: { agent: false } },
    hasEnded: false,
    media,
    samples: undefined as SampledCall['samples'],
    turns: undefined as CallTurns | undefined,
    samplesChanged: () => {},
  };
}

/** True: rtpengine sends the trunk's audio to a further receiver beside the agent. */
async function isCopied(media: MediaSession): Promise<boolean> {
  const { tags } = (await media.query()) as unknown as { tags: { trunk: { subscribers: object[] } } };
  return tags.trunk.subscribers.length > 1;
}

describe.each(testedReleases)('the audio of a call over time, rtpengine $release', ({ root, missing }) => {
  let rtpengine: RtpengineProcess;
  let pool: RtpenginePool;
  beforeAll(async () => {
    if (missing !== undefined) return;
    rtpengine = await RtpengineProcess.start(400, root);
    pool = new RtpenginePool({ settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000 }, log });
    await pool.start();
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    await pool?.stop();
    await rtpengine?.stop();
  });

  let calls = 0;
  const session = (): MediaSession =>
    new MediaSession(`over-time-${++calls}`, pool, {
      codecs: codecPolicySchema.parse({}),
      isTrunkSecure: false,
    });

  it('has the loss that was made, per direction and interval, and shows the call as bad', async () => {
    const [trunk, agent] = [await Speaker.open(1, 10), await Speaker.open(2)];
    const media = session();
    const offer = await media.offer('trunk', trunk.description);
    const answer = await media.answer(agent.description);
    const call = callOf(media);
    const quality = new QualityWatch(undefined, 2_500);
    // Otherwise the load of this machine would be in the figures.
    const end = realTime([process.pid, rtpengine.pid!]);
    trunk.start(answer);
    agent.start(offer);
    try {
      // Counters as the media watch gets them; no client watches the call.
      quality.counted(call, (await media.count())!);
      const received = async () => packetsFrom((await media.count())!, 'agent') ?? 0;
      await until(async () => (await received()) >= 225, 20_000, 'four and a half seconds of audio');
      quality.counted(call, (await media.count())!);
      expect(quality.size).toBe(1);
      const rows = (side: MediaSide): SampleRow[] => call.samples?.all?.[side] ?? [];
      await until(() => rows('trunk').length >= 3, 15_000, 'three intervals are sampled');
      const measured = (side: MediaSide, field: 1 | 2 | 3 | 4 | 5): number[] =>
        rows(side).flatMap((row) => row[field] ?? []);
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(mean(measured('trunk', 1))).toBeGreaterThan(42);
      expect(mean(measured('trunk', 1))).toBeLessThan(48);
      expect(mean(measured('agent', 1))).toBeGreaterThan(47);
      expect(mean(measured('trunk', 2))).toBeGreaterThan(8);
      expect(mean(measured('trunk', 2))).toBeLessThan(12);
      // A datagram late by a busy machine counts as lost until it comes.
      expect(mean(measured('agent', 2))).toBeLessThan(2);
      expect(Math.max(...measured('trunk', 5))).toBeLessThan(3.9);
      // 4.4 on an idle machine.
      expect(Math.max(...measured('agent', 5))).toBeGreaterThan(4.1);
      for (const side of ['trunk', 'agent'] as const) {
        expect(Math.max(...measured(side, 3))).toBeLessThan(40);
        expect(measured(side, 4).length).toBeGreaterThan(0);
      }
      const record = await media.release();
      expect(record?.trunk?.mos).toBeLessThan(3.9);
    } finally {
      if (typeof end === 'function') end();
      quality.stop();
      trunk.stop();
      agent.stop();
    }
  });

  it('has the time that the agent takes to reply, for a watched call alone, and ends its copy of the audio', async () => {
    const trunk = await Speaker.open(1);
    const agent = await RtpSession.open('127.0.0.1');
    const media = session();
    const offer = await media.offer('trunk', trunk.description);
    const local = { address: '127.0.0.1', port: agent.port, sessionId: 1, version: 1 };
    const answered = answerOffer(offer, local, 'sendrecv')!;
    const answer = await media.answer(answered.sdp);
    const call = callOf(media);
    const turns = new TurnWatch(log);
    const watch = Stopwatch.start();
    agent.agree(answered.agreed);
    agent.play({ replyMilliseconds: 400, manners: 'yields' }, 0);
    trunk.start(answer);
    const tags = async () => Object.keys((await media.query())?.tags as object).sort();
    expect(await tags()).toEqual(['agent', 'trunk']);
    try {
      turns.looked(call);
      // The greeting answers nothing.
      await stays(() => expect(call.turns?.summary()).toBeUndefined(), 2_500);
      for (const [index, words] of ['AB', 'CDE'].entries()) {
        trunk.say(words);
        await until(
          () => call.turns?.summary()?.count === index + 1,
          6_000,
          `reply ${index + 1} is measured`,
        );
      }
      const { replies, ...figures } = call.turns!.summary()!;
      expect(figures).toMatchObject({ count: 2, interruptions: 0 });
      for (const [, milliseconds] of replies)
        expect(Math.abs(milliseconds - 400)).toBeLessThanOrEqual(watch.bound(60));
      call.hasEnded = true;
      await until(() => turns.size === 0, 2_000, 'the measurement has ended');
      await until(async () => !(await isCopied(media)), 2_000, 'rtpengine sends no copy any more');
      await media.release();
    } finally {
      trunk.stop();
      agent.close();
    }
  });

  it('is copied again when its codec changes, and no longer once another process has the call', async () => {
    const media = session();
    const call = callOf(media);
    const turns = new TurnWatch(log);
    const agree = async (formats: string): Promise<void> => {
      await media.offer('trunk', agentDescription({ formats, port: 40_000 }));
      await media.answer(agentDescription({ formats }));
    };
    try {
      await agree('0');
      turns.looked(call);
      await until(() => isCopied(media), 2_000, 'rtpengine sends a copy');
      await agree('8');
      await until(() => turns.size === 0, 2_000, 'the copy in the former codec has ended');
      await until(async () => !(await isCopied(media)), 2_000, 'rtpengine sends no copy');
      turns.looked(call);
      // Before rtpengine has replied.
      await turns.stop();
      expect(await isCopied(media)).toBe(false);
      turns.looked(call);
      expect(turns.size).toBe(0);
    } finally {
      await media.release();
    }
  });
});
