import { execFileSync } from 'node:child_process';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CodecPolicy, codecPolicySchema } from '../../../src/contract/number.js';

type CodecName = CodecPolicy['order'][number];

import { anyOf } from '../../../src/contract/source-range.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { type MediaSide, otherSide } from '../../../src/edge/media/rtp-statistics.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { decode, samplesPerPacket } from '../../../src/rtp/g711.js';
import { readPacket } from '../../../src/rtp/packet.js';
import { toneShare } from '../../../src/rtp/tone-code.js';
import { readWave } from '../../../src/rtp/wave.js';
import { cryptoLinesOf, mediaAddress, readSession } from '../../../src/sdp/sdp.js';
import { type SrtpSuite, srtpSuites } from '../../../src/sdp/srtp-key.js';
import type { Faults } from '../../../src/testkit/faulty-link.js';
import { until } from '../../../src/testkit/waiting.js';
import { FaultyRelay } from '../../support/faulty-relay.js';
import { realTime } from '../../support/real-time.js';
import { describeEachBeside } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { agentDescription, trunkDescription } from './descriptions.js';
import { levelOf, likeness, median, played } from './heard-speech.js';
import { RtpParty } from './rtp-party.js';
import { RtpengineProcess, releases } from './rtpengine-process.js';

const keyLengths: Readonly<Record<SrtpSuite, number>> = {
  AES_CM_128_HMAC_SHA1_80: 30,
  AES_CM_128_HMAC_SHA1_32: 30,
  AES_256_CM_HMAC_SHA1_80: 46,
  AEAD_AES_128_GCM: 28,
  AEAD_AES_256_GCM: 44,
};
const keyLineFor = (suite: SrtpSuite): string =>
  `a=crypto:3 ${suite} inline:${Buffer.alloc(keyLengths[suite], 9).toString('base64')}`;

const withPort = (sdp: string, port: number): string => sdp.replace(/^m=audio \d+/m, `m=audio ${port}`);

/** Six seconds of it. */
function speech(): Int16Array {
  const text =
    'The quick brown fox jumps over the lazy dog. A voice agent answers this call, and asks for a name.';
  return readWave(execFileSync('espeak-ng', ['--stdout', text]))!;
}

