import { describe, expect, it } from 'vitest';
import { encode, samplesPerPacket } from '../../../src/rtp/g711.js';
import { HeardAudio, type HeardTurn, stallMilliseconds } from '../../../src/rtp/heard-audio.js';
import { levelOf, SpeechDetector } from '../../../src/rtp/speech-detector.js';
import { decodeTones, encodeTones } from '../../../src/rtp/tone-code.js';

/** Deterministic noise around a level, with a tone of 300 Hz where the speaker speaks. */
function sound(milliseconds: number, speech: readonly (readonly [number, number])[], noise = 30): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: milliseconds * 8 }, (_, index) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    const hiss = ((seed / 0x7fff_ffff) * 2 - 1) * noise;
    const at = index / 8;
    const isSpeech = speech.some(([from, to]) => at >= from && at < to);
    return Math.round(hiss + (isSpeech ? 3_000 * Math.sin((2 * Math.PI * 300 * index) / 8_000) : 0));
  });
}

interface Network {
  /** Added to the arrival of packet n. */
  readonly delay?: (packet: number) => number;
  readonly isLost?: (packet: number) => boolean;
  /** Sequence in which packets arrive. */
  readonly order?: (packets: number[]) => number[];
}

function receive(samples: Int16Array, network: Network = {}, endOfTurn = 600) {
  const turns: HeardTurn[] = [];
  const began: number[] = [];
  const heard = new HeardAudio(
    'PCMU',
    0,
    { endOfTurnMilliseconds: endOfTurn },
    {
      began: (at) => began.push(at),
      turn: (turn) => turns.push(turn),
    },
  );
  const { delay = () => 0, isLost = () => false } = network;
  const count = samples.length / samplesPerPacket;
  const arrivals = Array.from({ length: count }, (_, packet) => ({ packet, at: packet * 20 + delay(packet) }))
    .filter(({ packet }) => !isLost(packet))
    .sort((a, b) => a.at - b.at);
  for (const { packet, at } of arrivals) {
    heard.advance(at);
    const payload = encode(
      'PCMU',
      samples.subarray(packet * samplesPerPacket, (packet + 1) * samplesPerPacket),
    );
    const timestamp = (0xffff_f000 + packet * samplesPerPacket) >>> 0;
    const sequence = (65_500 + packet) & 0xffff;
    heard.packet({ payloadType: 0, isMarked: packet === 0, sequence, timestamp, source: 7, payload }, at);
  }
  heard.finish(count * 20);
  const { speech, packets, turns: finalTurns, delays } = heard;
  return { turns, began, speech, packets, finalTurns, delays };
}

const within = (actual: number | undefined, expected: number, tolerance = 20): void =>
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance);

describe('speech', () => {
  it('is found where it is, above noise', () => {
    const { speech } = receive(
      sound(
        6_000,
        [
          [700, 1_900],
          [3_000, 4_500],
        ],
        60,
      ),
    );
    expect(speech).toHaveLength(2);
    within(speech[0]?.from, 700);
    within(speech[0]?.to, 1_900);
    within(speech[1]?.from, 3_000);
    within(speech[1]?.to, 4_500);
  });

  it('is found in silence without any noise, and in loud noise', () => {
    for (const noise of [0, 250]) {
      const { speech } = receive(sound(4_000, [[1_000, 2_000]], noise));
      expect(speech, `noise ${noise}`).toHaveLength(1);
      within(speech[0]?.from, 1_000);
      within(speech[0]?.to, 2_000);
    }
  });

  it('is not noise that becomes louder', () => {
    const louder = new SpeechDetector();
    const begins = Array.from({ length: 500 }, (_, frame) => louder.push(-70 + frame * 0.05)).filter(Boolean);
    expect(begins).toEqual([]);
  });

  it('a click is none, and a pause within words does not end it', () => {
    const { speech } = receive(
      sound(
        3_000,
        [
          [500, 510],
          [1_000, 1_400],
          [1_520, 2_000],
        ],
        0,
      ),
    );
    expect(speech).toHaveLength(1);
    within(speech[0]?.from, 1_000);
    within(speech[0]?.to, 2_000);
  });

  it('a steady tone of half a minute stays speech', () => {
    const detector = new SpeechDetector();
    const changes = Array.from({ length: 1_500 }, () => detector.push(-20)).filter(Boolean);
    expect(changes).toEqual([{ kind: 'began', frame: 0 }]);
  });
});

