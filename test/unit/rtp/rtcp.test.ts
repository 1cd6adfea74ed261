import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Reception } from '../../../src/rtp/reception.js';
import { ntpTime, readSenderReports, writeReport } from '../../../src/rtp/rtcp.js';
import { RtcpSession } from '../../../src/rtp/rtcp-session.js';

const bytes = (...words: readonly string[]): Buffer => Buffer.from(words.join(''), 'hex');

const senderReport = [
  '81c8000c', // version 2, one report block, SR, 13 words
  '11223344',
  'e8aabc00' + '80000000', // NTP
  '00001f40', // timestamp
  '00000032', // packets
  '00001f40', // octets
  'aabbccdd', // about
  '40fffffe', // a quarter lost lately, -2 in all
  '0001ffff', // one wrap
  '00000010', // jitter
  'bc008000', // LSR
  '00018000', // DLSR 1.5 s
] as const;
const description = ['81ca0003', '11223344', '01036140', '62000000'] as const;
const bye = ['81cb0001', '11223344'] as const;

describe('an RTCP packet', () => {
  it('is a report, the name and at last BYE, byte for byte', () => {
    const report = {
      source: 0x11223344,
      sender: {
        ntp: { seconds: 0xe8aabc00, fraction: 0x80000000 },
        timestamp: 8_000,
        packets: 50,
        octets: 8_000,
      },
      receptions: [
        {
          source: 0xaabbccdd,
          fractionLost: 64,
          packetsLost: -2,
          highestSequence: 0x1ffff,
          jitter: 16,
          lastSenderReport: 0xbc008000,
          delay: 98_304,
        },
      ],
      canonicalName: 'a@b',
      isLast: false,
    };
    expect(writeReport(report)).toEqual(bytes(...senderReport, ...description));
    expect(writeReport({ ...report, isLast: true })).toEqual(bytes(...senderReport, ...description, ...bye));
    expect(writeReport({ ...report, sender: undefined, receptions: [] })).toEqual(
      bytes('80c90001', '11223344', ...description),
    );
  });

  it('of a name that fills its word ends with a word of zeros', () => {
    const report = { source: 1, sender: undefined, receptions: [], canonicalName: 'ab', isLast: false };
    expect(writeReport(report).subarray(8)).toEqual(bytes('81ca0003', '00000001', '01026162', '00000000'));
  });

  it('is read for the middle of its NTP time', () => {
    expect(readSenderReports(bytes(...senderReport, ...description))).toEqual([
      { source: 0x11223344, middleOfNtp: 0xbc008000 },
    ]);
    expect(readSenderReports(bytes('80c90001', '11223344', ...description))).toEqual([]);
  });

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is not a report first', bytes(...description, ...senderReport)],
    ['has another version', bytes('41c8000c', ...senderReport.slice(1))],
    ['is longer than the datagram', bytes(...senderReport.slice(0, -1))],
    ['is too short for a sender', bytes('80c80001', '11223344')],
    ['has something behind it', bytes(...senderReport, '00')],
  ])('is ignored when it %s', (_what, packet) => {
    expect(readSenderReports(packet)).toEqual([]);
  });

  it('has the time since 1900', () => {
    expect(ntpTime(0)).toEqual({ seconds: 2_208_988_800, fraction: 0 });
    expect(ntpTime(1_250)).toEqual({ seconds: 2_208_988_801, fraction: 0x4000_0000 });
  });
});

describe('reception statistics of a source', () => {
  const heard = (...sequences: readonly number[]): Reception => {
    const reception = new Reception(7, sequences[0]!, 8_000);
    sequences.forEach((sequence, index) => {
      reception.packet(sequence, 160 * index, 20 * index);
    });
    return reception;
  };

  it('counts losses over the wrap of numbers, lately and in all', () => {
    const reception = heard(65_533, 65_534, 0, 2);
    // 65533 … 65538 are six, of which four came.
    expect(reception.report(80)).toMatchObject({
      packetsLost: 2,
      fractionLost: Math.floor((2 / 6) * 256),
      highestSequence: 65_538,
    });
    reception.packet(3, 160 * 6, 120);
    expect(reception.report(130)).toMatchObject({ packetsLost: 2, fractionLost: 0, highestSequence: 65_539 });
  });

  it('takes late and doubled packets for what they are', () => {
    expect(heard(10, 12, 11, 11).report(80)).toMatchObject({
      packetsLost: -1,
      fractionLost: 0,
      highestSequence: 12,
    });
  });

  it('restarts after a jump that two packets confirm, and not for one stray packet', () => {
    const reception = heard(10, 11, 40_000, 12);
    expect(reception.report(80)).toMatchObject({ packetsLost: 0, highestSequence: 12 });
    reception.packet(50_000, 800, 100);
    reception.packet(50_001, 960, 120);
    expect(reception.report(130)).toMatchObject({ packetsLost: 0, highestSequence: 50_001 });
  });

  it('has the jitter of RFC 3550 §A.8', () => {
    const reception = new Reception(7, 1, 8_000);
    // Transit 0, 80, 0, 0: differences 80, 80, 0. Sixteenfold: 80; 80 + 80 - 5 = 155; 155 + 0 - 10 = 145; 145 / 16 = 9.
    const packets: readonly (readonly [timestamp: number, at: number])[] = [
      [0, 0],
      [160, 30],
      [320, 40],
      [480, 60],
    ];
    packets.forEach(([timestamp, at], index) => {
      reception.packet(1 + index, timestamp, at);
    });
    expect(reception.report(70).jitter).toBe(9);
  });

  it('has no jitter from packets of one DTMF event, which all have its time', () => {
    const reception = new Reception(7, 1, 8_000);
    for (let index = 0; index < 5; index++) reception.packet(1 + index, 0, 20 * index);
    expect(reception.report(100).jitter).toBe(0);
  });

  it('reports the last sender report and the time since', () => {
    const reception = heard(1);
    expect(reception.report(0)).toMatchObject({ lastSenderReport: 0, delay: 0 });
    reception.heardSenderReport(0xbc008000, 1_000);
    expect(reception.report(2_500)).toMatchObject({ lastSenderReport: 0xbc008000, delay: 98_304 });
  });
});

