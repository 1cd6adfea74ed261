import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codecPolicySchema } from '../../../src/contract/number.js';
import { holdMusic } from '../../../src/edge/media/hold-music.js';
import { MediaSession } from '../../../src/edge/media/media-session.js';
import { MediaTap } from '../../../src/edge/media/media-tap.js';
import { RtpenginePool } from '../../../src/edge/media/rtpengine-pool.js';
import { codecsOf, readSession } from '../../../src/sdp/sdp.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { describeEachBeside } from '../../support/side-by-side.js';
import { agentDescription } from './descriptions.js';
import { RtpengineProcess, releases } from './rtpengine-process.js';

describeEachBeside(releases)('rtpengine $release', ({ root, missing }) => {
  let rtpengine: RtpengineProcess;
  let pool: RtpenginePool;
  beforeAll(async () => {
    if (missing !== undefined) return;
    rtpengine = await RtpengineProcess.start(400, root);
    pool = new RtpenginePool({
      settings: { nodes: [rtpengine], timeoutMilliseconds: 3_000 },
      log: pino({ level: 'silent' }),
    });
    await pool.start();
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    await pool?.stop();
    await rtpengine?.stop();
  });

  const packetMilliseconds = 20;
  const samplesPerPacket = 160;
  const silence = Buffer.alloc(samplesPerPacket, 0xff);

  /** One party with a socket: it sends the given RTP and counts what it receives. */
  class Party {
    /** Packets by payload type. */
    readonly heard = new Map<number, number>();
    /** Event codes that have ended, each once. */
    readonly digits: number[] = [];
    /** Packets of PCMU that are not silence. */
    tones = 0;
    port = 0;
    private sequence = 1;
    private timestamp = 160;
    private lastEnd = -1;

    private constructor(
      private readonly socket: Socket,
      private readonly ssrc: number,
    ) {
      socket.on('message', (packet) => this.take(packet));
    }

    static async open(ssrc: number): Promise<Party> {
      const socket = createSocket('udp4');
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      return new Party(socket, ssrc);
    }

    get localPort(): number {
      return this.socket.address().port;
    }

    /** @param payloadType 13: comfort noise instead of silence */
    async say(packets: number, payloadType: 0 | 13 = 0, audio = silence): Promise<void> {
      const payload = payloadType === 0 ? audio : Buffer.from([40]);
      for (let sent = 0; sent < packets; sent++) {
        this.send(payloadType, payload, this.timestamp, false);
        this.timestamp += samplesPerPacket;
        await pause(packetMilliseconds);
      }
    }

    /** One digit: six packets of the event and three of its end. */
    async press(payloadType: number, code: number): Promise<void> {
      const begun = this.timestamp;
      for (let sent = 1; sent <= 9; sent++) {
        const duration = Math.min(sent, 7) * samplesPerPacket;
        const payload = Buffer.from([code, sent > 6 ? 0x8a : 0x0a, duration >> 8, duration & 0xff]);
        this.send(payloadType, payload, begun, sent === 1);
        await pause(packetMilliseconds);
      }
      this.timestamp += 9 * samplesPerPacket;
    }

    close(): void {
      this.socket.close();
    }

    private send(payloadType: number, payload: Buffer, timestamp: number, isMarked: boolean): void {
      const header = Buffer.alloc(12);
      header[0] = 0x80;
      header[1] = payloadType | (isMarked ? 0x80 : 0);
      header.writeUInt16BE(this.sequence++, 2);
      header.writeUInt32BE(timestamp, 4);
      header.writeUInt32BE(this.ssrc, 8);
      this.socket.send(Buffer.concat([header, payload]), this.port, '127.0.0.1');
    }

    private take(packet: Buffer): void {
      const payloadType = packet[1]! & 0x7f;
      const payload = packet.subarray(12);
      this.heard.set(payloadType, (this.heard.get(payloadType) ?? 0) + 1);
      if (payloadType === 0 && payload.some((octet) => octet !== 0xff)) this.tones++;
      if (payload.length !== 4 || (payload[1]! & 0x80) === 0) return;
      const timestamp = packet.readUInt32BE(4);
      if (timestamp === this.lastEnd) return;
      this.lastEnd = timestamp;
      this.digits.push(payload[0]!);
    }
  }

  interface Joined {
    readonly trunk: Party;
    readonly agent: Party;
    readonly media: MediaSession;
    /** The digits that each side received. */
    readonly offered: string;
    readonly answered: string;
  }

  const open: { media: MediaSession; parties: Party[] }[] = [];
  afterEach(async () => {
    for (const { media, parties } of open.splice(0)) {
      await media.release();
      for (const party of parties) party.close();
    }
    if (missing === undefined) expect(await rtpengine.sessions()).toEqual([]);
  });

  const event = (payloadType: number, clock = 8000): string =>
    `a=rtpmap:${payloadType} telephone-event/${clock}`;
  const opus = (payloadType: number): string => `a=rtpmap:${payloadType} opus/48000/2`;

  /** Both sides over plain RTP, to see the packets; `formats` and rtpmap lines of each. */
  async function join(
    trunkSide: [formats: string, ...lines: string[]],
    agentSide: [formats: string, ...lines: string[]],
    firstPackets = 5,
    playsDigits = false,
    transcode = false,
  ): Promise<Joined> {
    const [trunk, agent] = [await Party.open(1), await Party.open(2)];
    const policy = codecPolicySchema.parse({ order: ['PCMU', 'opus'], transcode });
    const media = new MediaSession(`dtmf-${open.length}-${Date.now()}`, pool, {
      codecs: policy,
      isTrunkSecure: false,
      playsDigits,
    });
    open.push({ media, parties: [trunk, agent] });
    const describe = (party: Party, [formats, ...lines]: [string, ...string[]]): string => {
      const text = agentDescription({ formats: '0', port: party.localPort, attributes: lines });
      return text.replace('RTP/AVP 0\r\n', `RTP/AVP ${formats}\r\n`);
    };
    const offered = await media.offer('trunk', describe(trunk, trunkSide));
    const answered = await media.answer(describe(agent, agentSide));
    agent.port = readSession(offered)!.media[0]!.port;
    trunk.port = readSession(answered)!.media[0]!.port;
    await Promise.all([trunk.say(firstPackets), agent.say(firstPackets)]);
    return { trunk, agent, media, offered, answered };
  }

  const codecs = (sdp: string): string[] =>
    codecsOf(readSession(sdp)!.media[0]!).map(
      ({ payloadType, name, clockRate }) => `${payloadType} ${name}/${clockRate}`,
    );

  /** Waits for what is on its way; what did not arrive is for the test to say. */
  const arrived = (condition: () => boolean): Promise<void> =>
    until(condition, 5_000, 'RTP on its way').catch(() => {});

  describe('DTMF events in RTP', () => {
    it('cross between payload types 101 and 96, each side sending with the number of the other', async () => {
      const { trunk, agent, answered } = await join(['0 101', event(101)], ['0 96', event(96)]);
      expect(codecs(answered)).toEqual(['0 PCMU/8000', '96 telephone-event/8000']);
      await Promise.all([trunk.press(96, 5), agent.press(101, 7)]);
      await arrived(() => agent.heard.get(96) === 9 && trunk.heard.get(101) === 9);
      expect(agent.digits).toEqual([5]);
      expect(agent.heard.get(96)).toBe(9);
      expect(trunk.digits).toEqual([7]);
      expect(trunk.heard.get(101)).toBe(9);
    });

    it('of the telephone’s clock stay beside opus', async () => {
      const sides: [string, ...string[]] = ['96 101', opus(96), event(101)];
      const { trunk, agent, offered, answered } = await join(sides, sides);
      expect(codecs(offered)).toEqual(['96 opus/48000', '101 telephone-event/8000']);
      expect(codecs(answered)).toEqual(['96 opus/48000', '101 telephone-event/8000']);
      await Promise.all([trunk.press(101, 1), agent.press(101, 2)]);
      await arrived(() => agent.digits.length > 0 && trunk.digits.length > 0);
      expect([agent.digits, trunk.digits]).toEqual([[1], [2]]);
    });

    it('of the telephone’s clock reach a trunk that has opus alone from an agent without it, and back', async () => {
      const trunkSide: [string, ...string[]] = ['96 101', opus(96), event(101)];
      const agentSide: [string, ...string[]] = ['0 97', event(97)];
      const { trunk, agent, media, answered } = await join(trunkSide, agentSide, 5, false, true);
      expect(media.summary).toMatchObject({ trunkCodec: 'opus', agentCodec: 'PCMU' });
      expect(codecs(answered)).toEqual(['96 opus/48000', '101 telephone-event/8000']);
      await Promise.all([trunk.press(101, 5), agent.press(97, 7)]);
      await arrived(() => agent.digits.length > 0 && trunk.digits.length > 0);
      expect([agent.digits, trunk.digits]).toEqual([[5], [7]]);
      expect(trunk.heard.has(97)).toBe(false);
    });

    it('of both clocks are both offered beside opus, with other numbers in the answer', async () => {
      const { trunk, agent, offered, answered } = await join(
        ['96 0 110 101', opus(96), event(110, 48000), event(101)],
        ['111 97', opus(111), event(97, 48000)],
      );
      expect(codecs(offered)).toContain('110 telephone-event/48000');
      expect(codecs(answered)).toEqual(['111 opus/48000', '97 telephone-event/48000']);
      await Promise.all([trunk.press(97, 11), agent.press(110, 10)]);
      await arrived(() => agent.digits.length > 0 && trunk.digits.length > 0);
      expect([agent.digits, trunk.digits]).toEqual([[11], [10]]);
    });
  });

  describe('comfort noise', () => {
    it('is agreed where both sides have it, and passed on', async () => {
      const sides: [string, ...string[]] = ['0 13 101', event(101)];
      const { trunk, agent, media, answered } = await join(sides, sides);
      expect(codecs(answered)).toEqual(['0 PCMU/8000', '13 CN/8000', '101 telephone-event/8000']);
      expect(media.sideCodecs).toEqual({ trunk: 'PCMU', agent: 'PCMU' });
      await Promise.all([trunk.say(3, 13), agent.say(3, 13)]);
      await arrived(() => agent.heard.get(13) === 3 && trunk.heard.get(13) === 3);
      expect([agent.heard.get(13), trunk.heard.get(13)]).toEqual([3, 3]);
    });

    it('is not agreed where one side has none', async () => {
      for (const [trunkSide, agentSide] of [
        ['0 13', '0'],
        ['0', '0 13'],
      ] as const)
        expect(codecs((await join([trunkSide], [agentSide], 0)).answered)).toEqual(['0 PCMU/8000']);
    });
  });

  describe('the copy of a call for those who listen', () => {
    it.each([
      ['music', holdMusic()],
      ['silence', undefined],
    ])('has neither what the parties of a call on hold with %s say, nor the music', async (_, music) => {
      const { trunk, agent, media } = await join(['0 101', event(101)], ['0 101', event(101)]);
      const loud = Buffer.alloc(samplesPerPacket, 0x00);
      const spoken = { trunk: 0, agent: 0 };
      const tap = await MediaTap.open(media, '127.0.0.1', {
        packet: (side, { payload }) => {
          if (payload.some((octet) => octet !== 0xff && octet !== 0x7f)) spoken[side]++;
        },
      });
      const talk = () => Promise.all([trunk.say(15, 0, loud), agent.say(15, 0, loud)]);
      await talk();
      await arrived(() => spoken.trunk > 5 && spoken.agent > 5);
      expect(Math.min(spoken.trunk, spoken.agent)).toBeGreaterThan(5);
      await media.audio.hold(music);
      // What was on its way.
      await trunk.say(5);
      const before = { ...spoken };
      const heardBefore = trunk.tones;
      await talk();
      expect(spoken).toEqual(before);
      if (music !== undefined) expect(trunk.tones).toBeGreaterThan(heardBefore);
      await media.audio.resume();
      await talk();
      await arrived(() => spoken.trunk > before.trunk && spoken.agent > before.agent);
      expect(spoken.trunk).toBeGreaterThan(before.trunk);
      expect(spoken.agent).toBeGreaterThan(before.agent);
      await tap.close();
    });
  });

  describe('a digit that did not come in RTP', () => {
    it('is played as one event where both have events, without a new description', async () => {
      const { trunk, agent, media } = await join(['0 101', event(101)], ['0 101', event(101)]);
      expect(media.takesEvents('agent')).toBe(true);
      const playing = media.audio.playDigit('agent', '5', 120);
      await Promise.all([playing, trunk.say(25), agent.say(25)]);
      await arrived(() => agent.digits.length > 0);
      expect(agent.digits).toEqual([5]);
      expect(trunk.digits).toEqual([]);
      // What both send themselves still crosses.
      await Promise.all([trunk.press(101, 3), agent.press(101, 4)]);
      await arrived(() => agent.digits.length > 1 && trunk.digits.length > 0);
      expect([agent.digits, trunk.digits]).toEqual([[5, 3], [4]]);
    });

    it('is played in a call whose audio is copied for two takers, and the copy ends', async () => {
      const { trunk, agent, media } = await join(['0 101', event(101)], ['0 101', event(101)]);
      const copied = [0, 0];
      const [first, second] = await Promise.all(
        copied.map((_, index) => MediaTap.open(media, '127.0.0.1', { packet: () => copied[index]!++ })),
      );
      await Promise.all([trunk.say(5), agent.say(5)]);
      await arrived(() => copied.every((packets) => packets > 5));
      expect(Math.min(...copied)).toBeGreaterThan(5);
      await first!.close();
      const before = [...copied];
      await Promise.all([trunk.say(5), agent.say(5)]);
      await arrived(() => copied[1]! > before[1]! + 5);
      expect(copied[0]).toBe(before[0]);
      expect(copied[1]).toBeGreaterThan(before[1]! + 5);
      await Promise.all([media.audio.playDigit('agent', '5', 120), trunk.say(25), agent.say(25)]);
      await arrived(() => agent.digits.length > 0);
      expect(agent.digits).toEqual([5]);
      await second!.close();
    });

    it('is played to an agent with events for a trunk that has none, whose own side hears tones', async () => {
      const { trunk, agent, media, offered, answered } = await join(['0'], ['0 96', event(96)]);
      expect(codecs(offered)).toEqual(['0 PCMU/8000', '96 telephone-event/8000']);
      expect(codecs(answered)).toEqual(['0 PCMU/8000']);
      await Promise.all([media.audio.playDigit('agent', '#', 120), trunk.say(25), agent.say(25)]);
      await arrived(() => agent.digits.length > 0);
      expect(agent.digits).toEqual([11]);
      await Promise.all([agent.press(96, 9), trunk.say(9)]);
      await Promise.all([agent.say(5), trunk.say(5)]);
      await arrived(() => trunk.tones > 3);
      expect(trunk.tones).toBeGreaterThan(3);
      expect(trunk.heard.has(96)).toBe(false);
    });

    it('is not played while the other side is silent', async () => {
      const { agent, media } = await join(['0 101', event(101)], ['0 101', event(101)], 0);
      expect(await media.audio.playDigit('agent', '1', 100)).toBe(false);
      expect(agent.digits).toEqual([]);
    });

    it('is a tone for a side without events, where that is prepared', async () => {
      const { trunk, agent, media } = await join(['0 101', event(101)], ['0'], 5, true);
      expect([media.takesEvents('agent'), media.takesEvents('trunk')]).toEqual([false, false]);
      await Promise.all([media.audio.playDigit('agent', '1', 100), trunk.say(20)]);
      await arrived(() => agent.tones > 3);
      expect(agent.tones).toBeGreaterThan(3);
      expect(agent.digits).toEqual([]);
    });
  });
});