describe('the network', () => {
  it('jitter of 50 ms moves no edge, and is reported', () => {
    const { speech, packets } = receive(sound(4_000, [[1_000, 2_000]]), {
      delay: (packet) => (packet % 3) * 25,
    });
    within(speech[0]?.from, 1_000);
    within(speech[0]?.to, 2_000);
    expect(packets.jitterMilliseconds).toBeGreaterThan(15);
    expect(packets.late).toBe(0);
  });

  it('a slow first packet delays nothing, and cuts nothing from what is heard', () => {
    // The first packets wait 90 ms; those after them catch up in the middle of speech.
    const words = encodeTones('HELLO');
    const samples = new Int16Array(8_000 * 3);
    samples.set(words, 800);
    const { speech, turns } = receive(samples, { delay: (packet) => Math.max(0, 90 - packet * 3) });
    within(speech[0]?.from, 100);
    within(speech[0]?.to, 700);
    expect(decodeTones(turns[0]!.samples)).toBe('HELLO');
  });

  it('lost packets within speech do not cut it, and are counted', () => {
    const isLost = (packet: number): boolean => packet >= 60 && packet < 75;
    const { speech, packets } = receive(sound(4_000, [[1_000, 2_000]]), { isLost });
    expect(speech).toHaveLength(1);
    expect(packets.lost).toBe(15);
    expect(packets.received).toBe(185);
  });

  it('packets out of order are neither lost nor a reason for silence', () => {
    const { speech, packets } = receive(sound(3_000, [[1_000, 2_000]]), {
      delay: (packet) => (packet % 10 === 5 ? 30 : 0),
    });
    expect(speech).toHaveLength(1);
    expect(packets.lost).toBe(0);
  });

  it.each([70, 90, 300])('words of a sender that was stalled for %i ms are whole', (milliseconds) => {
    const words = encodeTones('HELLO THERE');
    const samples = new Int16Array(8 * 3_000);
    samples.set(words, 8 * 200);
    const from = 620;
    const delay = (packet: number): number => {
      const at = packet * 20;
      return at >= from && at < from + milliseconds ? from + milliseconds - at : 0;
    };
    const { turns, packets } = receive(samples, { delay });
    expect(turns.map((turn) => decodeTones(turn.samples))).toEqual(['HELLO THERE']);
    expect(packets).toMatchObject({ lost: 0, late: 0 });
  });

  it('a stall of the listener neither cuts nor moves what arrives meanwhile', () => {
    const heard = new HeardAudio(
      'PCMU',
      0,
      { endOfTurnMilliseconds: 600, stallMilliseconds },
      { began: () => {}, turn: () => {} },
    );
    const samples = sound(3_000, [[1_000, 2_000]]);
    const stall = { from: 1_200, to: 1_600 };
    for (let sequence = 0; sequence < 150; sequence++) {
      const at = sequence * 20;
      const isStalled = at > stall.from && at < stall.to;
      const timestamp = sequence * samplesPerPacket;
      const payload = encode('PCMU', samples.subarray(timestamp, timestamp + samplesPerPacket));
      const packet = { payloadType: 0, isMarked: false, sequence, timestamp, source: 7, payload };
      heard.packet(packet, isStalled ? stall.to : at);
      if (!isStalled) heard.advance(at);
    }
    heard.finish(3_000);
    expect(heard.speech).toHaveLength(1);
    within(heard.speech[0]?.from, 1_000);
    within(heard.speech[0]?.to, 2_000);
    expect(heard.packets).toMatchObject({ lost: 0, late: 0 });
  });

  it.each([160, 400])(
    'keeps its edges and stays one stretch when its sender is stalled for %i ms',
    (stall) => {
      const stalled = 1_000;
      const delay = (packet: number): number => Math.max(0, stalled + stall - packet * 20);
      const { speech, began, turns } = receive(sound(4_000, [[700, 1_900]]), {
        delay: (packet) => (packet * 20 < stalled ? 0 : delay(packet)),
      });
      expect(speech).toHaveLength(1);
      within(speech[0]?.from, 700);
      within(speech[0]?.to, 1_900);
      within(began[0], 700);
      expect(turns).toHaveLength(1);
      within(turns[0]?.from, 700);
      within(turns[0]?.to, 1_900);
    },
  );

  it('an agent that stops its clock in silence is heard when it speaks', () => {
    const turns: HeardTurn[] = [];
    const heard = new HeardAudio(
      'PCMU',
      0,
      { endOfTurnMilliseconds: 600 },
      { began: () => {}, turn: (turn) => turns.push(turn) },
    );
    const voice = sound(1_000, [[0, 1_000]]);
    let [sequence, timestamp] = [1, 0];
    for (const start of [200, 5_000]) {
      for (let at = 0; at < 1_000; at += 20) {
        heard.advance(start + at);
        const payload = encode('PCMU', voice.subarray(at * 8, at * 8 + samplesPerPacket));
        const packet = { payloadType: 0, isMarked: at === 0, sequence, timestamp, source: 7, payload };
        heard.packet(packet, start + at);
        sequence++;
        timestamp += samplesPerPacket;
      }
    }
    heard.finish(7_000);
    within(heard.speech[1]?.from, 5_000);
    within(heard.speech[1]?.to, 6_000);
  });

  it('other packet times than 20 ms are heard', () => {
    const heard = new HeardAudio(
      'PCMU',
      0,
      { endOfTurnMilliseconds: 600 },
      { began: () => {}, turn: () => {} },
    );
    const samples = sound(3_000, [[900, 1_800]]);
    for (let packet = 0; packet < 100; packet++) {
      heard.advance(packet * 30);
      heard.packet(
        {
          payloadType: 0,
          isMarked: false,
          sequence: packet,
          timestamp: packet * 240,
          source: 1,
          payload: encode('PCMU', samples.subarray(packet * 240, (packet + 1) * 240)),
        },
        packet * 30,
      );
    }
    heard.finish(3_000);
    within(heard.speech[0]?.from, 900);
    within(heard.speech[0]?.to, 1_800);
  });
});

