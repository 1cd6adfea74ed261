/** RFC 4733 §3.2, by event code. */
const digits = '0123456789*#ABCD';

/** The digit of a telephone event's payload (RFC 4733 §2.3); undefined for other events and what is too short. */
export const digitOf = (payload: Buffer): string | undefined =>
  payload.length < 4 ? undefined : digits[payload[0]!];
