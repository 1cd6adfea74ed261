import { z } from 'zod';
import { streamFormats } from '../../src/contract/agent-stream.js';

/** What `stream-load.ts` is asked to do. */
export const streamLoadSchema = z.object({
  target: z.object({ host: z.string(), port: z.number() }),
  secretKey: z.string(),
  certificate: z.object({ certFile: z.string(), keyFile: z.string() }),
  calls: z.int().min(1),
  callsPerSecond: z.number().positive(),
  /** Between the last answer and the first measured frame. */
  settleMilliseconds: z.number(),
  seconds: z.number().positive(),
  format: z.enum(streamFormats),
  sampleRate: z.union([z.literal(8_000), z.literal(16_000), z.literal(24_000)]),
});
export type StreamLoad = z.input<typeof streamLoadSchema>;

const pointsSchema = z.object({
  p50: z.number().nullable(),
  p99: z.number().nullable(),
  p999: z.number().nullable(),
  longest: z.number().nullable(),
});

/** What it has measured, in milliseconds. */
export const streamFiguresSchema = z.object({
  /** Of each packet at the caller after its ideal time. */
  lateness: pointsSchema,
  toBot: pointsSchema,
  toCaller: pointsSchema,
  /** From `clear` to the beginning of the silence, within a packet. */
  clear: pointsSchema,
  /** Packets that came of those expected. */
  arrived: z.number(),
  /** Frames of the callers that the bot got as they were sent. */
  heard: z.number(),
  /** Of one core, callers and bot. */
  generatorCore: z.number(),
});
export type StreamFigures = z.input<typeof streamFiguresSchema>;
