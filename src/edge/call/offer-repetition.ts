import { type Dialog, isMadeUp, type ReceivedResponse, transportFailureOf } from '../sip/messages.js';

type RefusedOffer = Pick<ReceivedResponse, 'status' | 'get' | 'source_address' | 'source_port'>;

/** How often an offer is repeated that a side refuses for now: so many attempts in all, or within a time, but at least once. */
export type OfferPatience =
  | { readonly attempts: number }
  | {
      /** Monotonic milliseconds (`performance.now()`). */
      readonly until: number;
      /** The same, while the side cannot be reached. */
      readonly reachableUntil: number;
    };

/** RFC 3261 §14.1: after 491, the owner of the Call-ID waits longer, so that the other side is first. */
const glareMilliseconds = {
  owner: { least: 2_100, spread: 1_900 },
  other: { least: 0, spread: 2_000 },
  step: 10,
} as const;
/** RFC 3261 §14.2: a 500 with Retry-After of at most 10 s, to an INVITE inside an INVITE. */
const longestRetryAfterSeconds = 10;
/** Where a call is lost unless the offer is taken, also responses that do not say when to repeat it. */
const temporary: ReadonlySet<number> = new Set([480, 500, 502, 503, 504]);
const unsaidMilliseconds = 1_000;
/** Each attempt makes the engine connect to an address that probably has no listener. */
const longestUnreachableMilliseconds = 5_000;

/**
 * Milliseconds until an offer inside a call may be repeated after this response; undefined: the response is final.
 * @param attempt from 1
 */
export function pauseBeforeRepetition(
  attempt: number,
  patience: OfferPatience,
  { type }: Pick<Dialog, 'type'>,
  response: RefusedOffer,
): number | undefined {
  if ('until' in patience && isUnreachable(response)) {
    const left = patience.reachableUntil - performance.now();
    return left > 0
      ? Math.min(unsaidMilliseconds * attempt, longestUnreachableMilliseconds, left)
      : undefined;
  }
  const pause = pauseAfter('until' in patience, type, response);
  if (pause === undefined) return undefined;
  const isDue =
    'until' in patience
      ? attempt === 1 || performance.now() + pause < patience.until
      : attempt < patience.attempts;
  return isDue ? pause : undefined;
}

/** No response of the peer, but of our engine: it has no connection to it, and gets none. */
export const isUnreachable = (response: RefusedOffer): boolean =>
  isMadeUp(response) && transportFailureOf(response) !== undefined;

function pauseAfter(
  isUrgent: boolean,
  type: Dialog['type'],
  response: Pick<ReceivedResponse, 'status' | 'get'>,
): number | undefined {
  const { status } = response;
  if (status === 491) {
    const { step } = glareMilliseconds;
    const { least, spread } = glareMilliseconds[type === 'uac' ? 'owner' : 'other'];
    return least + step * Math.floor(Math.random() * (spread / step + 1));
  }
  if (isUrgent ? !temporary.has(status) : status !== 500) return undefined;
  const seconds = /^\d+/.exec(response.get('Retry-After') ?? '')?.[0];
  if (seconds === undefined) return isUrgent ? unsaidMilliseconds : undefined;
  return Number(seconds) > longestRetryAfterSeconds ? undefined : Number(seconds) * 1_000;
}
