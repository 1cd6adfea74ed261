import { randomUUID } from 'node:crypto';
import type { CallCommand } from '../../contract/commands.js';
import { agentsOf, type NumberDocument } from '../../contract/number.js';
import { agentHeaders } from '../call/agent-headers.js';
import { fail } from '../call/fail.js';
import { cancelInvite } from '../call/tear-down.js';
import { MediaRefused } from '../media/media-session.js';
import { failureText, isMadeUp, type OfferedDialog, type ReceivedResponse } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { inviteWithTimer } from '../sip/timed-invite.js';
import { callTrunk } from './call-trunk.js';
import { OfferingAgent } from './offering-agent.js';
import { OutboundCall } from './outbound-call.js';
import type { OutboundDeps, ReportProgress } from './outbound-deps.js';
import { prepare } from './prepare.js';

/** A call whose order was claimed. The agent is called first, without a description (RFC 3725 §4.1, flow I). */
export function placeCall(deps: OutboundDeps, command: CallCommand, report: ReportProgress): OutboundCall {
  const call = new OutboundCall(deps.calls, command, report);
  call.state.organization = command.organization;
  deps.table.add(call);
  run(deps, call, command).catch((error: unknown) => fail(call, error));
  return call;
}

async function run(deps: OutboundDeps, call: OutboundCall, command: CallCommand): Promise<void> {
  const prepared = await prepare(deps, call, {
    organization: command.organization,
    enter: (document) => deps.admission.enterPaced(document),
  });
  if (prepared === undefined) return;
  const { document, route, servers } = prepared;
  call.maximumSeconds = Math.min(command.max_duration_seconds, call.maximumSeconds);
  call.log.info({ number: document.number }, 'Received an order.');
  if (command.precall_dtmf_sequence !== undefined) {
    call.precallDigits = command.precall_dtmf_sequence;
    call.media!.playsDigits = true;
  }
  const agentUri = agentsOf(document.inbound[0])?.[0] ?? deps.defaultAgentUri;
  const target = await deps.calls.guardTarget.agent(agentUri);
  if (call.hasEnded) return;
  if (!target.ok) {
    const detail = `The agent was not called: ${target.problem}.`;
    call.end({ reason: 'agent_unreachable', by: 'edge', detail });
    return;
  }
  call.media!.isForeign.agent = !target.isOperators;
  const agent = await askAgent(call, document, { agentUri, proxy: target.proxy });
  if (agent === undefined) return;
  await callTrunk(deps, call, route, servers, new OfferingAgent(call, agent));
}

/** Calls the agent; its 200 brings the offer that the trunk gets. Undefined: the call has ended. */
function askAgent(
  call: OutboundCall,
  document: NumberDocument,
  { agentUri, proxy }: { readonly agentUri: string; readonly proxy: string | undefined },
): Promise<OfferedDialog | undefined> {
  const { deps, state, command } = call;
  const callee: Readonly<Record<string, string>> = { from: `<sip:+${command.phone_number}@localhost>` };
  const agentSipCallId = randomUUID();
  const { headers } = agentHeaders(
    {
      callId: state.id,
      organization: document.organization,
      number: document.number,
      direction: 'outbound',
      agentUri,
      agentSipCallId,
      maxForwards: 70,
      header: (name) => callee[name.toLowerCase()],
      headerNames: [],
      mappings: [],
      personaId: command.persona_id,
      tools: command.tools,
    },
    0,
    deps.engine.messageLimits,
  );
  state.agentUri = agentUri;
  state.agentSipCallId = agentSipCallId;
  deps.traces.expect(state.id, agentSipCallId, 'agent');
  const { agentResponseSeconds, agentAnswerSeconds } = deps.settings.call;
  const silent = (reason: 'agent_unreachable' | 'agent_no_answer', what: string): void =>
    call.end(
      { reason, by: 'edge', detail: `The agent at ${agentUri} ${what}` },
      { reason: sipReason(487, 'No answer') },
    );
  call.setDeadline(agentResponseSeconds, () =>
    silent('agent_unreachable', `sent nothing within ${agentResponseSeconds} s.`),
  );
  call.inviting = true;
  return new Promise((resolve) => {
    inviteWithTimer(
      deps.engine,
      agentUri,
      { headers, sessionSeconds: deps.settings.call.sessionExpiresSeconds, proxy },
      {
        sent: (sent) => {
          call.invite = sent;
          if (call.hasEnded) cancelInvite(call, undefined);
        },
        provisional: () => {
          if (call.hasEnded) return;
          call.setDeadline(agentAnswerSeconds, () =>
            silent('agent_no_answer', `did not answer within ${agentAnswerSeconds} s.`),
          );
        },
      },
      (error, dialog) => {
        call.inviting = false;
        call.invite = undefined;
        resolve(takeOffer(call, error, dialog as OfferedDialog | undefined));
        call.inviteDone.resolve();
      },
    );
  });
}

function takeOffer(
  call: OutboundCall,
  error: unknown,
  agent: OfferedDialog | undefined,
): OfferedDialog | undefined {
  if (agent === undefined) {
    if (!call.hasEnded) refusedByAgent(call, error);
    return undefined;
  }
  if (call.hasEnded) {
    void agent.destroy();
    return undefined;
  }
  call.clearDeadline();
  call.offered = agent;
  if (agent.sdp) return agent;
  fail(call, new MediaRefused('305 demarc "No offer"', "The agent's 200 had no SDP offer."));
  return undefined;
}

function refusedByAgent(call: OutboundCall, error: unknown): void {
  const { status, reason, res } = error as {
    status?: number;
    reason?: string;
    res?: ReceivedResponse;
  };
  const isRefusal = status !== undefined && res !== undefined && !isMadeUp(res);
  const detail = isRefusal
    ? `The agent answered ${status} ${cleanPhrase(reason ?? '') ?? ''}`.trim()
    : `No answer from the agent at ${call.state.agentUri}: ${status ?? failureText(error)}`;
  call.end({
    reason: isRefusal ? 'agent_refused' : 'agent_unreachable',
    by: isRefusal ? 'agent' : 'edge',
    detail,
  });
}