/** What differs between releases of rtpengine, and must not differ for a call. */
describeEachBeside(releases)('rtpengine $release', ({ release, root, missing }) => {
  let rtpengine: RtpengineProcess;
  let pool: RtpenginePool;
  beforeAll(async () => {
    if (missing !== undefined) return;
    rtpengine = await RtpengineProcess.start(400, root);
    pool = new RtpenginePool({
      // Some trunks here only listen.
      settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000, unprovenMilliseconds: 60_000 },
      log: pino({ level: 'silent' }),
    });
    await pool.start();
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    await pool?.stop();
    await rtpengine?.stop();
  });

  let calls = 0;
  const sessions: MediaSession[] = [];
  const parties: RtpParty[] = [];
  const relays: FaultyRelay[] = [];
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.close()));
    for (const party of parties.splice(0)) party.close();
    await Promise.all(sessions.splice(0).map((session) => session.release()));
    if (missing === undefined) expect(await rtpengine.sessions()).toEqual([]);
  });
  const party = async (): Promise<RtpParty> => {
    const opened = await RtpParty.open(parties.length + 1);
    parties.push(opened);
    return opened;
  };
  const session = (policy: Partial<CodecPolicy> = {}): MediaSession => {
    const codecs = codecPolicySchema.parse(policy);
    const opened = new MediaSession(`release-${release}-${++calls}`, pool, { codecs, isTrunkSecure: false });
    sessions.push(opened);
    return opened;
  };
  const audio = (sdp: string) => readSession(sdp)!.media[0]!;

  /** A call between two parties; ports of rtpengine that each of them sends to. */
  const call = async () => {
    const [trunk, agent] = [await party(), await party()];
    const media = session();
    const offer = await media.offer('trunk', agentDescription({ port: trunk.port }));
    const answer = await media.answer(agentDescription({ port: agent.port }));
    return {
      media,
      trunk,
      agent,
      offer,
      answer,
      trunkPort: audio(answer).port,
      agentPort: audio(offer).port,
    };
  };

  it('is known by its release', async () => {
    expect(pool.states()[0]?.version).toMatch(release === '26' ? /^26\.\d+\.\d+$/ : /^10\.5\.\d+$/);
  });

  it.each(['agent', 'trunk'] as const)(
    'plays no stranger who sends first to the port of a plain %s, and sends it nothing',
    async (side) => {
      const { trunk, agent, trunkPort, agentPort } = await call();
      const stranger = await party();
      const [own, opposite] = side === 'agent' ? [agent, trunk] : [trunk, agent];
      const [ownPort, otherPort] = side === 'agent' ? [agentPort, trunkPort] : [trunkPort, agentPort];
      await stranger.talk({ count: 10, port: ownPort });
      await Promise.all([
        opposite.talk({ count: 10, port: otherPort }),
        stranger.talk({ count: 10, port: ownPort }),
      ]);
      await until(() => own.heard.length === 10, 2_000, 'the described address hears the other side');
      await stays(() => expect([...stranger.heard, ...opposite.heard]).toEqual([]), 300);
      await own.talk({ count: 5, port: ownPort });
      await until(() => opposite.heard.length === 5, 2_000, 'the side itself is heard');
      expect(stranger.heard).toEqual([]);
    },
  );

  describe('with sides that may send from another address', () => {
    let learning: RtpenginePool;
    let learningByNumber: RtpenginePool;
    beforeAll(async () => {
      if (missing !== undefined) return;
      const settings = {
        nodes: [rtpengine],
        timeoutMilliseconds: 3_000,
        unprovenMilliseconds: 60_000,
        agentSources: anyOf(['127.0.0.1']),
      };
      const log = pino({ level: 'silent' });
      learning = new RtpenginePool({
        settings: { ...settings, symmetric: { trunk: true, agent: true } },
        log,
      });
      learningByNumber = new RtpenginePool({ settings, log });
      await Promise.all([learning.start(), learningByNumber.start()]);
    });
    afterAll(() => Promise.all([learning?.stop(), learningByNumber?.stop()]));

    /**
     * One side is behind NAT: it sends from `real`, and its description names `described`.
     * @param by `number`: the edge's settings allow it for no side
     */
    const translated = async (
      hidden: MediaSide,
      offerer: MediaSide,
      by: 'settings' | 'number' = 'settings',
    ) => {
      const [opposite, described, real] = [await party(), await party(), await party()];
      const stranger = await RtpParty.open(66, '127.0.0.2');
      parties.push(stranger);
      const ofNumber = by === 'number' ? { isSymmetric: true } : {};
      const media = new MediaSession(
        `learning-${release}-${++calls}`,
        by === 'number' ? learningByNumber : learning,
        {
          codecs: codecPolicySchema.parse({}),
          parties: {
            trunk: { profile: 'RTP/AVP', ...ofNumber },
            // A customer's agent.
            agent: { profile: 'RTP/AVP', isForeign: by === 'number', ...ofNumber },
          },
        },
      );
      sessions.push(media);
      const texts = {
        [hidden]: agentDescription({ port: described.port }),
        [otherSide(hidden)]: agentDescription({ port: opposite.port }),
      } as Record<MediaSide, string>;
      const offer = await media.offer(offerer, texts[offerer]);
      const answer = await media.answer(texts[otherSide(offerer)]);
      for (const sdp of [offer, answer]) expect(sdp).toContain('a=sendrecv');
      const ports = { [otherSide(offerer)]: offer, [offerer]: answer } as Record<MediaSide, string>;
      return {
        media,
        opposite,
        described,
        real,
        stranger,
        texts,
        otherPort: audio(ports[otherSide(hidden)]).port,
        hiddenPort: audio(ports[hidden]).port,
      };
    };

    if (release === '26')
      it.each([
        ['agent', 'trunk', 'settings'],
        ['agent', 'agent', 'settings'],
        ['trunk', 'trunk', 'settings'],
        ['trunk', 'agent', 'settings'],
        ['agent', 'trunk', 'number'],
        ['trunk', 'agent', 'number'],
      ] as const)(
        'hears such a plain %s where the %s offers, by the %s, and no stranger who sends first',
        async (hidden, offerer, by) => {
          const { media, opposite, described, real, stranger, texts, otherPort, hiddenPort } =
            await translated(hidden, offerer, by);
          const otherTalks = opposite.talk({ count: 100, port: otherPort });
          await stranger.talk({ count: 15, port: hiddenPort });
          expect(opposite.heard.length + stranger.heard.length).toBe(0);
          await Promise.all([
            real.talk({ count: 50, port: hiddenPort }),
            stranger.talk({ count: 50, port: hiddenPort }),
            otherTalks,
          ]);
          await until(() => opposite.heard.length > 20 && real.heard.length > 20, 3_000, 'both are heard');
          const sources = new Set(opposite.heard.map((packet) => readPacket(packet)!.source));
          expect([...sources]).toEqual([3]);
          expect([...stranger.heard, ...described.heard]).toEqual([]);
          // A re-INVITE keeps what was learned; nothing is off meanwhile.
          await media.offer('trunk', texts.trunk.replace(' 1 IN', ' 2 IN'));
          await media.answer(texts.agent.replace(' 1 IN', ' 2 IN'));
          const before = opposite.heard.length;
          await Promise.all([
            real.talk({ count: 5, port: hiddenPort }),
            stranger.talk({ count: 5, port: hiddenPort }),
          ]);
          await until(() => opposite.heard.length === before + 5, 2_000, 'the side is still heard');
          expect(stranger.heard).toEqual([]);
          const { learned } = media.describe().sides[hidden];
          expect(learned).toMatchObject({ address: '127.0.0.1', port: real.port });
        },
      );

    if (release === '26')
      it.each(['agent', 'trunk'] as const)(
        'names the address of a plain %s that is not allowed',
        async (hidden) => {
          const { media, stranger, opposite, hiddenPort } = await translated(hidden, 'trunk');
          await stranger.talk({ count: 170, port: hiddenPort });
          const refused = () => media.summary?.refusedSources?.[hidden];
          await until(() => refused() !== undefined, 3_000, 'the address is named');
          expect(refused()).toBe(`127.0.0.2 port ${stranger.port}`);
          expect([...opposite.heard, ...stranger.heard]).toEqual([]);
        },
      );

    if (release === '26')
      it('takes only the described address where the number says so', async () => {
        const media = new MediaSession(`described-${++calls}`, learning, {
          codecs: codecPolicySchema.parse({}),
          parties: {
            trunk: { profile: 'RTP/AVP', isSymmetric: false },
            agent: { profile: 'RTP/AVP', isSymmetric: false },
          },
        });
        sessions.push(media);
        const [trunk, agent, real] = [await party(), await party(), await party()];
        const offer = await media.offer('trunk', agentDescription({ port: trunk.port }));
        await media.answer(agentDescription({ port: agent.port }));
        await real.talk({ count: 10, port: audio(offer).port });
        await agent.talk({ count: 5, port: audio(offer).port });
        await until(() => trunk.heard.length === 5, 2_000, 'the described address is heard');
        expect(media.summary?.unlearned).toEqual([]);
      });

    if (release === '10.5')
      it.each(['settings', 'number'] as const)('refuses to learn by the %s, and says so', async (by) => {
        const { media, opposite, described, real, otherPort, hiddenPort } = await translated(
          'agent',
          'trunk',
          by,
        );
        expect(media.summary?.unlearned).toEqual(['trunk', 'agent']);
        await Promise.all([
          opposite.talk({ count: 10, port: otherPort }),
          real.talk({ count: 10, port: hiddenPort }),
        ]);
        await until(() => described.heard.length === 10, 2_000, 'the described address hears the other side');
        expect([...opposite.heard, ...real.heard]).toEqual([]);
      });
  });

  describe.each(srtpSuites)('with %s', (suite) => {
    let secure: RtpenginePool;
    beforeAll(async () => {
      if (missing !== undefined) return;
      const settings = { nodes: [rtpengine], timeoutMilliseconds: 3_000, unprovenMilliseconds: 60_000 };
      secure = new RtpenginePool({
        settings: { ...settings, srtpSuites: [suite] },
        log: pino({ level: 'silent' }),
      });
      await secure.start();
    });
    afterAll(() => secure?.stop());

    const secureSession = (): MediaSession => {
      const media = new MediaSession(`suite-${release}-${++calls}`, secure, {
        codecs: codecPolicySchema.parse({}),
      });
      sessions.push(media);
      return media;
    };
    const keysOf = (sdp: string) => cryptoLinesOf(audio(sdp)).map((line) => line.suite);

    it('encrypts a trunk in both directions, where it is offered', async () => {
      const [caller, callee] = [await party(), await party()];
      const [calling, called] = [secureSession(), secureSession()];
      const offer = await calling.offer('agent', agentDescription({ port: caller.port }));
      if (suite.endsWith('_32')) {
        // Accepted only.
        expect(keysOf(offer)).toEqual([]);
        const accepted = await called.offer('trunk', trunkDescription({ crypto: [keyLineFor(suite)] }));
        expect(audio(accepted).protocol).toBe('RTP/AVP');
        expect(keysOf(await called.answer(agentDescription({ port: callee.port })))).toEqual([suite]);
        return;
      }
      expect(keysOf(offer)).toEqual([suite]);
      const toCallee = await called.offer('trunk', offer);
      const answer = await called.answer(agentDescription({ port: callee.port }));
      expect(keysOf(answer)).toEqual([suite]);
      const toCaller = await calling.answer(answer);
      expect([calling.summary?.suite, called.summary?.suite]).toEqual([suite, suite]);
      await Promise.all([
        caller.talk({ count: 10, port: audio(toCaller).port, hertz: 1_000 }),
        callee.talk({ count: 10, port: audio(toCallee).port, hertz: 1_000 }),
      ]);
      await until(() => caller.heard.length === 10 && callee.heard.length === 10, 2_000, 'both are heard');
      for (const packet of [caller.heard[5]!, callee.heard[5]!])
        expect(toneShare(decode('PCMU', readPacket(packet)!.payload), 8_000, 1_000)).toBeGreaterThan(0.9);
    });

    it('refuses every other suite', async () => {
      for (const forbidden of srtpSuites.filter((each) => each !== suite)) {
        const offer = trunkDescription({ crypto: [keyLineFor(forbidden)] });
        await expect(secureSession().offer('trunk', offer)).rejects.toThrow(`required: ${suite}`);
      }
    });
  });

  it('encrypts a trunk that offers SRTP as RTP/AVP with a key where that is taken (RFC 8643)', async () => {
    const optimistic = new RtpenginePool({
      settings: {
        nodes: [rtpengine],
        timeoutMilliseconds: 3_000,
        unprovenMilliseconds: 60_000,
        takesOptimisticSrtp: true,
      },
      log: pino({ level: 'silent' }),
    });
    await optimistic.start();
    try {
      const codecs = codecPolicySchema.parse({});
      const [calling, called] = ['calling', 'called'].map((name) => {
        const opened = new MediaSession(`optimistic-${release}-${name}-${++calls}`, optimistic, { codecs });
        sessions.push(opened);
        return opened;
      }) as [MediaSession, MediaSession];
      const [caller, callee] = [await party(), await party()];
      const offer = await calling.offer('agent', agentDescription({ port: caller.port }));
      const asPlain = (sdp: string) => sdp.replace('RTP/SAVP', 'RTP/AVP');
      const asSecure = (sdp: string) => sdp.replace('RTP/AVP', 'RTP/SAVP');
      await expect(session().offer('trunk', agentDescription())).resolves.toContain('RTP/AVP');
      const toCallee = await called.offer('trunk', asPlain(offer));
      const answer = await called.answer(agentDescription({ port: callee.port }));
      expect(audio(answer).protocol).toBe('RTP/AVP');
      expect(cryptoLinesOf(audio(answer))).toHaveLength(1);
      expect(called.summary?.suite).toBe('AES_CM_128_HMAC_SHA1_80');
      const toCaller = await calling.answer(asSecure(answer));
      await Promise.all([
        caller.talk({ count: 10, port: audio(toCaller).port, hertz: 1_000 }),
        callee.talk({ count: 10, port: audio(toCallee).port, hertz: 1_000 }),
      ]);
      await until(() => caller.heard.length === 10 && callee.heard.length === 10, 2_000, 'both are heard');
      for (const packet of [caller.heard[5]!, callee.heard[5]!])
        expect(toneShare(decode('PCMU', readPacket(packet)!.payload), 8_000, 1_000)).toBeGreaterThan(0.9);
      // Our own offers in the call look the same, and no answer may leave the key out.
      const again = await called.offer('agent', agentDescription({ port: callee.port, version: 2 }));
      expect(audio(again).protocol).toBe('RTP/AVP');
      expect(cryptoLinesOf(audio(again))).toHaveLength(1);
      await expect(called.answer(agentDescription({ port: 40_000 }))).rejects.toThrow('no a=crypto line');
      await called.rollback();
      await expect(called.offer('trunk', agentDescription({ version: 3 }))).rejects.toThrow('not RTP/SAVP');
    } finally {
      await Promise.all(sessions.splice(0).map((opened) => opened.release()));
      await optimistic.stop();
    }
  });

  it('lets the side that holds be heard, and both again after the hold', async () => {
    const { media, trunk, agent, trunkPort, agentPort } = await call();
    const renegotiate = async (version: number, offered: string, answered: string): Promise<void> => {
      await media.offer(
        'trunk',
        agentDescription({ port: trunk.port, version, attributes: [`a=${offered}`] }),
      );
      await media.answer(agentDescription({ port: agent.port, version, attributes: [`a=${answered}`] }));
    };
    await renegotiate(2, 'sendonly', 'recvonly');
    await Promise.all([trunk.talk({ count: 5, port: trunkPort }), agent.talk({ count: 5, port: agentPort })]);
    await until(() => agent.heard.length === 5, 2_000, 'music on hold of the trunk is heard');
    // 10.5 also passes on what the held side sends; peers do not play it.
    if (release === '26') expect(trunk.heard).toEqual([]);
    await renegotiate(3, 'sendrecv', 'sendrecv');
    trunk.heard.length = 0;
    await Promise.all([trunk.talk({ count: 5, port: trunkPort }), agent.talk({ count: 5, port: agentPort })]);
    await until(() => agent.heard.length === 10 && trunk.heard.length === 5, 2_000, 'both are heard');
  });

  it('describes an address for each audio line, and another port for each session', async () => {
    const ports: number[] = [];
    for (let count = 0; count < 20; count++) {
      const media = session();
      const offer = await media.offer('trunk', agentDescription());
      const answer = await media.answer(agentDescription());
      for (const sdp of [offer, answer]) {
        const read = readSession(sdp)!;
        expect(mediaAddress(read, read.media[0]!)).toBe('127.0.0.1');
        expect(audio(sdp).port % 2).toBe(0);
        ports.push(audio(sdp).port);
      }
    }
    expect(new Set(ports).size).toBe(40);
  });

  it('gives the loss of a side without RTCP, exactly where it has sequence numbers', async () => {
    const { media, trunk, agent, trunkPort, agentPort } = await call();
    const count = 210;
    const isLost = (index: number): boolean => index > 10 && index % 10 === 0;
    const talking = Promise.all([
      trunk.talk({ count, isLost, port: trunkPort }),
      agent.talk({ count, port: agentPort }),
    ]);
    await until(() => agent.heard.length > 5, 5_000, 'the first packets');
    await media.count();
    await talking;
    await until(() => trunk.heard.length === count, 2_000, 'all packets of the agent');
    const ended = await media.release();
    expect(ended?.agent).toMatchObject({ packets_received: count });
    if (release === '26') {
      expect(ended?.trunk).toMatchObject({ packets_lost: 19, quality_source: 'sequence' });
      expect(ended?.trunk?.mos).toBeLessThan(3.6);
      expect(ended?.agent).toMatchObject({ packets_lost: 0, quality_source: 'sequence', mos: 4.4 });
      return;
    }
    expect(ended?.trunk?.quality_source).toBe('estimate');
    // This machine's other programs delay packets.
    expect(ended?.trunk?.packets_lost).toBeGreaterThan(10);
    expect(ended?.trunk?.packets_lost).toBeLessThan(40);
  });

  it('keeps speech whole over a line that loses 5 % and delays by up to 40 ms, in every codec that the release can', async ({
    skip,
  }) => {
    const spoken = speech();
    const count = Math.floor(spoken.length / samplesPerPacket);
    /** Two calls of the same trunk, in the codec; between them the line. */
    const over = async (codec: CodecName, faults: Faults, seed: number) => {
      const secure = (order: CodecName): MediaSession => {
        const codecs = codecPolicySchema.parse({ order: [order], transcode: true });
        const opened = new MediaSession(`line-${release}-${++calls}`, pool, { codecs });
        sessions.push(opened);
        return opened;
      };
      const [speaker, listener] = [await party(), await party()];
      const [calling, called] = [secure(codec), secure('PCMU')];
      const offer = await calling.offer('agent', agentDescription({ port: speaker.port }));
      const there = await FaultyRelay.to({ host: '127.0.0.1', port: audio(offer).port }, seed);
      relays.push(there);
      const toCallee = await called.offer('trunk', withPort(offer, there.address.port));
      const answer = await called.answer(agentDescription({ port: listener.port }));
      const back = await FaultyRelay.to({ host: '127.0.0.1', port: audio(answer).port }, seed + 1);
      relays.push(back);
      const toCaller = await calling.answer(withPort(answer, back.address.port));
      expect(called.summary?.trunkCodec).toBe(codec);
      const delays: number[] = [];
      const talk = async (): Promise<void> => {
        const began = performance.now();
        listener.onPacket = (packet) =>
          delays.push(
            performance.now() - began - 20 * (readPacket(packet)!.timestamp / samplesPerPacket - 1),
          );
        for (const relay of [there, back]) relay.faults = faults;
        await Promise.all([
          speaker.talk({ count, spoken, port: audio(toCaller).port }),
          listener.talk({ count, port: audio(toCallee).port }),
        ]);
      };
      return { codec, listener, delays, talk };
    };
    const bad: Faults = { loss: 0.05, duplication: 0, delay: [0, 40] };
    // The clock of what 10.5 converts stops with each lost packet: docs/decisions/rtpengine-transcoding.md.
    const lines =
      release === '26'
        ? [
            await over('PCMU', bad, 1),
            await over('PCMA', bad, 3),
            await over('G722', bad, 5),
            await over('opus', bad, 7),
            await over('G729', bad, 9),
          ]
        : [await over('PCMU', bad, 1)];
    // Otherwise the load of this machine would be heard.
    const end = realTime([process.pid, rtpengine.pid!]);
    if (typeof end === 'string') skip(end);
    else
      try {
        await Promise.all(lines.map(({ talk }) => talk()));
        const isHeard = ({ listener }: (typeof lines)[number]): boolean =>
          listener.heard.length > 0.85 * count;
        await until(() => lines.every(isHeard), 2_000, 'what is on its way');
      } finally {
        end();
      }
    for (const { codec, listener, delays } of lines) {
      const { samples, missing } = played(listener.heard);
      const { values, drift } = likeness(spoken, samples);
      const figures = {
        likeness: median(values),
        drift,
        decibels: 20 * Math.log10(levelOf(samples) / levelOf(spoken)),
        missing: missing / count,
        delay: median(delays),
      };
      if (process.env.DEMARC_TEST_WORK === '1') console.log(release, codec, figures);
      // G.729 models speech instead of its waveform.
      const [likest, loudest] = codec === 'G729' ? [0.7, 3] : [0.9, 1.5];
      expect(figures.likeness, codec).toBeGreaterThan(likest);
      // A clock that stops with each lost packet gains 300 ms.
      expect(Math.abs(drift), codec).toBeLessThan(100);
      expect(Math.abs(figures.decibels), codec).toBeLessThan(loudest);
      // rtpengine fills what it converts; a receiver conceals what is passed on.
      expect(figures.missing, codec).toBeLessThan(codec === 'PCMU' ? 0.1 : 0.01);
      expect(figures.delay, codec).toBeLessThan(300);
    }
  });

  it('offers the agent the codec of the trunk first, and converts nothing that both have', async () => {
    const media = session({ order: ['PCMU', 'opus', 'G722'], transcode: true });
    const offer = await media.offer('trunk', agentDescription({ formats: '96 101' }));
    expect(audio(offer).formats[0]).toBe('96');
    await media.answer(agentDescription({ formats: '96 0 101' }));
    expect(media.summary).toMatchObject({ trunkCodec: 'opus', agentCodec: 'opus' });
    expect(offer).toContain('opus/48000/2');
    expect(offer).not.toContain('opus/48000/1');
  });

  it('encodes opus in one channel at the level it got, and keeps the clock when packets are lost', async () => {
    const [trunk, agent, listener] = [await party(), await party(), await party()];
    const order = ['PCMU', 'opus'] as const;
    const media = session({ order: [...order], transcode: true });
    const offer = await media.offer('trunk', agentDescription({ port: trunk.port, formats: '96 101' }));
    const answer = await media.answer(agentDescription({ port: agent.port, formats: '0 101' }));
    expect(answer).toContain('opus/48000/2');
    if (release === '26') expect(answer).toMatch(/useinbandfec=1/);
    // A second session decodes what the trunk hears.
    const decoder = session({ order: [...order], transcode: true });
    const decoderOffer = await decoder.offer(
      'trunk',
      agentDescription({ port: trunk.port, formats: '96 101' }),
    );
    const decoderAnswer = await decoder.answer(agentDescription({ port: listener.port, formats: '0 101' }));
    expect(decoderOffer).toContain('PCMU');
    trunk.onPacket = (packet) => trunk.send(packet, audio(decoderAnswer).port);
    const amplitude = 8_000;
    await agent.talk({
      count: 150,
      hertz: 1_000,
      amplitude,
      isLost: (index) => index > 60 && index % 13 === 0,
      port: audio(offer).port,
    });
    await until(
      () => listener.heard.length > 120,
      5_000,
      () => `decoded: ${listener.heard.length}`,
    );
    const packets = trunk.heard
      .map((packet) => readPacket(packet)!)
      .filter(({ payloadType }) => payloadType === 96);
    // RFC 6716 §3.1: the third bit from below.
    expect(packets.filter(({ payload }) => (payload[0]! & 0x04) !== 0)).toEqual([]);
    const levels = listener.heard.slice(20, 60).map((packet) => {
      const samples = decode('PCMU', readPacket(packet)!.payload);
      return Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
    });
    // Noise takes the place of what a busy machine delivers late.
    const level = levels.toSorted((first, second) => first - second)[levels.length >> 1]!;
    expect(Math.abs(20 * Math.log10(level / (amplitude / Math.SQRT2)))).toBeLessThan(0.5);
    expect(toneShare(decode('PCMU', readPacket(listener.heard[40]!)!.payload), 8_000, 1_000)).toBeGreaterThan(
      0.9,
    );
    // 10.5 has no option that keeps the clock: docs/decisions/rtpengine-transcoding.md.
    if (release !== '26') return;
    const steps = packets.slice(1).map(({ sequence, timestamp }, index) => {
      const before = packets[index]!;
      return `${sequence - before.sequence} ${timestamp - before.timestamp}`;
    });
    expect(new Set(steps)).toEqual(new Set(['1 960']));
  });
});
