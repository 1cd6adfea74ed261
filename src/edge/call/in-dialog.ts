import { engineReasonOf } from '../../sip/engine-reason.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import { allow, capabilityHeaders } from '../sip/capabilities.js';
import type { Dialog, ReceivedRequest, ResponseSender } from '../sip/messages.js';
import { reasonOf, sipReason } from '../sip/reason.js';
import { agentLoss } from './agent-loss.js';
import type { Call } from './call.js';
import type { Ending } from './call-state.js';
import { fail } from './fail.js';
import { trunkHeadersOf } from './header-mapping.js';
import { info } from './info.js';
import { modify } from './modify.js';

/** The call and the side that a dialog belongs to. */
interface Party {
  readonly call: Call;
  readonly side: MediaSide;
}

const party = Symbol('party');

/** A dialog with the listeners of this file. */
interface Attached extends Dialog {
  [party]: Party;
}

type Handler = (call: Call, side: MediaSide, request: ReceivedRequest, response: ResponseSender) => void;

/** By event of drachtio-srf. */
const handlers: Readonly<Record<string, Handler>> = {
  modify: (call, side, request, response) => modify(call, side, request, response, 'INVITE'),
  update: (call, side, request, response) => modify(call, side, request, response, 'UPDATE'),
  info,
  options: (_call, _side, _request, response) =>
    response.send(200, undefined, { headers: { ...capabilityHeaders } }),
  refer: (call, side, request, response) => call.deps.transfers.refer(call, side, request, response),
  message: (_call, _side, _request, response) => response.send(405, undefined, { headers: { Allow: allow } }),
  publish: (_call, _side, _request, response) => response.send(405, undefined, { headers: { Allow: allow } }),
  notify: (call, side, request, response) => call.deps.transfers.notify(call, side, request, response),
  subscribe: (call, side, request, response) => call.deps.transfers.subscribe(call, side, request, response),
};

type Listener = (this: Attached, request: ReceivedRequest, response: ResponseSender) => void;

/** Shared by all dialogs: closures for each would be most of a held call's memory. */
const listeners: readonly (readonly [event: string, listener: Listener])[] = Object.entries(handlers).map(
  ([event, handle]) => [
    event,
    function (this: Attached, request, response) {
      const { call, side } = this[party];
      call.deps.gate.pass(() => {
        try {
          handle(call, side, request, response);
        } catch (error) {
          if (!response.finalResponseSent) response.send(500, undefined, {});
          fail(call, error);
        }
      });
    },
  ],
);

function destroyed(this: Attached, request: ReceivedRequest, reason?: string): void {
  const { call, side } = this[party];
  try {
    hungUp(call, side, request, reason);
  } catch (error) {
    fail(call, error);
  }
}

/** The library has already responded. */
function unsubscribed(this: Attached): void {
  const { call, side } = this[party];
  call.deps.transfers.unsubscribed(call, side);
}

/**
 * Handles every request inside a dialog. Must run in the turn in which the dialog appears. Each method needs a listener: the
 * library answers 200 to a request without one, even to REFER.
 */
export function attachInDialog(call: Call, side: MediaSide, dialog: Dialog): void {
  (dialog as Attached)[party] = { call, side };
  dialog.on('destroy', destroyed);
  for (const [event, listener] of listeners) dialog.on(event, listener);
  dialog.on('unsubscribe', unsubscribed);
}

/** BYE from the peer, or from the engine, which gives its cause in the reason text. */
export function hungUp(
  call: Call,
  side: MediaSide,
  request: ReceivedRequest,
  reason: string | undefined,
): void {
  if (request.source === 'application') {
    call.end(engineEnding(call, side, reason ?? ''), { reason: sipReason(200, reason ?? 'Released') });
    return;
  }
  const given = reasonOf(request);
  const detail = given === undefined ? undefined : `Reason: ${given}`;
  const ending: Ending = { ...call.hangUpBy(side), detail };
  if (call.transfer?.partyLeft(side, ending) === true) return;
  const trunkHeaders =
    side === 'trunk' ? {} : trunkHeadersOf(call.state.trunkMappings, (name) => request.get(name));
  call.end(ending, { answer: { status: 480 }, reason: given, trunkHeaders });
}

function engineEnding(call: Call, side: MediaSide, reason: string): Ending {
  const peer = side === 'trunk' ? call.party : 'agent';
  switch (engineReasonOf(reason)) {
    case 'ack_timeout':
      return { reason: 'ack_timeout', by: 'edge', detail: `The ${peer} did not send ACK for the 200.` };
    case 'prack_timeout':
      return { reason: 'ack_timeout', by: 'edge', detail: `The ${peer} did not send PRACK before the 200.` };
    case 'session_expired': {
      const detail = `The ${peer} did not refresh the session in time.`;
      return side === 'agent' ? agentLoss(call, detail) : { reason: 'session_expired', by: 'edge', detail };
    }
    case 'missing_contact': {
      const detail = `The ${peer}'s 200 had no valid Contact, so no request could be sent to it.`;
      return { reason: side === 'trunk' ? 'trunk_refused' : 'agent_refused', by: 'edge', detail };
    }
    case 'cancel_crossed':
    case 'cancelled_before_success':
      return { reason: 'caller_cancelled', by: 'caller', detail: reason };
    default:
      return {
        reason: 'internal_error',
        by: 'edge',
        detail: `The engine ended the ${otherSide(side)}'s peer: ${reason}`,
      };
  }
}
