import { z } from 'zod';
import { registrationStateSchema } from './registration.js';

/**
 * Events of calls and registrations that edges publish for webhooks, the moment they happen. A call's record (`contract/call-record.ts`)
 * repeats all of it at the end, so a lost event arrives late.
 */

/** A call has begun, rings, or was answered. */
export const callMomentSchema = z.strictObject({
  kind: z.literal('call'),
  stage: z.enum(['initiated', 'ringing', 'answered']),
  call: z.strictObject({
    call_id: z.string(),
    organization: z.string(),
    /** E.164 digits of the configured number; null when unknown. */
    number: z.string().nullable(),
    direction: z.enum(['inbound', 'outbound']),
    /** From and To headers. */
    from: z.string(),
    to: z.string(),
    source_address: z.string(),
    sip_call_id: z.string(),
    started_at: z.iso.datetime(),
    ringing_at: z.iso.datetime().nullable(),
    answered_at: z.iso.datetime().nullable(),
  }),
});
export type CallMoment = z.infer<typeof callMomentSchema>;

/** The outcome of a registration is another one than before. */
const registrationMomentSchema = z.strictObject({
  kind: z.literal('registration'),
  registration: registrationStateSchema,
});

export const momentSchema = z.discriminatedUnion('kind', [callMomentSchema, registrationMomentSchema]);
export type Moment = z.infer<typeof momentSchema>;

/** Stream of moments (edge → control); one entry, field `moment`, JSON of a `Moment`. */
export const momentStream = 'demarc:moments';

/** Some 40 MB at most. */
export const maximumMoments = 100_000;
