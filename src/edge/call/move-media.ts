import { setTimeout as sleep } from 'node:timers/promises';
import { readSession } from '../../sdp/sdp.js';
import { MediaRefused } from '../media/media-refused.js';
import type { MediaSession } from '../media/media-session.js';
import { callMovedParties } from '../media/moved-parties.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { failureText } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { EngineConnectionLost } from '../sip/request-in-dialog.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { holdExchanges, mediaIdOf, OfferRefused, offerIn } from './offer-in-dialog.js';
import type { OfferPatience } from './offer-repetition.js';

const pollMilliseconds = 100;

/** One side did not take the description of the new session. */
class MoveRefused extends Error {
  readonly side: MediaSide;
  readonly status: number;
  readonly isFromPeer: boolean;

  constructor(side: MediaSide, { cause }: { readonly cause: OfferRefused }) {
    const { status, reason } = cause.response;
    super(`${status} ${cleanPhrase(reason) ?? ''}`, { cause });
    this.name = 'MoveRefused';
    this.side = side;
    this.status = status;
    this.isFromPeer = cause.isFromPeer;
  }
}

/**
 * The media session of a confirmed call is lost, or a side has a description that does not belong to it: makes one at another
 * rtpengine, or at the restarted one, from the descriptions that the sides sent last, and gives each side its new description by
 * re-INVITE. Ends the call when that fails. Where the sides lack nothing but our new Contact (RFC 3261 §12.2), the re-INVITE has the
 * description that they know, and the call stays when it is refused. True: the call has a session, which is to be watched. Never rejects.
 */
export async function moveMedia(call: Call, cause: string): Promise<boolean> {
  const before = call.media;
  if (call.hasEnded || before === undefined) return false;
  const descriptions = call.state.descriptions;
  const began = performance.now();
  const { lostMilliseconds, reconnectMilliseconds } = call.deps.settings.rtpengine;
  const until = began + lostMilliseconds;
  const reachableUntil = Math.max(until, began + reconnectMilliseconds);
  if (!before.hasKnownDescriptions || !before.isUnsettled)
    call.log.warn({ cause, node: before.nodeName }, 'The media session of a call is lost; moving the call.');
  for (;;) {
    const session = await sessionFor(call, before, until);
    if (call.hasEnded || call.media !== before) return false;
    if (session === before && !before.isUnsettled) return true;
    try {
      if (session === undefined) throw new MediaUnavailable('no rtpengine took the call in time');
      if (session !== before) call.noteNextMedia(session);
      await offerToBoth(call, session, descriptions, { until, reachableUntil });
      if (call.hasEnded || call.media !== before) {
        if (session !== call.media) void session.release();
        return false;
      }
      if (session !== before) await takePlace(call, before, session);
      session.settle();
      const from = session === before ? session.movedFrom : before.nodeName;
      if (from !== null) {
        call.noteMediaMove(from, session.nodeName!, Math.round(performance.now() - began));
        call.deps.metrics.mediaMoved('moved');
      }
      call.log.info({ cause, media: session.summary }, 'Gave both sides a new media description.');
      return true;
    } catch (error) {
      if (session !== undefined && session !== before) void session.release();
      if (call.hasEnded) return false;
      if (session === before && before.hasKnownDescriptions && mayStay(error)) {
        await before.rollback();
        before.settle();
        call.log.warn({ error: failureText(error) }, 'A side did not take our new Contact; the call stays.');
        return true;
      }
      // The session is up, and the engine may be lost while a side is waited for.
      const mayRepeat = performance.now() < (error instanceof EngineConnectionLost ? reachableUntil : until);
      if (session !== undefined && isTemporary(error) && mayRepeat) await sleep(pollMilliseconds);
      else {
        endUnmoved(call, cause, error);
        return false;
      }
    }
  }
}

/** The node may be back, and the connection to the engine with the call's dialogs. */
const isTemporary = (error: unknown): boolean =>
  error instanceof MediaUnavailable || error instanceof EngineConnectionLost;

/** The side is there, or is reachable only by its own requests: its audio continues. RFC 5057 §5.2: 481 and 408 end the dialog. */
const mayStay = (error: unknown): boolean =>
  error instanceof MoveRefused && !((error.status === 481 || error.status === 408) && error.isFromPeer);

/** The session itself where its node still has it, otherwise another one. Undefined: no node is up in time. */
async function sessionFor(
  call: Call,
  before: MediaSession,
  until: number,
): Promise<MediaSession | undefined> {
  while (!call.hasEnded && call.media === before) {
    if (isBetweenParties(call)) {
      // The transfer gives the call another session, or ends it.
      await sleep(pollMilliseconds);
      continue;
    }
    if (before.isNodeDown) {
      if (call.deps.pool.isUsable) return before.successor(mediaIdOf(call));
    } else {
      const reply = await before.count().catch(() => undefined);
      if (reply?.result === 'ok') {
        before.noteFound();
        return before;
      }
      if (reply !== undefined) return before.successor(mediaIdOf(call));
    }
    if (performance.now() >= until) return undefined;
    await sleep(pollMilliseconds);
  }
  return undefined;
}

