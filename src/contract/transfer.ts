import { z } from 'zod';

/** Transfers: what a number's configuration allows, and what a call's record says about one. */

/** `+49`, `+4930123`: numbers that begin so. */
const numberPrefixPattern = /^\+[1-9][0-9]{0,14}$/;
/** `911`, `*72`, `1001`: exactly what is dialled. */
const dialStringPattern = /^[0-9*#]{1,20}$/;
const hostPattern = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$|^\[?[0-9a-f:.]+\]?$/i;

/** True for an entry of `allowed_targets` that is neither the beginning of a number nor a host. */
export const isDialString = (text: string): boolean => dialStringPattern.test(text);

export const transferModes = ['refer', 'bridge'] as const;

export const transferPolicySchema = z.strictObject({
  /** What becomes of an agent's REFER: passed to the trunk, or a new INVITE by us. */
  mode: z.enum(transferModes),
  /** True: what the trunk does not take as a REFER is bridged. */
  fallback: z.boolean().default(false),
  /**
   * Beginnings of E.164 numbers, what is dialled at the number's own servers to the letter, and hosts. Absent: extensions at
   * these servers and the organization's own numbers; for the agent any number but premium and emergency ones.
   */
  allowed_targets: z
    .array(
      z
        .string()
        .max(253)
        .refine(
          (text) => numberPrefixPattern.test(text) || isDialString(text) || hostPattern.test(text),
          'Must be a prefix of an E.164 number with +, a dial string, or a host',
        ),
    )
    .max(100)
    .optional(),
});
export type TransferPolicy = z.infer<typeof transferPolicySchema>;

/** Bridging needs nothing of the trunk that a call does not need. */
export const defaultTransferPolicy: TransferPolicy = { mode: 'bridge', fallback: false };

export const transferReasons = [
  /** The new party is in the call, or the trunk says that it has been reached. */
  'completed',
  /** The trunk would not transfer, or the new party declined. */
  'rejected',
  /** The target is not allowed. */
  'forbidden',
  'no_answer',
  'unreachable',
  /** The call was over first. */
  'call_ended',
  /** The trunk's reports stopped before the outcome. */
  'subscription_terminated',
  'media_failed',
  /** By the API. */
  'cancelled',
  /** Limits of the number or of the edge. */
  'limit',
  'internal_error',
] as const;

export const transferRecordSchema = z.strictObject({
  /** `refer`: by the trunk. `bridge`: by a new INVITE from the edge. `attended`: two calls became one, or after a consultation. `replaced`: by an INVITE with Replaces. */
  mode: z.enum(['refer', 'bridge', 'attended', 'replaced']),
  requested_by: z.enum(['trunk', 'agent', 'api']),
  /** As it was asked for. */
  target: z.string(),
  status: z.enum(['completed', 'failed', 'unknown']),
  reason: z.enum(transferReasons),
  /** Of the new party, or of the trunk's answer to a REFER; null when neither has answered. */
  sip_status: z.int().nullable(),
  sip_reason: z.string().nullable(),
  detail: z.string().nullable(),
  /** ISO 8601, milliseconds, UTC. */
  requested_at: z.string(),
  completed_at: z.string(),
  /** Of the new party's leg. */
  sip_call_id: z.string().nullable(),
  /** The other call of an attended transfer. */
  other_call_id: z.string().nullable(),
});
export type TransferRecord = z.infer<typeof transferRecordSchema>;
export type TransferReason = TransferRecord['reason'];

/**
 * Where a warm transfer is.
 * - `calling`: the target is called; the caller is on hold
 * - `connecting`: it has answered, and the agent gets its address
 * - `consulting`: the agent talks to the target
 * - `joining`: the caller and the target get each other's address
 * - `returning`: it has failed, and the agent gets the caller's address again
 */
export const consultationStages = ['calling', 'connecting', 'consulting', 'joining', 'returning'] as const;
export type ConsultationStage = (typeof consultationStages)[number];

/** A transfer ordered by the API: to the edge that has the call. */
export const transferOrderSchema = z.strictObject({
  request_id: z.uuid(),
  call_id: z.string().min(1).max(300),
  organization: z.string().min(1).max(64),
  target: z.string().min(2).max(512),
  /** Overrides the number's setting. */
  mode: z.enum(transferModes).optional(),
  /** A warm transfer: the agent talks to the target first. */
  consults: z.literal(true).optional(),
});
export type TransferOrder = z.infer<typeof transferOrderSchema>;

export const transferReplySchema = z.strictObject({
  result: z.enum(['begun', 'invalid', 'conflict', 'forbidden']),
  detail: z.string().nullable(),
});
export type TransferReply = z.infer<typeof transferReplySchema>;

/** Pub/sub: JSON of a `TransferOrder`; only the edge that has the call answers. */
export const transferChannel = 'demarc:call-transfer';
/** JSON of a `TransferReply`. */
export const transferReplyKey = (requestId: string): string => `demarc:transfer-reply:${requestId}`;
export const transferReplySeconds = 30;

/**
 * The header of the re-INVITE that gives the agent of a warm transfer the audio of the target: the target as it was ordered. The next
 * description without it is that of the caller.
 */
export const transferTargetHeader = 'X-Demarc-Transfer-Target';
