import { agentFailure, endWithoutAgent } from '../call/agent-loss.js';
import type { Call } from '../call/call.js';
import { fail } from '../call/fail.js';
import { attachInDialog } from '../call/in-dialog.js';
import { MediaRefused } from '../media/media-session.js';
import type { MediaLoss } from '../media/media-watch.js';
import { capabilityHeaders } from '../sip/capabilities.js';
import { contactHeaders } from '../sip/contact.js';
import { type Dialog, failureText } from '../sip/engine-link.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedIn, sessionTimerHeaders } from '../sip/session-timer.js';
import type { InboundCall } from './inbound-call.js';

/** The agent answered the caller's offer: check it, tell the caller, and the call is up. */
export async function answer(call: InboundCall, agent: Dialog): Promise<void> {
  await call.earlyMedia;
  const sdp = call.agentAnswer.answerOf(agent.res);
  if (call.hasEnded || call.media === undefined) return;
  if (sdp === undefined)
    throw new MediaRefused('305 demarc "No answer"', 'The agent answered 200 without a description.');
  const body = await call.media.answer(sdp);
  if (call.hasEnded) return;
  call.state.descriptions.agent.remote = sdp;
  await sendAnswer(call, body, () => established(call));
}

/** 200 to the caller, once nothing waits for its PRACK. `then` runs when it is out and the caller's dialog exists. */
export async function sendAnswer(call: InboundCall, media: string, then: () => void): Promise<void> {
  await call.provisionals.settled();
  if (call.hasEnded) return;
  const { request, response, parts } = call;
  // What a reliable response has answered stays the answer.
  const body = call.provisionals.answer ?? media;
  const timer = sessionTimerHeaders(request, parts.settings.call.sessionExpiresSeconds);
  call.sessions.trunk = sessionAgreedIn(timer);
  const headers = { ...call.answerHeaders, ...capabilityHeaders, ...contactHeaders(request), ...timer };
  call.state.descriptions.trunk.local = body;
  parts.engine.answer(request, response, { localSdp: body, headers }, (error, dialog) => {
    if (dialog === undefined) {
      if (call.hasEnded) return;
      // CANCEL or the loss of the caller's connection came first.
      const detail = `200 was not sent: ${failureText(error)}`;
      call.end({ reason: 'caller_cancelled', by: 'caller', detail }, { reason: sipReason(487, 'Cancelled') });
      return;
    }
    call.setDialog('trunk', dialog);
    attachInDialog(call, 'trunk', dialog);
    dialog.once('ack', () => call.acknowledged.resolve());
    call.noteStatus(200);
    call.state.answeredAt = Date.now();
    parts.metrics.callAnswered(call.state);
    then();
  });
}

/** Both legs are up: from now on the watches for silence and for the longest duration. */
export function established(call: Call): void {
  if (call.hasEnded || call.media === undefined) return;
  const seconds = call.maximumSeconds;
  call.setDeadline(seconds, () => {
    call.end(
      {
        reason: 'max_duration',
        by: 'edge',
        detail: `The call reached its longest duration of ${seconds} s.`,
      },
      { reason: sipReason(200, 'Maximum duration reached') },
    );
  });
  // Not before the ACK: where that is missing, media is too, and the ACK is what a person must look for.
  void call.acknowledged.promise.then(() => watchMedia(call));
  call.log.info({ media: call.media.summary }, 'Call answered.');
}

/** Watches the call's present media session, and no longer an earlier one. */
export function watchMedia(call: Call): void {
  call.unwatch();
  if (call.hasEnded || call.media === undefined) return;
  call.unwatch = call.parts.watch.watch(call.media, {
    onLoss: (loss) => mediaLost(call, loss),
    askAgent: () => agentFailure(call),
  });
}

function mediaLost(call: Call, loss: MediaLoss): void {
  if (loss.kind === 'silent') {
    call.end(
      {
        reason: 'media_timeout',
        by: 'edge',
        detail: `The ${call.party} sent no RTP and no RTCP for ${loss.seconds} s.`,
      },
      { reason: sipReason(200, 'Media timeout') },
    );
  } else if (loss.kind === 'agent-lost') {
    const detail = `The agent sent no media for ${loss.seconds} s, and ${loss.detail}.`;
    endWithoutAgent(call, detail).catch((error: unknown) => fail(call, error));
  } else {
    call.end(
      { reason: 'media_failed', by: 'edge', detail: `The media node lost the call: ${loss.detail}` },
      { reason: sipReason(200, 'Media lost') },
    );
  }
}