const isBetweenParties = ({ transfer, dialogs }: Call): boolean =>
  transfer !== undefined && (dialogs.trunk?.connected !== true || dialogs.agent?.connected !== true);

/** Hold, codecs and the numbers of payload types stay: they are in the sides' own descriptions. */
async function offerToBoth(
  call: Call,
  session: MediaSession,
  descriptions: CallState['descriptions'],
  patience: OfferPatience,
): Promise<void> {
  const before = call.media!;
  const close = await holdExchanges(call);
  try {
    if (call.hasEnded || call.media !== before) return;
    // A side has changed the session meanwhile, so that both have its descriptions.
    if (session === before && call.state.descriptions !== descriptions) return;
    const first = before.offerer ?? 'trunk';
    const second = otherSide(first);
    const described = call.state.descriptions[first].remote;
    if (described === undefined) throw new MediaUnavailable('a side has sent no description');
    const offered = await session.offer(first, described);
    const answer = await offerTo(call, second, offered, patience);
    await session.answer(answer, () => false);
    if (call.hasEnded) return;
    call.describeSide(second, { remote: answer, local: offered });
    const back = await session.offer(second, answer);
    const returned = await offerTo(call, first, back, patience);
    let isNews = false;
    const settled = await session.answer(returned, (text) => {
      isNews = !covers(offered, text);
      return isNews;
    });
    if (call.hasEnded) return;
    call.describeSide(first, { remote: returned, local: back });
    if (!isNews) return;
    // The second answer has changed what the other side is to use, such as the number of a payload type.
    const last = await offerTo(call, second, settled, patience);
    await session.offer(second, last);
    await session.answer(returned, () => false);
    call.describeSide(second, { remote: last, local: settled });
  } finally {
    close();
  }
}

/** A side that has agreed to an offer does what this answer says anyway: the same address, key and direction, and none but its codecs. */
function covers(offered: string, answer: string): boolean {
  const [before, after] = [readSession(offered), readSession(answer)];
  return (
    before !== undefined &&
    before.media.length === after?.media.length &&
    after.media.every(({ port, protocol, formats, lines }, index) => {
      const earlier = before.media[index]!;
      return (
        port === earlier.port &&
        protocol === earlier.protocol &&
        formats.every((format) => earlier.formats.includes(format)) &&
        lines.slice(1).every((line) => earlier.lines.includes(line))
      );
    })
  );
}

/** Offers a side its description; the answer. The announcement of a test call has no dialog, and changes nothing. */
async function offerTo(call: Call, side: MediaSide, offer: string, patience: OfferPatience): Promise<string> {
  const { remote } = call.state.descriptions[side];
  const isContactAlone = call.media?.isUnsettled === true && call.media.hasKnownDescriptions;
  if (call.dialogs[side] === undefined && call.transfer === undefined && remote !== undefined) return remote;
  try {
    // Without the cause, which names the node.
    const text = isContactAlone ? 'Moved to another address' : 'Media node lost';
    return await offerIn(call, side, offer, { Reason: sipReason(503, text) }, patience);
  } catch (error) {
    if (!(error instanceof OfferRefused)) throw error;
    throw new MoveRefused(side, { cause: error });
  }
}

async function takePlace(call: Call, before: MediaSession, session: MediaSession): Promise<void> {
  call.moveMedia(session);
  await session.audio.continueFrom(before.audio).catch((error: unknown) => {
    call.log.warn({ error: failureText(error) }, 'Music on hold or an announcement did not continue.');
  });
  void callMovedParties(session);
}

function endUnmoved(call: Call, cause: string, error: unknown): void {
  const lost = `The media node lost the call: ${cause}`;
  if (error instanceof MoveRefused) {
    const { side, status } = error;
    const party = side === 'trunk' ? call.party : 'agent';
    call.deps.metrics.mediaMoved(`${side}_refused`);
    const isGone = status === 481 || status === 408;
    call.end(
      {
        ...(isGone ? call.hangUpBy(side) : { reason: 'media_failed', by: 'edge' }),
        detail: `${lost}. The ${party} answered the re-INVITE with its new media address ${error.message}.`,
      },
      { reason: sipReason(isGone ? status : 488, 'Media lost') },
    );
    return;
  }
  call.deps.metrics.mediaMoved(error instanceof MediaUnavailable ? 'no_node' : 'failed');
  const why = error instanceof MediaRefused ? error.detail : failureText(error);
  call.end(
    { reason: 'media_failed', by: 'edge', detail: `${lost}; it was not moved: ${why}.` },
    { reason: sipReason(200, 'Media lost') },
  );
}
