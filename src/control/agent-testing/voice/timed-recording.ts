import type { RecordingDelay } from '../../../contract/voice-call.js';
import { encode } from '../../../rtp/g711.js';

const [silence] = encode('PCMU', new Int16Array(1));
const samplesPerMillisecond = 8;

/**
 * The recording with the agent at the times of the timeline. Which of its packets was the fastest is known at the end of the call, when
 * the other parts of the recording are here already.
 * @param recording interleaved G.711 μ-law: the caller left, the agent right
 * @param delays in their order
 */
export function timedRecording(recording: Buffer, delays: readonly RecordingDelay[]): Buffer {
  const timed = Buffer.from(recording);
  for (let at = 1; at < timed.length; at += 2) timed[at] = silence!;
  const length = recording.length / 2;
  // A packet that was overtaken by the first one precedes the first delay, and a process that was killed has reported none.
  const stretches = [{ from: 0, by: delays[0]?.by ?? 0 }, ...delays.slice(1)];
  for (const [index, { from, by }] of stretches.entries()) {
    const end = Math.min(length, positionOf(stretches[index + 1]?.from ?? Number.POSITIVE_INFINITY));
    const earlier = positionOf(by);
    for (let sample = Math.max(positionOf(from), earlier); sample < end; sample++)
      timed[2 * (sample - earlier) + 1] = recording[2 * sample + 1]!;
  }
  return timed;
}

const positionOf = (milliseconds: number): number => Math.round(milliseconds * samplesPerMillisecond);
