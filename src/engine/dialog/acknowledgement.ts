import type { SipRequest } from '../../sip/message.js';
import type { SendOptions, SentAck } from '../transaction/transaction.js';
import { TransportError } from '../transport/flow.js';
import type { ApplicationMessage } from './application.js';
import { contentTypeOf, sessionDescriptionIn } from './compose.js';
import { alongFlow, type Destination, destinationOf, isPending } from './destination.js';
import { type Dialog, engineMessage } from './dialog.js';
import type { Environment } from './environment.js';
import { advertisedHostPort } from './local-contact.js';
import { nextHopOf } from './route-set.js';

/** Where requests of a dialog go; undefined when its target cannot be reached with our listeners. */
export function dialogDestination(environment: Environment, dialog: Dialog): Destination | undefined {
  const preferred = dialog.preferredFlow();
  if (preferred?.protocol === 'udp') return alongFlow(preferred);
  if (preferred === undefined && dialog.routeSet.length === 0) {
    const registered = environment.registeredFlows.find(dialog.remoteTarget);
    if (registered !== undefined) return alongFlow(registered);
  }
  const detour = preferred === undefined && dialog.routeSet.length === 0 ? dialog.detour : undefined;
  const hop = nextHopOf(detour ?? dialog.routing().nextHopUri);
  if (hop === undefined) return preferred === undefined ? undefined : alongFlow(preferred);
  const { trust } = dialog;
  return destinationOf(environment, trust === undefined ? hop : { ...hop, trust }, preferred);
}

/** A pending ACK. */
export interface Acknowledgement {
  readonly request: SipRequest;
  /** Undefined while its destination is being resolved. */
  readonly sent: SentAck | undefined;
  /** Follow-up of the ACK; the caller runs it after reporting the ACK to the application. */
  acknowledged(): void;
}

/**
 * Acknowledges the peer's 2xx (RFC 3261 §13.2.2.4) with the application's body and headers, or plainly, and keeps the ACK to
 * answer repetitions. Undefined when there is nothing to acknowledge.
 */
export function acknowledge(
  environment: Environment,
  dialog: Dialog,
  application: ApplicationMessage = engineMessage(),
): Acknowledgement | undefined {
  const success = dialog.unacknowledged;
  if (success === undefined) return undefined;
  dialog.unacknowledged = undefined;
  success.timer.cancel();
  const destination = dialogDestination(environment, dialog);
  const listener = destination?.listener ?? dialog.flow.listener;
  const contentType = contentTypeOf(application);
  const request = dialog.newRequest(
    'ACK',
    application,
    advertisedHostPort(listener),
    contentType === 'missing' ? undefined : contentType,
    success.credentials,
    success.sequence,
  );
  dialog.localSdp = sessionDescriptionIn(application.body) ?? dialog.localSdp;
  const sent =
    destination === undefined ? undefined : send(environment, dialog, success.sequence, request, destination);
  return { request: sent?.request ?? request, sent, acknowledged: success.acknowledged };
}

/** A 2xx to a re-INVITE whose application is gone gets its ACK: the peer would end the call otherwise. */
export function acknowledgeUnattended(environment: Environment, dialog: Dialog): void {
  const { unacknowledged } = dialog;
  if (unacknowledged === undefined || dialog.isEnded) return;
  // An offer of the peer must have an answer (RFC 3261 §13.2.1); the description in force is the only one there is.
  const answer = unacknowledged.owesAnswer ? dialog.localSdp : undefined;
  acknowledge(environment, dialog, engineMessage(answer))?.acknowledged();
}

/** Answers a 2xx that came again with the same ACK (§13.2.2.4). */
export function repeatAck(dialog: Dialog, sequence: number): boolean {
  const kept = dialog.keptAck;
  if (kept?.sequence !== sequence) return false;
  kept.sent.resend();
  return true;
}

function send(
  environment: Environment,
  dialog: Dialog,
  sequence: number,
  request: SipRequest,
  destination: Destination,
): SentAck | undefined {
  const transmit = (options: SendOptions): SentAck => {
    const sent = environment.transactions.sendAck(request, options);
    const kept = { sequence, sent };
    dialog.keptAck = kept;
    // The peer repeats its 2xx no longer (§13.3.1.4).
    environment.keptAcks.add({
      expire: () => {
        if (dialog.keptAck === kept) dialog.keptAck = undefined;
      },
    });
    return sent;
  };
  const { targets, flow } = destination;
  if (!isPending(targets)) return transmit({ targets, ...(flow === undefined ? {} : { flow }) });
  targets.then(
    (resolved) => transmit({ targets: resolved }),
    (error: unknown) => {
      // An ACK gets no answer, so its loss shows only in the peer's BYE or the next request.
      if (!(error instanceof TransportError)) throw error;
    },
  );
  return undefined;
}
