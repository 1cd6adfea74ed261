import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Dialog } from './dialog.js';
import { removeDialog } from './dialog-end.js';
import { type Environment, patience } from './environment.js';

/** Seconds; RFC 6665 §4.2.1.1 leaves it to the event package, most of which say an hour. */
const defaultLifetime = 3600;
/** A REFER has no Expires: a transfer is over by then (RFC 3515 §2.4.4). */
const referLifetime = 300;

/** Bounds the life of a subscription dialog: at its expiry it is forgotten even when the final NOTIFY never comes. */
export function armSubscription(
  environment: Environment,
  dialog: Dialog,
  request: SipRequest,
  response: SipResponse | undefined,
): void {
  const text = response?.headers.get('Expires') ?? request.headers.get('Expires');
  const asked = text === undefined ? Number.NaN : Number.parseInt(text, 10);
  const lifetime = request.method === 'REFER' ? referLifetime : Number.isNaN(asked) ? defaultLifetime : asked;
  for (const timer of dialog.timers) timer.cancel();
  dialog.timers = [
    environment.clock.after(lifetime * 1000 + patience(environment.timers), () =>
      removeDialog(environment, dialog),
    ),
  ];
}
