import { createHash } from 'node:crypto';

/**
 * W3C trace context of a call. Both ids follow from the call's id, so that edge, control and webhooks agree without telling each other, and
 * a span that is sent twice is the same span.
 */

/** The spans of a call that others have as their parent. */
export type CallSpan = 'call' | 'agent';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** 32 hexadecimal digits: those of a call id that is a UUID. */
export const traceIdOf = (callId: string): string =>
  uuidPattern.test(callId) ? callId.replaceAll('-', '').toLowerCase() : hashOf(callId).slice(0, 32);

/** 16 hexadecimal digits. @param name unique within the call */
export const spanIdOf = (callId: string, name: string): string => hashOf(`${callId} ${name}`).slice(0, 16);

/**
 * The same decision in every process: by the last 56 bits of the trace id, which W3C Trace Context Level 2 wants random.
 * @param share of all calls, 0 to 1
 */
export const isSampled = (callId: string, share: number): boolean =>
  share >= 1 || Number.parseInt(traceIdOf(callId).slice(-14), 16) < share * 2 ** 56;

/** The value of `traceparent` (W3C Trace Context §3.2) below this span of the call. */
export const traceparentOf = (callId: string, span: CallSpan, share: number): string =>
  `00-${traceIdOf(callId)}-${spanIdOf(callId, span)}-${isSampled(callId, share) ? '01' : '00'}`;
