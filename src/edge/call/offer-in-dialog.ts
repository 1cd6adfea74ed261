import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaSide } from '../media/rtp-statistics.js';
import { sdpOf } from '../sip/message-reading.js';
import { type Dialog, isMadeUp, type ReceivedResponse } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { type AgreedSession, reinviteHeaders } from '../sip/session-timer.js';
import type { Call } from './call.js';
import { exchangeBoundMilliseconds } from './exchange.js';
import { isUnreachable, type OfferPatience, pauseBeforeRepetition } from './offer-repetition.js';

/** Those that a phone may send once it is connected again. */
const requestEvents = ['modify', 'update', 'info', 'refer'];

const fourAttempts: OfferPatience = { attempts: 4 };

/** The side refused our offer inside the call: nothing has changed for it. */
export class OfferRefused extends Error {
  /** False: our engine generated the response, because none came. */
  readonly isFromPeer: boolean;

  constructor(
    readonly response: Pick<ReceivedResponse, 'status' | 'reason'> &
      Partial<Pick<ReceivedResponse, 'source_address' | 'source_port'>>,
  ) {
    const { source_address = '', source_port = 0 } = response;
    super(`The other party answered the re-INVITE ${response.status} ${response.reason}.`);
    this.name = 'OfferRefused';
    this.isFromPeer = !isMadeUp({ source_address, source_port });
  }
}

/** Offers a description in a call's dialog; see `offerTo`. */
export const offerIn = (
  call: Call,
  side: MediaSide,
  offer: string,
  headers: Readonly<Record<string, string>> = {},
  patience: OfferPatience = fourAttempts,
): Promise<string> =>
  offerTo(
    {
      dialog: () => call.dialogs[side],
      session: () => call.state.sessions[side],
      isOver: () => call.hasEnded,
    },
    offer,
    headers,
    patience,
  );

/** Who gets an offer, as it is when the offer is sent. */
export interface Offeree {
  /** Undefined: it has ended. */
  readonly dialog: () => Dialog | undefined;
  readonly session: () => AgreedSession | undefined;
  /** True: a refused offer is not repeated. */
  readonly isOver: () => boolean;
}

/**
 * Offers a description in a dialog; resolves with the answer. Repeats it when the peer is in another exchange, within the
 * patience. Throws `OfferRefused`.
 */
export async function offerTo(
  to: Offeree,
  offer: string,
  headers: Readonly<Record<string, string>> = {},
  patience: OfferPatience = fourAttempts,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const dialog = to.dialog();
    if (dialog === undefined) throw new OfferRefused({ status: 481, reason: 'The dialog has ended' });
    const { response } = await requestInDialog(
      dialog,
      {
        method: 'INVITE',
        headers: { ...reinviteHeaders(to.session()), ...headers },
        body: offer,
      },
      exchangeBoundMilliseconds,
    );
    const pause = pauseBeforeRepetition(attempt, patience, dialog, response);
    if (pause !== undefined && !to.isOver()) {
      await (isUnreachable(response) ? orHeardFrom(dialog, pause) : sleep(pause));
      continue;
    }
    if (response.status >= 300) throw new OfferRefused(response);
    const answer = sdpOf(response);
    if (answer === undefined) throw new OfferRefused({ status: 488, reason: 'No answer in the 200' });
    return answer;
  }
}

/** A request of the side comes over the side's connection, which leads back to it. */
async function orHeardFrom(dialog: Dialog, milliseconds: number): Promise<void> {
  const heard = new AbortController();
  const wake = (): void => heard.abort();
  for (const event of requestEvents) dialog.on(event, wake);
  await sleep(milliseconds, undefined, { signal: heard.signal }).catch(() => {});
  for (const event of requestEvents) dialog.off(event, wake);
}

/** Waits until no exchange is open, and blocks new ones until the result is called. */
export async function holdExchanges(call: Call): Promise<() => void> {
  await call.legs.acknowledged.promise;
  const end = performance.now() + exchangeBoundMilliseconds;
  while (call.exchange.isOpen && !call.hasEnded && performance.now() < end) await sleep(50);
  return call.exchange.begin();
}

/** A unique id for a further media session of a call. */
export const mediaIdOf = (call: Call): string => `${call.state.id}-${randomBytes(4).toString('hex')}`;
