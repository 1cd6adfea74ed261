import { describe, expect, it } from 'vitest';
import { hearTone } from '../../../../dev/softphone/tone.js';
import { framesAtOnce, StereoFrames, silentFrames } from '../../../../src/edge/listening/stereo-frames.js';
import type { MediaSide } from '../../../../src/edge/media/rtp-statistics.js';
import {
  decode,
  encode,
  type G711,
  packetMilliseconds,
  sampleRate,
  samplesPerPacket,
} from '../../../../src/rtp/g711.js';

const tone = (hertz: number, packet: number): Int16Array =>
  Int16Array.from({ length: samplesPerPacket }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * (packet * samplesPerPacket + index)) / sampleRate)),
  );

const packetOf = (codec: G711, hertz: number, packet: number) => ({
  payloadType: 0,
  isMarked: false,
  sequence: packet & 0xffff,
  timestamp: packet * samplesPerPacket,
  source: 1,
  payload: encode(codec, tone(hertz, packet)),
});

/** What comes out of so many packets of each side. */
function heard(codecs: Record<MediaSide, G711>, hertz: Partial<Record<MediaSide, number>>, packets = 100) {
  const frames = new StereoFrames(codecs);
  const octets: Buffer[] = [];
  for (let packet = 0; packet < packets; packet++) {
    const now = packet * packetMilliseconds;
    for (const side of ['trunk', 'agent'] as const) {
      const frequency = hertz[side];
      if (frequency !== undefined) frames.put(side, packetOf(codecs[side], frequency, packet), now);
    }
    const complete = frames.take(now);
    if (complete !== undefined) octets.push(complete);
  }
  const samples = decode('PCMU', Buffer.concat(octets));
  const channel = (first: number) => ({
    samples: Float32Array.from(
      { length: samples.length / 2 },
      (_, index) => samples[2 * index + first]! / 32_768,
    ),
    rate: sampleRate,
  });
  return { octets, left: channel(0), right: channel(1) };
}

const both = { trunk: 'PCMU', agent: 'PCMU' } as const;

describe('the audio of a call for a listener', () => {
  it('has the trunk on the left and the agent on the right', () => {
    const { left, right } = heard(both, { trunk: 1_000, agent: 440 });
    expect(hearTone(left, 1_000).seconds).toBeGreaterThan(1.7);
    expect(hearTone(left, 440).seconds).toBe(0);
    expect(hearTone(right, 440).seconds).toBeGreaterThan(1.7);
    expect(hearTone(right, 1_000).seconds).toBe(0);
  });

  it('converts A-law of one side', () => {
    const { left, right } = heard({ trunk: 'PCMA', agent: 'PCMU' }, { trunk: 1_000, agent: 440 });
    expect(hearTone(left, 1_000).seconds).toBeGreaterThan(1.7);
    expect(hearTone(right, 440).seconds).toBeGreaterThan(1.7);
  });

  it('keeps its pace while a side sends nothing', () => {
    const { octets, left, right } = heard(both, { agent: 440 }, 50);
    expect(octets.map(({ length }) => length)).toEqual(
      Array(50 / framesAtOnce).fill(2 * framesAtOnce * samplesPerPacket),
    );
    expect(left.samples.every((sample) => sample === 0)).toBe(true);
    expect(hearTone(right, 440).seconds).toBeGreaterThan(0.7);
  });

  it('is silent, and as long, without a copy', () => {
    const silence = silentFrames();
    expect(silence.length).toBe(2 * framesAtOnce * samplesPerPacket);
    expect(decode('PCMU', silence).every((sample) => sample === 0)).toBe(true);
  });
});
