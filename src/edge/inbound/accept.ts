import { tagOf } from '../../sip/address.js';
import { engineReasonIn } from '../../sip/engine-reason.js';
import type { Admission } from '../admission/admission.js';
import { inboundRequest } from '../admission/inbound-request.js';
import { updateFromCaller } from '../call/early-offer.js';
import { fail } from '../call/fail.js';
import { unavailable } from '../call/invite-agent.js';
import { MediaSession } from '../media/media-session.js';
import { inviteDefect } from '../sip/invite-defect.js';
import { headerOf, sdpOf } from '../sip/message-reading.js';
import type { ReceivedRequest, ResponseSender, SipMessage } from '../sip/messages.js';
import { reasonOf, sipReason } from '../sip/reason.js';
import { codecsFor, symmetryFor } from '../streams/invite-stream.js';
import { beginAgentLeg, type CalledAgent, identityFor } from './agent-leg.js';
import { InboundCall, prackMissing } from './inbound-call.js';
import type { InboundDeps } from './inbound-deps.js';
import { ringAgents } from './ring-agents.js';

/** Handles an INVITE from a trunk: admission, media, then the INVITE to the agent. Ends the call if a step refuses it. */
export function accept(deps: InboundDeps, request: ReceivedRequest, response: ResponseSender): void {
  if (tagOf(headerOf(request, 'To') ?? '') !== undefined) {
    // A dialog that this process does not have: of an earlier process, or not confirmed yet (RFC 3261 §12.2.2).
    response.send(481, undefined, {});
    return;
  }
  const call = new InboundCall(deps.calls, request, response);
  deps.table.add(call);
  deps.calls.traces.expect(call.state.id, call.state.trunkSipCallId, 'trunk');
  // Must come first: a CANCEL without a listener is lost.
  request.on('cancel', (cancel) => cancelled(call, cancel));
  request.on('update', (update, answer) => updateFromCaller(call, 'trunk', update, answer));
  run(deps, call).catch((error: unknown) => fail(call, error));
}

async function run(deps: InboundDeps, call: InboundCall): Promise<void> {
  const { request } = call;
  const defect = inviteDefect(request, call.header);
  if (defect !== undefined) {
    call.end(
      { reason: 'refused_bad_request', by: 'edge', detail: defect.detail },
      { answer: { status: defect.status, reason: defect.reason, headers: defect.headers } },
    );
    return;
  }
  const replaces = call.header('Replaces');
  const replacement = replaces === undefined ? undefined : deps.replacements.replacement(replaces);
  if (replacement !== undefined && 'status' in replacement) {
    const { status, detail } = replacement;
    call.end({ reason: 'refused_bad_request', by: 'edge', detail }, { answer: { status } });
    return;
  }
  const sdp = sdpOf(request);
  const inbound = inboundRequest(request, call.header, sdp, call.waited);
  const admission = await deps.admission.admit(
    replacement === undefined ? inbound : { ...inbound, calledUser: replacement.number, isReplacement: true },
  );
  if (call.hasEnded) {
    if (admission.admitted) admission.release();
    return;
  }
  if (!admission.admitted) {
    refuse(deps, call, admission);
    return;
  }
  const { document } = admission;
  deps.sightings.answered(request, { status: null, callId: call.state.id, number: document });
  call.onForwarded(admission.forwarded);
  call.identifyAgent({ agentUri: admission.agentUris[0] ?? null });
  call.mapTrunkHeaders(document.outbound[0]?.headers ?? []);
  call.admit({
    number: document.number,
    organization: document.organization,
    maximumSeconds: document.limits.max_duration_seconds,
    testRunId: admission.testRunId,
    release: admission.release,
  });
  if (replacement !== undefined) {
    // No agent is called.
    call.forwarded();
    await replacement.run(call, sdp, admission);
    return;
  }
  const { agents, problem } = await allowedAgents(deps, admission.agentUris);
  if (call.hasEnded) return;
  if (agents.length === 0) {
    const detail = `The agent was not called: ${problem}.`;
    call.end({ reason: 'agent_unreachable', by: 'edge', detail }, { answer: unavailable(503) });
    return;
  }
  const media = new MediaSession(call.state.id, deps.calls.pool, {
    codecs: codecsFor(document.codecs, admission.agentUris),
    group: document.organization,
    signaling: call,
    parties: {
      trunk: { profile: 'RTP/SAVP', isForeign: admission.testRunId === undefined },
      agent: {
        profile: 'RTP/AVP',
        isForeign: agents.some(({ isOperators }) => !isOperators),
        isSymmetric: symmetryFor(admission.inbound.symmetric_rtp, admission.agentUris),
      },
    },
  });
  call.useMedia(media);
  const offering = sdp === undefined ? undefined : media.offer('trunk', sdp, admission.offer);
  const identity = whileOffering(offering, () => {
    call.log.info({ number: document.number, from: call.state.source.address }, 'Call admitted.');
    return identityFor(call, document);
  });
  const offer = await offering;
  if (call.hasEnded) return;
  call.describeSide('agent', { local: offer });
  endWhenExpired(call);
  const { inbound: configuration } = admission;
  const mappings = configuration.headers;
  const invitation = { document, inbound: configuration, mappings, offer, identity };
  if (agents.length === 1) beginAgentLeg(call, invitation, agents[0]!);
  else ringAgents(call, invitation, agents);
}

