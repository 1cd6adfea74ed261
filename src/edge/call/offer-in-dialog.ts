import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaSide } from '../media/rtp-statistics.js';
import { sdpOf } from '../sip/message-reading.js';
import type { Dialog, ReceivedResponse } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { reinviteHeaders } from '../sip/session-timer.js';
import type { Call } from './call.js';
import { exchangeBoundMilliseconds } from './exchange.js';

const attempts = 4;
/** RFC 3261 §14.1: after 491, the owner of the Call-ID waits longer, so that the other side is first. */
const glareMilliseconds = {
  owner: { least: 2_100, spread: 1_900 },
  other: { least: 0, spread: 2_000 },
  step: 10,
} as const;
/** RFC 3261 §14.2: a 500 with Retry-After of at most 10 s, to an INVITE inside an INVITE. */
const longestRetryAfterSeconds = 10;

/** The side refused our offer inside the call: nothing has changed for it. */
export class OfferRefused extends Error {
  constructor(readonly response: Pick<ReceivedResponse, 'status' | 'reason'>) {
    super(`The other party answered the re-INVITE ${response.status} ${response.reason}.`);
    this.name = 'OfferRefused';
  }
}

/**
 * Offers a description in a call's dialog; resolves with the answer. Repeats it when the side has an exchange of its own. Throws
 * `OfferRefused`.
 */
export async function offerIn(
  call: Call,
  side: MediaSide,
  offer: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const dialog = call.dialogs[side];
    if (dialog === undefined) throw new OfferRefused({ status: 481, reason: 'The dialog has ended' });
    const { response } = await requestInDialog(
      dialog,
      {
        method: 'INVITE',
        headers: { ...reinviteHeaders(call.state.sessions[side]), ...headers },
        body: offer,
      },
      exchangeBoundMilliseconds,
    );
    const pause = attempt < attempts ? pauseAfter(dialog, response) : undefined;
    if (pause !== undefined && !call.hasEnded) {
      await sleep(pause);
      continue;
    }
    if (response.status >= 300) throw new OfferRefused(response);
    const answer = sdpOf(response);
    if (answer === undefined) throw new OfferRefused({ status: 488, reason: 'No answer in the 200' });
    return answer;
  }
}

/** Milliseconds until the offer may be repeated; undefined: the response is final. */
function pauseAfter(dialog: Pick<Dialog, 'type'>, response: ReceivedResponse): number | undefined {
  if (response.status === 491) {
    const { step } = glareMilliseconds;
    const { least, spread } = glareMilliseconds[dialog.type === 'uac' ? 'owner' : 'other'];
    return least + step * Math.floor(Math.random() * (spread / step + 1));
  }
  if (response.status !== 500) return undefined;
  const seconds = /^\d{1,2}/.exec(response.get('Retry-After') ?? '')?.[0];
  return seconds === undefined || Number(seconds) > longestRetryAfterSeconds
    ? undefined
    : Number(seconds) * 1_000;
}

/** Waits until no exchange is open, and blocks new ones until the result is called. */
export async function holdExchanges(call: Call): Promise<() => void> {
  await call.acknowledged.promise;
  const end = performance.now() + exchangeBoundMilliseconds;
  while (call.exchange.isOpen && !call.hasEnded && performance.now() < end) await sleep(50);
  return call.exchange.begin();
}

/** A unique id for a further media session of a call. */
export const mediaIdOf = (call: Call): string => `${call.state.id}-${randomBytes(4).toString('hex')}`;
