import type { CallFacts } from '../../../src/bot/index.js';
import { decode, encode, sampleRate } from '../../../src/rtp/g711.js';
import { atRate } from '../../../src/rtp/wave.js';

type Encoding = Pick<CallFacts, 'encoding' | 'sampleRate'>;

/** A frame of the caller as 16-bit samples at 8000 Hz. */
export function samplesOf({ encoding, sampleRate: rate }: Encoding, frame: Buffer): Int16Array {
  if (encoding === 'mulaw') return decode('PCMU', frame);
  const samples = new Float32Array(frame.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = frame.readInt16LE(2 * index);
  return atRate(samples, rate, sampleRate);
}

/** Samples at 8000 Hz as the call takes them. */
export function octetsOf({ encoding, sampleRate: rate }: Encoding, samples: Int16Array): Buffer {
  if (encoding === 'mulaw') return encode('PCMU', samples);
  const converted = atRate(Float32Array.from(samples), sampleRate, rate);
  const octets = Buffer.alloc(2 * converted.length);
  for (const [index, sample] of converted.entries()) octets.writeInt16LE(sample, 2 * index);
  return octets;
}