/** Works while rtpengine does. */
function whileOffering<Result>(offering: Promise<unknown> | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // The call ends with this error; that of the offer is not awaited then.
    offering?.catch(() => {});
    throw error;
  }
}

/** Longer than any phone rings; our own bounds come first. */
const longestExpirySeconds = 3_600;

/** Ends the call with 487 when the Expires of the caller's INVITE has passed (RFC 3261 §13.3.1). */
function endWhenExpired(call: InboundCall): void {
  const seconds = Number.parseInt(call.header('Expires') ?? '', 10);
  if (!(seconds > 0 && seconds <= longestExpirySeconds)) return;
  const timer = setTimeout(() => {
    if (call.state.answeredAt !== null) return;
    call.end(
      {
        reason: 'agent_no_answer',
        by: 'edge',
        detail: `The caller's INVITE expired after ${seconds} s without an answer from the agent.`,
      },
      { answer: { status: 487 }, reason: sipReason(487, 'Invitation expired') },
    );
  }, seconds * 1_000).unref();
  void call.agentInvite.done.then(() => clearTimeout(timer));
}

interface AllowedAgent extends CalledAgent {
  readonly isOperators: boolean;
}

/** The agents that the egress policy lets us call, and why it refuses the last of the others. */
async function allowedAgents(
  deps: InboundDeps,
  agentUris: readonly string[],
): Promise<{ readonly agents: readonly AllowedAgent[]; readonly problem: string | undefined }> {
  const targets = await Promise.all(agentUris.map((uri) => deps.calls.guardTarget.agent(uri)));
  const agents: AllowedAgent[] = [];
  let problem: string | undefined;
  for (const [index, target] of targets.entries()) {
    if (target.ok)
      agents.push({ agentUri: agentUris[index]!, proxy: target.proxy, isOperators: target.isOperators });
    else problem = target.problem;
  }
  return { agents, problem };
}

function refuse(
  deps: InboundDeps,
  call: InboundCall,
  { refusal, document }: Extract<Admission, { admitted: false }>,
): void {
  deps.sightings.answered(call.request, {
    status: refusal.status,
    endReason: refusal.endReason,
    detail: refusal.detail,
    callId: call.state.id,
    number: document,
  });
  call.noteRefusal({
    number: document?.number ?? null,
    organization: document?.organization ?? null,
    isChallenged: refusal.isChallenge === true,
    isUnrecorded: refusal.isUnrecorded === true,
  });
  call.deps.metrics.callRefused(refusal.endReason, refusal.status);
  call.end(
    { reason: refusal.endReason, by: 'edge', detail: refusal.detail },
    { answer: { status: refusal.status, reason: refusal.reason, headers: refusal.headers } },
  );
}

/** The engine has already responded to the caller: 200 to the CANCEL, 487 to the INVITE. */
function cancelled(call: InboundCall, cancel: SipMessage): void {
  const reason = reasonOf(cancel);
  const cause = engineReasonIn(reason);
  if (cause === 'prack_timeout') {
    // The engine's PRACK timeout fired before ours and sent 504.
    prackMissing(call, 180);
    return;
  }
  // This process was silent, and another one has the call and its record.
  if (cause === 'given_away') call.noteRefusal({ isUnrecorded: true });
  const detail = reason === undefined ? undefined : `Reason: ${reason}`;
  call.end({ reason: 'caller_cancelled', by: 'caller', detail }, { reason });
}