describe('the reports of a session', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  const rtp = (sequence: number, timestamp: number, source: number): Buffer => {
    const packet = Buffer.alloc(12 + 160);
    packet[0] = 0x80;
    packet.writeUInt16BE(sequence, 2);
    packet.writeUInt32BE(timestamp, 4);
    packet.writeUInt32BE(source, 8);
    return packet;
  };
  const begin = (random: number) => {
    const sent: { readonly at: number; readonly packet: Buffer }[] = [];
    const from = performance.now();
    const session = new RtcpSession({
      source: 0x11223344,
      send: (packet) => sent.push({ at: performance.now() - from, packet }),
      random: () => random,
    });
    return { session, sent };
  };

  it.each([
    { random: 0, times: [1_026, 3_079] },
    { random: 0.5, times: [2_052, 6_156] },
    { random: 1, times: [3_078, 9_235] },
  ])(
    'come after half an interval and then each interval, for the random number $random',
    ({ random, times }) => {
      const { session, sent } = begin(random);
      session.start();
      session.start();
      vi.advanceTimersByTime(times[1]! + 10);
      expect(sent.map(({ at }) => Math.round(at / 20))).toEqual(times.map((time) => Math.round(time / 20)));
      session.leave();
    },
  );

  it('have the timestamp of the moment, and counts of packets and payload', () => {
    const { session, sent } = begin(0.5);
    session.start();
    vi.advanceTimersByTime(1_000);
    session.sent(rtp(1, 0xffff_ffff, 0x11223344));
    session.sent(rtp(2, 5_000, 0x11223344));
    session.received(rtp(9, 0, 0xaabbccdd));
    vi.advanceTimersByTime(1_060);
    const [{ at, packet }] = sent as [(typeof sent)[number]];
    expect(packet.readUInt8(0)).toBe(0x81);
    expect(packet.readUInt8(1)).toBe(200);
    expect(packet.readUInt32BE(16)).toBe(5_000 + Math.round((at - 1_000) * 8));
    expect([packet.readUInt32BE(20), packet.readUInt32BE(24)]).toEqual([2, 320]);
    expect(packet.readUInt32BE(28)).toBe(0xaabbccdd);
    session.leave();
  });

  it('are receiver reports without anything sent since the last but one, and BYE ends them', () => {
    const { session, sent } = begin(0.5);
    session.start();
    session.sent(rtp(1, 0, 0x11223344));
    vi.advanceTimersByTime(15_000);
    session.leave();
    vi.advanceTimersByTime(60_000);
    expect(sent.map(({ packet }) => packet.readUInt8(1))).toEqual([200, 200, 201, 201, 201]);
    expect(sent.at(-1)!.packet.subarray(-8)).toEqual(bytes(...bye));
    expect(sent.slice(0, -1).some(({ packet }) => packet.subarray(-8).equals(bytes(...bye)))).toBe(false);
  });

  it('come once soon after the first sender report of the peer, for the sake of short calls', () => {
    const { session, sent } = begin(0.5);
    session.start();
    vi.advanceTimersByTime(2_100);
    session.received(rtp(9, 0, 0x11223344));
    session.receivedReport(bytes(...senderReport));
    vi.advanceTimersByTime(100);
    session.receivedReport(bytes(...senderReport));
    vi.advanceTimersByTime(4_500);
    // After 2052; 410 after the sender report; then 4104 later.
    expect(sent.map(({ at }) => Math.round(at / 50))).toEqual([41, 50, 132]);
    const report = sent[1]!.packet;
    expect([report.readUInt8(1), report.readUInt32BE(24)]).toEqual([201, 0xbc008000]);
    expect(report.readUInt32BE(28) / 65_536).toBeCloseTo(0.31, 1);
    session.leave();
  });

  it('of one who never spoke are not ended by BYE', () => {
    const { session, sent } = begin(0.5);
    session.start();
    session.leave();
    expect(sent).toEqual([]);
  });
});
