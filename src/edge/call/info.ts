import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import { digitOf, type InfoDigit } from '../sip/dtmf-info.js';
import type { Dialog, ReceivedRequest, ReceivedResponse, ResponseSender } from '../sip/messages.js';
import { cleanPhrase } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { takeMetadata } from './agent-metadata.js';
import type { Call } from './call.js';
import { takeLostBot } from './lost-bot.js';
import { mapInDialogFailure } from './status-map.js';

/** Above Timer F (32 s), after which the engine answers for an unresponsive peer. */
const boundMilliseconds = 34_000;

/** Headers that describe an INFO's content: RFC 6086 §5, and `Event` from earlier uses. */
const relayedHeaders = ['Content-Type', 'Content-Disposition', 'Info-Package', 'Event'];

/** Per side: a flood towards an unresponsive agent would exhaust the engine's transactions for all calls. */
const maximumPending = 32;

/** Room for the head of an INFO within a dialog. */
const headOctets = 600;

/** The other side does not support INFO, or not this package. */
const notTaken: ReadonlySet<number> = new Set([405, 415, 469, 488, 489, 501]);

/**
 * Relays an INFO to the other side, and the answer back. A digit is sent as an RTP event instead where only the other side
 * has negotiated those, and where the other side refuses the INFO; never both.
 */
export function info(call: Call, from: MediaSide, request: ReceivedRequest, response: ResponseSender): void {
  if (from === 'agent' && (takeMetadata(call, request, response) || takeLostBot(call, request, response)))
    return;
  const to = otherSide(from);
  const farDialog = call.dialogs[to];
  // In a consultation the sides have other peers.
  const isApart = call.transfer?.isApart === true;
  if (call.hasEnded || farDialog === undefined || !farDialog.connected || isApart) {
    response.send(call.hasEnded ? 481 : 500, undefined, {});
    return;
  }
  const limits = call.deps.engine.messageLimits;
  if (Buffer.byteLength(request.body ?? '') > limits.message - headOctets) {
    response.send(513, undefined, {});
    return;
  }
  if (call.pendingInfos[from] >= maximumPending) {
    response.send(500, 'Too Many Pending', { headers: { 'Retry-After': '1' } });
    return;
  }
  call.pendingInfos[from] += 1;
  pass(call, { from, to, farDialog, digit: digitOf(request) }, request, response)
    .catch((error: unknown) => {
      call.log.warn({ error: String(error) }, 'Forwarding INFO failed.');
      if (!response.finalResponseSent) response.send(call.hasEnded ? 481 : 500, undefined, {});
    })
    .finally(() => {
      call.pendingInfos[from] -= 1;
    });
}

interface Passage {
  readonly from: MediaSide;
  readonly to: MediaSide;
  readonly farDialog: Dialog;
  readonly digit: InfoDigit | undefined;
}

async function pass(
  call: Call,
  { from, to, farDialog, digit }: Passage,
  request: ReceivedRequest,
  response: ResponseSender,
): Promise<void> {
  const hasEvents = digit !== undefined && call.media?.takesEvents(to) === true;
  const isOneSided = hasEvents && call.media?.takesEvents(from) === false;
  if (isOneSided && (await plays(call, to, digit))) {
    response.send(200, undefined, {});
    return;
  }
  const answer = await relay(farDialog, request);
  const isTaken = answer.status < 300;
  const isPlayed =
    !isTaken && hasEvents && !isOneSided && notTaken.has(answer.status) && (await plays(call, to, digit));
  if (isTaken || isPlayed) response.send(200, undefined, {});
  else response.send(mapInDialogFailure(answer.status), cleanPhrase(answer.reason), {});
}

/** False: rtpengine has no stream to put the digit into, or is down. */
async function plays(call: Call, to: MediaSide, digit: InfoDigit): Promise<boolean> {
  try {
    await call.digits.play(to, digit);
    return true;
  } catch (error) {
    call.log.info({ error: String(error), to }, 'Playing a DTMF digit failed.');
    return false;
  }
}

async function relay(farDialog: Dialog, request: ReceivedRequest): Promise<ReceivedResponse> {
  const headers: Record<string, string> = {};
  for (const name of relayedHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers[name] = value;
  }
  const body = request.body ?? '';
  const { response } = await requestInDialog(
    farDialog,
    body === '' ? { method: 'INFO', headers } : { method: 'INFO', headers, body },
    boundMilliseconds,
  );
  return response;
}
