import { z } from 'zod';

/** Test calls: control orders one like any other call, and the edge that places it reports what happens. */

const testCallStatuses = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'failed',
  'busy',
  'no-answer',
] as const;
export type TestCallStatus = (typeof testCallStatuses)[number];

const testCallResults = ['pending', 'connected', 'failed', 'busy', 'no_answer'] as const;

const testCallEvents = [
  'queued',
  /** INVITE to a server; again for each further server. */
  'initiated',
  /** A server did not take the call. */
  'attempt_failed',
  /** A provisional response that does not ring. */
  'progress',
  'ringing',
  'answered',
  'announcement',
  'announcement_failed',
  /** What was heard and said, in packets. */
  'media',
  'completed',
  'failed',
] as const;
export type TestCallEvent = (typeof testCallEvents)[number];

export const testCallSchema = z.strictObject({
  version: z.literal(1),
  call_id: z.string(),
  organization: z.string(),
  /** E.164 digits without plus. */
  number: z.string(),
  status: z.enum(testCallStatuses),
  result: z.enum(testCallResults),
  created_at: z.iso.datetime(),
  /** From answer to end. */
  duration_seconds: z.number(),
  /** Final status of the last INVITE, ours where the server gave none. */
  sip_code: z.int().nullable(),
  sip_reason: z.string().nullable(),
  /** In plain words, once it is over: what happened, and what to do. */
  cause: z.string().nullable(),
  advice: z.string().nullable(),
  /** Of the last INVITE, for the call history. */
  sip_call_id: z.string().nullable(),
  timeline: z.array(
    z.strictObject({ event: z.enum(testCallEvents), at: z.iso.datetime(), detail: z.string().nullable() }),
  ),
});
export type TestCall = z.infer<typeof testCallSchema>;

/** JSON of a `TestCall`. */
export const testCallKey = (id: string): string => `demarc:test-call:${id}`;

/** Sorted set: when the organization ordered its latest test calls. */
export const testCallsOfKey = (organization: string): string => `demarc:test-calls-of:${organization}`;

/** The id that callers see, of the ordered call's. */
export const testCallId = (callId: string): string => `tc_${callId}`;

/** The ordered call's id; undefined for what is no test call's. */
export const orderedCallOf = (id: string): string | undefined =>
  /^tc_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(id)?.[1];

export const testCallKeptMilliseconds = 3_600_000;
export const testCallLimit = { calls: 10, milliseconds: 900_000 } as const;
