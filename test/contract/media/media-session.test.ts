import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CodecPolicy, codecPolicySchema } from '../../../src/contract/number.js';
import { MediaRefused } from '../../../src/edge/media/media-refused.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { packetsFrom } from '../../../src/edge/media/rtp-statistics.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { codecsOf, cryptoLinesOf, readSession } from '../../../src/sdp/sdp.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { describeEachBeside } from '../../support/side-by-side.js';
import { agentDescription, keyLine, trunkDescription, trunkKey } from './descriptions.js';
import { RtpengineProcess, releases } from './rtpengine-process.js';

describeEachBeside(releases)('rtpengine $release', ({ root, missing }) => {
  let rtpengine: RtpengineProcess;
  let pool: RtpenginePool;
  let counter = 0;
  beforeAll(async () => {
    if (missing !== undefined) return;
    rtpengine = await RtpengineProcess.start(400, root);
    pool = new RtpenginePool({
      // A ping while rtpengine is started again would find it away.
      settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000, pingMilliseconds: 3_600_000 },
      log: pino({ level: 'silent' }),
    });
    await pool.start();
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    await pool?.stop();
    await rtpengine?.stop();
  });

  const open: MediaSession[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((session) => session.release()));
    if (missing === undefined) expect(await rtpengine.sessions()).toEqual([]);
  });

  const session = (policy: Partial<CodecPolicy> = {}): MediaSession => {
    const made = new MediaSession(`media-${++counter}`, pool, { codecs: codecPolicySchema.parse(policy) });
    open.push(made);
    return made;
  };

  const audio = (sdp: string) => readSession(sdp)!.media[0]!;
  const names = (sdp: string): string[] => codecsOf(audio(sdp)).map(({ name }) => name);

  const eventsOf = (sdp: string): string | undefined =>
    codecsOf(audio(sdp)).find(({ name }) => name === 'telephone-event')?.payloadType;

  describe('an offer of the trunk', () => {
    it('reaches the agent as plain RTP and is answered with SRTP', async () => {
      const media = session();
      const offer = await media.offer('trunk', trunkDescription({ formats: '8 0 18 101' }));
      expect(audio(offer).protocol).toBe('RTP/AVP');
      expect(names(offer)).toEqual(['PCMU', 'PCMA', 'telephone-event']);
      expect(offer).toMatch(/^a=rtcp:\d+/m);
      const answer = await media.answer(agentDescription({ formats: '8 101' }));
      expect(audio(answer).protocol).toBe('RTP/SAVP');
      expect(cryptoLinesOf(audio(answer))).toMatchObject([{ tag: '1', suite: 'AES_CM_128_HMAC_SHA1_80' }]);
      expect(names(answer)).toEqual(['PCMA', 'telephone-event']);
      expect(media.summary).toMatchObject({
        trunkCodec: 'PCMA',
        agentCodec: 'PCMA',
        suite: 'AES_CM_128_HMAC_SHA1_80',
      });
      expect(media.isFlowing).toBe(true);
    });

    it('keeps RTCP on a separate port although the trunk offered rtcp-mux', async () => {
      const media = session();
      const offer = await media.offer('trunk', trunkDescription({ attributes: ['a=rtcp-mux'] }));
      const answer = await media.answer(agentDescription({ attributes: ['a=rtcp-mux'] }));
      for (const sdp of [offer, answer]) {
        expect(sdp).not.toContain('a=rtcp-mux');
        expect(sdp).toContain(`a=rtcp:${audio(sdp).port + 1}`);
      }
    });

    it('never lets a key line through that switches encryption off', async () => {
      const media = session();
      await media.offer(
        'trunk',
        trunkDescription({
          crypto: [
            `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${trunkKey} UNENCRYPTED_SRTP`,
            `a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${'B'.repeat(40)}`,
          ],
        }),
      );
      const answer = await media.answer(agentDescription());
      expect(cryptoLinesOf(audio(answer))).toMatchObject([{ tag: '2', sessionParameters: '' }]);
    });

    it('is converted where the number allows it', async () => {
      const media = session({ order: ['PCMU', 'G722'], transcode: true });
      const offer = await media.offer('trunk', trunkDescription({ formats: '0 101' }));
      expect(names(offer)).toEqual(['PCMU', 'G722', 'telephone-event']);
      const answer = await media.answer(agentDescription({ formats: '9 101' }));
      expect(names(answer)).toEqual(['PCMU', 'telephone-event']);
      expect(media.summary).toMatchObject({
        trunkCodec: 'PCMU',
        agentCodec: 'G722',
        transcodingCause: 'agent_chose',
      });
    });

    it('with none of the enabled codecs is converted too, and the trunk is answered with one it named', async () => {
      const media = session({ order: ['PCMU'], transcode: true });
      const offer = await media.offer('trunk', trunkDescription({ formats: '96 101' }));
      expect(names(offer).filter((name) => name !== 'telephone-event')).toEqual(['PCMU']);
      expect(names(offer)).toContain('telephone-event');
      const answer = await media.answer(agentDescription({ formats: '0 101' }));
      expect(names(answer)[0]).toBe('opus');
      expect(media.summary?.transcodingCause).toBe('no_common_codec');
    });

    it.each([
      ['its audio refused', agentDescription({ port: 0 }), /port 0/],
      ['another profile', trunkDescription(), /RTP\/SAVP/],
      ['a codec not offered', agentDescription({ formats: '9' }), /G722/],
      ['nothing readable', 'hello', /not valid SDP/],
    ])('answered with %s is refused', async (_name, answer, detail) => {
      const media = session();
      await media.offer('trunk', trunkDescription());
      await expect(media.answer(answer)).rejects.toThrow(detail);
      await expect(media.answer(answer)).rejects.toBeInstanceOf(MediaRefused);
    });
  });

  describe('an offer of the agent', () => {
    const agreed = async (): Promise<MediaSession> => {
      const media = session();
      await media.offer('trunk', trunkDescription());
      await media.answer(agentDescription());
      return media;
    };

    it('reaches the trunk as SRTP with exactly one key of our suite', async () => {
      const media = session();
      const offer = await media.offer('agent', agentDescription());
      expect(audio(offer).protocol).toBe('RTP/SAVP');
      expect(offer).not.toMatch(/fingerprint|setup:/);
      const [crypto, ...more] = cryptoLinesOf(audio(offer));
      expect(more).toEqual([]);
      expect(crypto?.suite).toBe('AES_CM_128_HMAC_SHA1_80');
      const answer = await media.answer(trunkDescription({ crypto: [keyLine(offer)] }));
      expect(audio(answer).protocol).toBe('RTP/AVP');
    });

    it.each([
      ['in the clear', () => agentDescription(), /RTP\/AVP/],
      ['without a key', () => trunkDescription({ crypto: [] }), /no a=crypto/],
      [
        'with another suite',
        () => trunkDescription({ crypto: [`a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:${trunkKey}`] }),
        /AES_CM_128_HMAC_SHA1_32/,
      ],
      [
        'with a tag never offered',
        () => trunkDescription({ crypto: [`a=crypto:9 AES_CM_128_HMAC_SHA1_80 inline:${trunkKey}`] }),
        /tag 9/,
      ],
      [
        'with a short key',
        () => trunkDescription({ crypto: ['a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA'] }),
        /one usable/,
      ],
    ])('answered %s is refused', async (_name, answer, detail) => {
      const media = await agreed();
      await media.offer('agent', agentDescription({ version: 2 }));
      await expect(media.answer(answer())).rejects.toThrow(detail);
    });

    it('may be answered with an inactive stream first, and renegotiated later', async () => {
      const media = session();
      const offer = await media.offer('agent', agentDescription({ formats: '8 0 18 101' }));
      const held = media.heldAnswer()!;
      expect(names(held)).toEqual(['PCMA', 'PCMU', 'telephone-event']);
      expect(held).toMatch(/^c=IN IP4 0\.0\.0\.0\r\n(.*\r\n)*a=inactive\r\n/m);
      expect(audio(held).port).toBeGreaterThan(0);
      const crypto = [keyLine(offer)];
      const joining = await media.answer(trunkDescription({ crypto, formats: '0 101' }));
      expect(joining).toMatch(/^o=- \d+ 2 /m);
      await expect(media.redescribe(agentDescription({ formats: '9' }))).rejects.toBeInstanceOf(MediaRefused);
      await media.redescribe(agentDescription({ version: 2, port: 49_000, formats: '0 101' }));
      const query = JSON.stringify(await media.query());
      expect(query).toContain('"port":49000');
      // The trunk keeps sending to the address in its description.
      expect(query).toContain(`"local port":${audio(offer).port},`);
      expect(media.summary).toMatchObject({ trunkCodec: 'PCMU', agentCodec: 'PCMU' });
    });

    it('leaves the rtpengine ports unchanged when it was refused', async () => {
      const media = await agreed();
      const before = JSON.stringify(await media.query(), (key, value) => (key === 'last signal' ? 0 : value));
      await media.offer('agent', agentDescription({ version: 2, port: 49_000 }));
      await media.rollback();
      const after = JSON.stringify(await media.query(), (key, value) => (key === 'last signal' ? 0 : value));
      const endpoints = (text: string): string[] => text.match(/"(local )?port":\d+/g) ?? [];
      expect(endpoints(after)).toEqual(endpoints(before));
      expect(media.isFlowing).toBe(true);
    });

    it('keeps the trunk’s media lines in their order', async () => {
      const media = session();
      const video = 'm=video 5000 RTP/AVP 99\r\na=rtpmap:99 H264/90000\r\n';
      const plain = trunkDescription();
      const at = plain.indexOf('m=');
      await media.offer('trunk', plain.slice(0, at) + video + plain.slice(at));
      await media.answer(agentDescription());
      const offer = await media.offer('agent', agentDescription({ version: 2, attributes: ['a=sendonly'] }));
      expect(readSession(offer)!.media.map(({ kind, port }) => [kind, port > 0])).toEqual([
        ['video', false],
        ['audio', true],
      ]);
    });
  });

  describe('a digit', () => {
    it.each([
      ['as telephone events, though the agent has none', '0', (sdp: string) => eventsOf(sdp)!],
      ['as a tone to a trunk without telephone events', '0 101', () => undefined],
    ])('is heard in the place of the silenced agent %s', async (_name, formats, answeredEvents) => {
      const media = new MediaSession(`media-${++counter}`, pool, {
        codecs: codecPolicySchema.parse({}),
        isTrunkSecure: false,
        playsDigits: true,
      });
      open.push(media);
      const [agent, trunk] = [createSocket('udp4'), createSocket('udp4')];
      for (const socket of [agent, trunk]) {
        socket.bind(0, '127.0.0.1');
        await once(socket, 'listening');
      }
      const offer = await media.offer('agent', agentDescription({ port: agent.address().port, formats }));
      const events = answeredEvents(offer);
      const answer = agentDescription({ port: trunk.address().port, formats: '0' });
      const toAgent = await media.answer(
        events === undefined
          ? answer
          : `${answer.replace(/(m=.* 0)/, `$1 ${events}`)}a=rtpmap:${events} telephone-event/8000\r\n`,
      );
      expect(media.takesEvents('trunk')).toBe(events !== undefined);
      const heard = new Set<string>();
      trunk.on('message', (packet) => {
        const type = packet[1]! & 0x7f;
        heard.add(String(type) === events ? `event ${packet[12]}` : `audio ${packet[12]!.toString(16)}`);
      });
      // No audio, no digits.
      expect(await media.audio.playDigit('trunk', '5', 100, 50)).toBe(false);
      await media.audio.silenceAgent(true);
      let sequence = 0;
      const talking = setInterval(() => {
        const packet = Buffer.alloc(172, 0x55);
        packet.writeUInt16BE(0x8000, 0);
        packet.writeUInt16BE(++sequence, 2);
        packet.writeUInt32BE(sequence * 160, 4);
        agent.send(packet, audio(toAgent).port, '127.0.0.1');
      }, 20);
      try {
        await until(() => media.audio.playDigit('trunk', '5', 100, 50), 1_000, 'the digit is taken');
        const isDigit = (line: string): boolean =>
          events === undefined ? !/audio (ff|7f|55)/.test(line) : line === 'event 5';
        await until(
          () => [...heard].some(isDigit),
          1_000,
          () => `the digit: ${[...heard].join(', ')}`,
        );
        expect([...heard]).not.toContain('audio 55');
        await media.audio.silenceAgent(false);
        await until(() => heard.has('audio 55'), 1_000, 'the agent is heard');
      } finally {
        clearInterval(talking);
        agent.close();
        trunk.close();
      }
    });
  });

  describe('the end of a session', () => {
    it('gives the packets of each side', async () => {
      const media = session();
      const offer = await media.offer('trunk', trunkDescription());
      const socket = createSocket('udp4');
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      await media.answer(agentDescription({ port: socket.address().port }));
      for (let sequence = 0; sequence < 20; sequence++) {
        const packet = Buffer.alloc(172, 0xff);
        packet.writeUInt8(0x80, 0);
        packet.writeUInt8(0, 1);
        packet.writeUInt16BE(sequence, 2);
        packet.writeUInt32BE(sequence * 160, 4);
        packet.writeUInt32BE(0x1234, 8);
        socket.send(packet, audio(offer).port, '127.0.0.1');
        await pause(2);
      }
      await until(
        async () => packetsFrom((await media.count())!, 'agent') === 20,
        5_000,
        'all packets are counted',
      );
      socket.close();
      expect(await media.release()).toMatchObject({
        agent: { packets_received: 20, octets_received: 20 * 172, packets_sent: 0, errors: 0 },
        trunk: { packets_received: 0, packets_sent: 20 },
      });
    });

    it('comes without totals when rtpengine no longer has the call', async () => {
      const media = session();
      await media.offer('trunk', trunkDescription());
      await rtpengine.restart();
      expect(await media.release()).toEqual({ trunk: null, agent: null });
    });

    it('during the offer leaves no session', async () => {
      const media = session();
      const offer = media.offer('trunk', trunkDescription());
      await media.release();
      await expect(offer).rejects.toThrow('ended');
      await until(async () => (await rtpengine.sessions()).length === 0, 1_000, 'session is gone');
    });
  });
});
