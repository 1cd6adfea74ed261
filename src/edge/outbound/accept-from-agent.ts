import { numberDigits } from '../../contract/number.js';
import type { ErrorCode } from '../../errors.js';
import { parseAddress, tagOf } from '../../sip/address.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { Refusal } from '../admission/admission.js';
import { inboundRequest } from '../admission/inbound-request.js';
import { refuse } from '../admission/refusal.js';
import { refuseLoop, refuseTooManyHops } from '../admission/routing-loop.js';
import { updateFromCaller } from '../call/early-offer.js';
import { fail } from '../call/fail.js';
import { inviteDefect } from '../sip/invite-defect.js';
import { headerIndex } from '../sip/message-reading.js';
import type { ReceivedRequest, ResponseSender, SipMessage } from '../sip/messages.js';
import { reasonOf, sipReason } from '../sip/reason.js';
import { AgentPlacedCall } from './agent-placed-call.js';
import { callTrunk } from './call-trunk.js';
import { InvitingAgent } from './inviting-agent.js';
import type { OutboundDeps } from './outbound-deps.js';
import { prepare, useMedia } from './prepare.js';

/**
 * An INVITE from the agent runtime: the Request-URI names the callee, From the calling attached number. It gets the
 * trunk's answer, or the trunk's refusal.
 */
export function acceptFromAgent(
  deps: OutboundDeps,
  request: ReceivedRequest,
  response: ResponseSender,
): void {
  if (tagOf(request.get('To') ?? '') !== undefined) {
    // A dialog that this process does not have (RFC 3261 §12.2.2).
    response.send(481, undefined, {});
    return;
  }
  const { table } = deps;
  const { traces, metrics } = deps.calls;
  const number = digitsOf(parseAddress(request.get('From') ?? '')?.uri);
  const phoneNumber = digitsOf(request.uri);
  const call = new AgentPlacedCall(
    deps.calls,
    { number: number ?? '', phoneNumber: phoneNumber ?? '' },
    request,
    response,
  );
  table.add(call);
  traces.expect(call.state.id, request.get('Call-ID') ?? '', 'agent', 'peer');
  // Must come first: a CANCEL without a listener is lost.
  request.on('cancel', (cancel) => cancelled(call, cancel));
  request.on('update', (update, answer) => updateFromCaller(call, 'agent', update, answer));
  const end = ({ endReason: reason, detail, status, headers }: Refusal): void => {
    metrics.callRefused(reason, status);
    call.end({ reason, by: 'edge', detail }, { answer: { status, headers } });
  };
  const decline = (code: ErrorCode, reason: Parameters<typeof refuse>[1], detail: string): void => {
    const retryAfter = deps.calls.settings.drain.retryAfterSeconds;
    end(refuse(code, reason, { detail, ...(code === 'draining' ? { retryAfter } : {}) }));
  };
  const hops = inboundRequest(request, headerIndex(request), undefined);
  const circular = refuseTooManyHops(hops) ?? refuseLoop(hops, deps.calls.engine.advertisedListeners);
  if (deps.isDraining()) {
    decline('draining', 'refused_draining', 'The edge is shutting down.');
  } else if (circular !== undefined) {
    end(circular);
  } else if (number === undefined) {
    call.noteRefusal({ number: null });
    const from = JSON.stringify((request.get('From') ?? '').slice(0, 100));
    decline('not_a_calling_number', 'refused_unknown_number', `From ${from} is not a number.`);
  } else if (phoneNumber === undefined) {
    const detail = `The Request-URI ${request.uri.slice(0, 100)} is not a number of 3 to 15 digits.`;
    decline('not_a_number', 'refused_bad_request', detail);
  } else {
    run(deps, call).catch((error: unknown) => fail(call, error));
  }
}

async function run(deps: OutboundDeps, call: AgentPlacedCall): Promise<void> {
  const { request } = call;
  const defect = inviteDefect(request, headerIndex(request));
  if (defect !== undefined) {
    const { status, reason, headers, detail } = defect;
    call.end({ reason: 'refused_bad_request', by: 'edge', detail }, { answer: { status, reason, headers } });
    return;
  }
  if (request.has('Replaces')) {
    // Calls to trunks replace no dialog of the edge (RFC 3891 §3).
    const detail = 'Replaces is not supported in calls to a trunk.';
    call.end({ reason: 'refused_bad_request', by: 'edge', detail }, { answer: { status: 481 } });
    return;
  }
  const prepared = await prepare(deps, call, {
    authorize: (document) => deps.agents.refusal(request, document),
    enter: async (document) => {
      const refusal = await deps.admission.refuseWhileBusy(document.organization);
      return refusal === undefined ? deps.places.enter(document) : { ok: false, refusal };
    },
  });
  if (prepared === undefined) return;
  useMedia(deps, call, prepared);
  call.log.info({ number: call.command.number }, 'The agent places a call.');
  endWhenExpired(call);
  await callTrunk(deps, call, prepared, new InvitingAgent(call));
}

/** Ends the call with 487 when the Expires of the agent's INVITE has passed (RFC 3261 §13.3.1). */
function endWhenExpired(call: AgentPlacedCall): void {
  const seconds = Number.parseInt(call.request.get('Expires') ?? '', 10);
  if (!(seconds > 0 && seconds <= call.deps.settings.call.ringSeconds)) return;
  call.after(seconds * 1_000, () => {
    if (call.state.answeredAt !== null) return;
    const detail = `The agent's INVITE expired after ${seconds} s without an answer.`;
    const reason = sipReason(487, 'Invitation expired');
    call.end({ reason: 'trunk_no_answer', by: 'edge', detail }, { answer: { status: 487 }, reason });
  });
}

/** The number in a `sip:` or `tel:` URI. */
function digitsOf(text: string | undefined): string | undefined {
  const uri = text === undefined ? undefined : parseUri(text);
  const user = uri === undefined ? undefined : userOf(uri);
  return user === undefined ? undefined : numberDigits(user);
}

/** The engine has already responded to the agent: 200 to the CANCEL, 487 to the INVITE. */
function cancelled(call: AgentPlacedCall, cancel: SipMessage): void {
  const reason = reasonOf(cancel);
  const detail = reason === undefined ? undefined : `Reason: ${reason}`;
  call.end({ reason: 'agent_hung_up', by: 'agent', detail }, { reason });
}
