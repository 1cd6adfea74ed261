import { randomUUID } from 'node:crypto';
import type { CallCommand, CallProgress, OrderedPhase } from '../../contract/commands.js';
import type { NumberDocument } from '../../contract/number.js';
import type { SecretBox } from '../../contract/secret.js';
import type { AdmissionChain } from '../admission/chain.js';
import { agentHeaders } from '../call/agent-headers.js';
import type { CallParts } from '../call/call-parts.js';
import { fail } from '../call/fail.js';
import { cancelInvite } from '../call/tear-down.js';
import { MediaRefused } from '../media/media-session.js';
import type { FailoverStates } from '../routing/failover-states.js';
import type { TrunkTarget } from '../routing/targets.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import { failureText, isMadeUp, type OfferedDialog, type ReceivedResponse } from '../sip/engine-link.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { inviteWithTimer } from '../sip/timed-invite.js';
import type { AgentCredentials } from './agent-credentials.js';
import { callTrunk } from './call-trunk.js';
import { OfferingAgent } from './offering-agent.js';
import { OutboundCall } from './outbound-call.js';
import type { OutboundPlaces } from './pacing/outbound-places.js';
import { prepare } from './prepare.js';

/** What calls that we begin need besides what every call works with. */
export interface OutboundParts {
  readonly calls: CallParts;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly admission: Pick<AdmissionChain, 'enterPaced'>;
  readonly places: Pick<OutboundPlaces, 'enter'>;
  readonly agents: Pick<AgentCredentials, 'refusal'>;
  readonly secrets: SecretBox;
  readonly failover: Pick<FailoverStates, 'order' | 'failed' | 'answered'>;
  readonly defaultAgentUri: string;
  /** True once the edge is being taken out of use. */
  readonly isDraining: () => boolean;
  /** Told of each server that answers a call: it lives, whatever it makes of probes. */
  readonly answeredBy: (target: TrunkTarget) => void;
}

/** Told how far an ordered call has come. */
export type ReportProgress = (phase: OrderedPhase, progress?: CallProgress) => void;

/** A call whose order was claimed. The agent is called first, without a description (RFC 3725 §4.1, flow I). */
export function placeCall(parts: OutboundParts, command: CallCommand, report: ReportProgress): OutboundCall {
  const call = new OutboundCall(parts.calls, command, report);
  call.state.organization = command.organization;
  parts.calls.table.add(call);
  run(parts, call, command).catch((error: unknown) => fail(call, error));
  return call;
}

async function run(parts: OutboundParts, call: OutboundCall, command: CallCommand): Promise<void> {
  const prepared = await prepare(parts, call, {
    organization: command.organization,
    enter: (document) => parts.admission.enterPaced(document),
  });
  if (prepared === undefined) return;
  const { document, route, servers } = prepared;
  call.maximumSeconds = Math.min(command.max_duration_seconds, call.maximumSeconds);
  call.log.info({ number: document.number }, 'Order to call.');
  if (command.precall_dtmf_sequence !== undefined) {
    call.precallDigits = command.precall_dtmf_sequence;
    call.media!.playsDigits = true;
  }
  const agentUri = document.inbound[0]?.agent_uri ?? parts.defaultAgentUri;
  const target = await parts.calls.guardTarget.agent(agentUri);
  if (call.hasEnded) return;
  if (!target.ok) {
    const detail = `The agent was not called: ${target.problem}.`;
    call.end({ reason: 'agent_unreachable', by: 'edge', detail });
    return;
  }
  call.media!.isForeign.agent = !target.isOperators;
  const agent = await askAgent(call, document, { agentUri, proxy: target.proxy });
  if (agent === undefined) return;
  await callTrunk(parts, call, route, servers, new OfferingAgent(call, agent));
}

/** Calls the agent; its 200 brings the offer that the trunk gets. Undefined: the call has ended. */
function askAgent(
  call: OutboundCall,
  document: NumberDocument,
  { agentUri, proxy }: { readonly agentUri: string; readonly proxy: string | undefined },
): Promise<OfferedDialog | undefined> {
  const { parts, state, command } = call;
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
    parts.engine.messageLimits,
  );
  state.agentUri = agentUri;
  state.agentSipCallId = agentSipCallId;
  parts.traces.expect(state.id, agentSipCallId, 'agent');
  const { agentResponseSeconds, agentAnswerSeconds } = parts.settings.call;
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
      parts.engine,
      agentUri,
      { headers, sessionSeconds: parts.settings.call.sessionExpiresSeconds, proxy },
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
  fail(call, new MediaRefused('305 demarc "No offer"', "The agent's 200 brought no offer."));
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
