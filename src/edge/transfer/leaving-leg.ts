import type { Call } from '../call/call.js';
import type { EndOptions, LeavingLeg } from '../call/call-events.js';
import { bye } from '../call/tear-down.js';
import type { Dialog, ReceivedRequest, ResponseSender } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import type { ReferSubscription } from './refer-subscription.js';

/** A transferor hangs up once it knows the outcome (RFC 5589 §6); after this long we send BYE. */
const graceMilliseconds = 2_000;

type Answer = (request: ReceivedRequest, response: ResponseSender) => void;

/** Answers requests in a dialog that is not part of a call (any more); `ended` runs when its peer hangs up. */
export function standAside(dialog: Dialog, ended: () => void): void {
  dialog.removeAllListeners();
  const on = (event: string, answer: Answer): void => {
    dialog.on(event, answer);
  };
  dialog.on('destroy', ended);
  for (const event of ['modify', 'update', 'refer']) {
    on(event, (_request, response) => response.send(491, undefined, {}));
  }
  for (const event of ['info', 'options'])
    on(event, (_request, response) => response.send(200, undefined, {}));
  for (const event of ['notify', 'subscribe']) {
    on(event, (_request, response) => response.send(481, undefined, {}));
  }
  for (const event of ['message', 'publish'])
    on(event, (_request, response) => response.send(405, undefined, {}));
}

/** The transferor's leg after its replacement: it gets the outcome by NOTIFY, then BYE. */
export class TransferorsLeg implements LeavingLeg {
  private readonly timer: NodeJS.Timeout;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly call: Call,
    private readonly dialog: Dialog,
    private readonly subscription: ReferSubscription | undefined,
  ) {
    standAside(dialog, () => this.gone());
    call.leaving.add(this);
    this.timer = setTimeout(() => void this.end({}), graceMilliseconds);
    if (!dialog.connected) this.gone();
  }

  end({ reason, engineIsGone }: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void> {
    clearTimeout(this.timer);
    if (engineIsGone === true) {
      this.gone();
      this.call.deps.engine.forget(this.dialog);
      return Promise.resolve();
    }
    this.ending ??= this.hangUp(reason ?? sipReason(200, 'Transferred'));
    return this.ending;
  }

  private async hangUp(reason: string): Promise<void> {
    await this.subscription?.quiet();
    await bye(this.call, this.dialog, { reason });
    this.gone();
  }

  private gone(): void {
    clearTimeout(this.timer);
    this.subscription?.drop();
    this.call.leaving.delete(this);
  }
}
