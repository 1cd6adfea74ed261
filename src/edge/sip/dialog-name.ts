import { ownText } from '../../base/own-text.js';
import { tagOf } from '../../sip/address.js';
import { isToken } from '../../sip/text.js';
import { headerOf } from './message-reading.js';
import type { ReceivedRequest, SipMessage } from './messages.js';
import type { FinalAnswer } from './refuse-invite.js';

/** The name that the SIP engine and the library give to the dialog that an INVITE forms (wire protocol §5.4). */
export const dialogNameOf = (invite: Pick<SipMessage, 'headers'>): string =>
  ownText(`${headerOf(invite, 'Call-ID') ?? ''};from-tag=${tagOf(headerOf(invite, 'From') ?? '') ?? ''}`);

/**
 * Why an INVITE outside dialogs cannot create a dialog: two dialogs with one name are indistinguishable, and some names break
 * the frames of the wire protocol. Our own engine refuses these itself; a drachtio-server passes them on.
 */
export function nameDefect(
  invite: ReceivedRequest,
  isTaken: (name: string) => boolean,
): FinalAnswer | undefined {
  if (tagOf(headerOf(invite, 'To') ?? '') !== undefined) return undefined;
  const tag = tagOf(headerOf(invite, 'From') ?? '');
  if (tag !== undefined && !isToken(tag)) return { status: 400, reason: 'Bad From Tag' };
  if (!isTaken(dialogNameOf(invite))) return undefined;
  const seconds = String(Math.floor(Math.random() * 11));
  return { status: 500, reason: 'Call-ID And From Tag In Use', headers: { 'Retry-After': seconds } };
}
