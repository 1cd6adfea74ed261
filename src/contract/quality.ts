import { z } from 'zod';

/**
 * Quality of a call's audio over time, sampled by the edge while a client watches the call or while it is bad. Compact, because it is
 * part of the call record: at most about 2 KB a call.
 */

/** Seconds between two samples; longer calls have every second, fourth … of them. */
export const sampleSeconds = 5;

/** Octets of both sides' samples as JSON. */
export const mostSampleOctets = 2_048;

const known = z.number().nullable();

/**
 * One interval of one direction. Null: not reported within it. Where intervals were joined, each field is the worst of them.
 */
export const sampleRowSchema = z.tuple([
  /** Seconds from the call's begin to the end of the interval. */
  z.int(),
  /** RTP packets a second received from the side. */
  known,
  /** Packets lost, in percent; this, jitter and MOS as the other end received them (RTCP). */
  known,
  /** Jitter, milliseconds. */
  known,
  /** Round trip between rtpengine and the side, milliseconds. */
  known,
  /** MOS by the E-model (ITU-T G.107), 1.0 to 4.5. */
  known,
]);
export type SampleRow = z.infer<typeof sampleRowSchema>;

const rows = z.array(sampleRowSchema).max(200);

export const qualitySamplesSchema = z.strictObject({
  /** Length of the intervals: `sampleSeconds` times a power of two. */
  every_seconds: z.int().positive(),
  /** Of what came from that side, oldest first. Stretches in which the call was not sampled are absent. */
  trunk: rows,
  agent: rows,
});
export type QualitySamples = z.infer<typeof qualitySamplesSchema>;
