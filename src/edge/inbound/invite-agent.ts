import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { NumberDocument } from '../../contract/number.js';
import { agentHeaders } from '../call/agent-headers.js';
import { fail } from '../call/fail.js';
import { trunkHeadersOf } from '../call/header-mapping.js';
import { attachInDialog } from '../call/in-dialog.js';
import { mapAgentFailure } from '../call/status-map.js';
import { cancelInvite } from '../call/tear-down.js';
import type { InviteProgress } from '../sip/engine-link.js';
import { forwardsLeft } from '../sip/message-reading.js';
import { type Dialog, failureText, type OfferedDialog, type ReceivedResponse } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { inviteWithTimer } from '../sip/timed-invite.js';
import { answer } from './answer.js';
import { answerLateOffer } from './answer-late-offer.js';
import { relayProvisional } from './early-media.js';
import type { InboundCall } from './inbound-call.js';

/** What every agent of a call is invited with. */
export interface Invitation {
  readonly document: NumberDocument;
  /** The trunk's headers as variables of the agent. */
  readonly mappings: readonly HeaderMapping[];
  /** Absent: the caller made no offer and the agent is asked for one. */
  readonly offer: string | undefined;
}

export interface CalledAgent {
  readonly agentUri: string;
  /** The next hop, where it is not the URI's. */
  readonly proxy: string | undefined;
}

/** Calls the agent and follows its answers. */
export function inviteAgent(call: InboundCall, invitation: Invitation, agent: CalledAgent): void {
  const { state } = call;
  state.agentSipCallId = state.id;
  call.inviting = true;
  call.setDeadline(call.deps.settings.call.agentResponseSeconds, () => noResponse(call));
  sendInvite(
    call,
    invitation,
    { ...agent, sipCallId: state.id },
    {
      sent: (sent) => {
        call.invite = sent;
        call.forwarded();
        if (call.hasEnded) cancelInvite(call, undefined);
      },
      provisional: (response) => provisional(call, response),
    },
    (error, dialog) => settleInvite(call, error, dialog),
  );
}

/** The INVITE to one agent, with the session timer that we propose. */
export function sendInvite(
  call: InboundCall,
  { document, mappings, offer }: Invitation,
  { agentUri, proxy, sipCallId }: CalledAgent & { readonly sipCallId: string },
  progress: InviteProgress,
  done: (error: unknown, dialog?: Dialog | OfferedDialog) => void,
): void {
  const { state, deps, request } = call;
  const { headers, dropped } = agentHeaders(
    {
      callId: state.id,
      organization: document.organization,
      number: document.number,
      direction: 'inbound',
      agentUri,
      agentSipCallId: sipCallId,
      maxForwards: forwardsLeft(call.header('Max-Forwards')),
      header: call.header,
      headerNames: Object.keys(request.headers),
      mappings,
    },
    offer === undefined ? 0 : Buffer.byteLength(offer),
    deps.engine.messageLimits,
  );
  if (dropped.length > 0)
    call.log.warn({ dropped }, 'Omitted headers that were too long for the INVITE to the agent.');
  deps.traces.expect(state.id, sipCallId, 'agent');
  inviteWithTimer(
    deps.engine,
    agentUri,
    { headers, sessionSeconds: deps.settings.call.sessionExpiresSeconds, localSdp: offer, proxy },
    progress,
    done,
  );
}

/** The final answer of the agent, or of the agents that rang together. */
export function settleInvite(call: InboundCall, error: unknown, dialog?: Dialog | OfferedDialog): void {
  call.inviting = false;
  call.invite = undefined;
  try {
    if (error !== null && error !== undefined) refusedByAgent(call, error);
    else answered(call, dialog!);
  } catch (problem) {
    fail(call, problem);
  } finally {
    call.inviteDone.resolve();
  }
}

function provisional(call: InboundCall, response: ReceivedResponse): void {
  if (call.hasEnded) return;
  noteRinging(call);
  relayProvisional(call, response).catch((error: unknown) => fail(call, error));
}

/** From the first sign of life on, the agent has the time that ringing may take. */
export function noteRinging(call: InboundCall): void {
  if (call.state.ringingAt !== null) return;
  call.state.ringingAt = Date.now();
  call.setDeadline(call.deps.settings.call.agentAnswerSeconds, () => noAnswer(call));
}

function answered(call: InboundCall, dialog: Dialog | OfferedDialog): void {
  // What is waited for from here on, PRACK or ACK, the caller owes.
  if (!call.hasEnded) call.clearDeadline();
  call.answerHeaders = trunkHeadersOf(call.trunkMappings, (name) => dialog.res.get(name));
  if ('sdp' in dialog) {
    call.offered = dialog;
    if (call.hasEnded) void dialog.destroy();
    else answerLateOffer(call, dialog).catch((error: unknown) => fail(call, error));
    return;
  }
  call.setDialog('agent', dialog);
  call.sessions.agent = sessionAgreedBy(dialog.res);
  attachInDialog(call, 'agent', dialog);
  if (call.hasEnded) {
    // The caller's CANCEL crossed the agent's 200: the dialog is ended by whoever is first, the engine or we.
    if (dialog.connected) void dialog.destroy({ headers: { Reason: sipReason(487, 'Cancelled') } }, () => {});
    return;
  }
  answer(call, dialog).catch((error: unknown) => fail(call, error));
}

interface AgentRefusal {
  readonly status: number;
  readonly reason?: string;
  readonly res?: ReceivedResponse;
}

function refusedByAgent(call: InboundCall, error: unknown): void {
  if (call.hasEnded) return;
  const refusal = error as Partial<AgentRefusal>;
  if (typeof refusal.status !== 'number') {
    // The engine could not send the INVITE at all: unusable URI, no such transport.
    call.end(
      {
        reason: 'agent_unreachable',
        by: 'edge',
        detail: `The agent's INVITE was not sent: ${failureText(error)}`,
      },
      { answer: { status: 503 } },
    );
    return;
  }
  const isOurs = (refusal.res?.source_address ?? '') === '';
  const mapped = mapAgentFailure(refusal.status, isOurs);
  const phrase = cleanPhrase(refusal.reason ?? '');
  const retryAfter = refusal.res?.get('Retry-After');
  const passesRetryAfter = retryAfter !== undefined && /^\d{1,6}\b/.test(retryAfter) && !isOurs;
  call.end(
    {
      reason: mapped.endReason,
      by: isOurs ? 'edge' : 'agent',
      detail: isOurs
        ? `No answer from the agent at ${call.state.agentUri}: ${refusal.status}.`
        : `The agent answered ${refusal.status} ${phrase ?? ''}`.trim(),
    },
    {
      answer: {
        status: mapped.status,
        reason: mapped.keepsPhrase ? phrase : undefined,
        headers: {
          ...(isOurs ? {} : { Reason: sipReason(refusal.status, phrase ?? '') }),
          ...(passesRetryAfter ? { 'Retry-After': retryAfter } : {}),
        },
      },
    },
  );
}

export function noResponse(call: InboundCall): void {
  call.end(
    {
      reason: 'agent_unreachable',
      by: 'edge',
      detail: `The agent sent nothing within ${call.deps.settings.call.agentResponseSeconds} s.`,
    },
    { answer: { status: 504 }, reason: sipReason(504, 'No response') },
  );
}

function noAnswer(call: InboundCall): void {
  call.end(
    {
      reason: 'agent_no_answer',
      by: 'edge',
      detail: `The agent did not answer within ${call.deps.settings.call.agentAnswerSeconds} s.`,
    },
    { answer: { status: 480 }, reason: sipReason(480, 'No answer') },
  );
}