describe('turns', () => {
  it('end after the silence that was asked for, with their audio', () => {
    const { turns } = receive(
      sound(6_000, [
        [700, 1_500],
        [1_900, 2_500],
        [4_000, 4_800],
      ]),
    );
    expect(turns).toHaveLength(2);
    within(turns[0]?.from, 700);
    within(turns[0]?.to, 2_500);
    // From shortly before it began until its silence was over.
    within(turns[0]!.samples.length / 8, 2_500 - 700 + 600, 120);
    expect(levelOf(turns[0]!.samples)).toBeGreaterThan(-30);
    within(turns[1]?.from, 4_000);
  });

  it('have their times corrected by a faster packet that comes after them, and say how late their frames were', () => {
    const { turns, finalTurns, speech, delays } = receive(sound(6_000, [[700, 1_500]]), {
      delay: (packet) => (packet < 200 ? 160 : 0),
    });
    within(turns[0]?.from, 860);
    expect(finalTurns).toHaveLength(1);
    within(finalTurns[0]?.from, 700);
    within(finalTurns[0]?.to, 1_500);
    expect(speech).toEqual(finalTurns);
    expect(delays).toEqual([{ from: 160, by: 160 }]);
  });

  it('the one that the end of the call cuts is a turn', () => {
    const { turns } = receive(sound(2_000, [[1_000, 2_000]]));
    expect(turns).toHaveLength(1);
    within(turns[0]?.to, 2_000);
  });
});
