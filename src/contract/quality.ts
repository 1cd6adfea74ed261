import { z } from 'zod';

/**
 * Quality of a call's audio over time, sampled by the edge while a client watches the call or while it is bad. Compact, because it is
 * part of the call record: at most about 2 KB a call.
 */

/** Seconds between two samples; longer calls have every second, fourth … of them. */
export const sampleSeconds = 5;

/** Octets of both sides' samples as JSON. */
export const mostSampleOctets = 2_048;

/**
 * Where loss and MOS come from, the most exact first.
 * - `rtcp`: reports of the other end, so from end to end. Where audio is transcoded they end at rtpengine, and what rtpengine itself
 *   missed is added.
 * - `sequence`: sequence numbers that rtpengine missed (26 and later), so from the side to rtpengine; MOS from loss alone.
 * - `estimate`: packets against time (rtpengine 10.5); MOS from that loss alone. Unknown for a side that suppresses silence.
 */
export const qualitySources = ['rtcp', 'sequence', 'estimate'] as const;
export const qualitySourceSchema = z.enum(qualitySources);
export type QualitySource = z.infer<typeof qualitySourceSchema>;

const measured = z.number().nullable();

/**
 * One interval of one direction. Null: not reported within it. Where intervals were joined, each field is the worst of them.
 */
export const sampleRowSchema = z.tuple([
  /** Seconds from the call's begin to the end of the interval. */
  z.int(),
  /** RTP packets a second received from the side. */
  measured,
  /** Packets lost, in percent; jitter as the other end reported (RTCP). */
  measured,
  /** Jitter, milliseconds. */
  measured,
  /** Round trip between rtpengine and the side, milliseconds. */
  measured,
  /** MOS by the E-model (ITU-T G.107), 1.0 to 4.5. */
  measured,
  /** Of loss and MOS; of joined intervals the least exact. Absent from earlier edges, whose only source was RTCP. */
  qualitySourceSchema.nullable().optional(),
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
