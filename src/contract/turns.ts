import { z } from 'zod';

/** How soon the agent replied, measured at the media relay: from the end of the caller's speech to the agent's first audio. */

/** Replies of one call that are listed; of more, the slower one of each two is kept. */
export const mostListedReplies = 40;

const delay = z.int().nonnegative();

export const turnsSchema = z.strictObject({
  /** Replies measured. */
  count: z.int().positive(),
  p50_milliseconds: delay,
  p95_milliseconds: delay,
  worst_milliseconds: delay,
  /** How often the agent began while the caller spoke; such turns have no delay. */
  interruptions: z.int().nonnegative(),
  /** For how long the call was measured. */
  measured_seconds: z.int().nonnegative(),
  /** Seconds from the call's begin to the reply, and its delay in milliseconds; oldest first. */
  replies: z.array(z.tuple([z.int(), delay])).max(mostListedReplies),
});
export type Turns = z.infer<typeof turnsSchema>;
