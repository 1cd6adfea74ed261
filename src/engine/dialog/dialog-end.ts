import { type EngineReason, engineReasonHeader } from '../../sip/engine-reason.js';
import type { ClientTransactionUser } from '../transaction/transaction.js';
import { TransportError } from '../transport/flow.js';
import { acknowledge, dialogDestination } from './acknowledgement.js';
import { isPending } from './destination.js';
import type { Dialog } from './dialog.js';
import type { Environment } from './environment.js';

const noUser: ClientTransactionUser = { provisional() {}, final() {}, further2xx() {} };

/** Removes a dialog from all tables and stops its timers; INVITEs open within it get their final response. */
export function removeDialog(environment: Environment, dialog: Dialog): void {
  if (dialog.isEnded) return;
  dialog.isEnded = true;
  environment.dialogs.remove(dialog);
  for (const timer of dialog.timers) timer.cancel();
  dialog.timers = [];
  dialog.awaitedAck?.stop();
  dialog.awaitedAck = undefined;
  dialog.unacknowledged?.timer.cancel();
  dialog.unacknowledged = undefined;
  dialog.peerInvite?.dialogEnded();
  dialog.ownInvite?.dialogEnded();
}

/**
 * Ends a dialog from our side: BYE to the peer, and the reason to the application (wire protocol §5.5) unless it has
 * disconnected.
 */
export function endDialog(
  environment: Environment,
  dialog: Dialog,
  reason: EngineReason,
  notify = true,
): void {
  if (dialog.isEnded) return;
  if (dialog.usage === 'subscription') {
    // BYE is for sessions; the peer's next request gets 481, which ends a subscription (RFC 6665 §4.4.1).
    removeDialog(environment, dialog);
    return;
  }
  // A 2xx without ACK would be repeated for 32 seconds, BYE or not.
  acknowledge(environment, dialog);
  const bye = dialog.newPlainRequest('BYE', [['Reason', engineReasonHeader(reason)]]);
  const destination = dialogDestination(environment, dialog);
  removeDialog(environment, dialog);
  const sent = destination === undefined ? undefined : send(environment, bye, destination);
  if (notify && dialog.application.isOpen)
    dialog.application.unsolicited(
      sent?.request ?? bye,
      sent?.flow ?? destination?.flow ?? dialog.flow,
      dialog.id,
    );
}

function send(
  environment: Environment,
  bye: Parameters<Environment['transactions']['send']>[0],
  { targets, flow }: NonNullable<ReturnType<typeof dialogDestination>>,
) {
  const ignoreTransport = (error: unknown): undefined => {
    if (!(error instanceof TransportError)) throw error;
    return undefined;
  };
  if (isPending(targets)) {
    targets.then((resolved) => {
      environment.transactions.send(bye, { targets: resolved }, noUser);
    }, ignoreTransport);
    return undefined;
  }
  try {
    return environment.transactions.send(bye, { targets, ...(flow === undefined ? {} : { flow }) }, noUser);
  } catch (error) {
    return ignoreTransport(error);
  }
}
