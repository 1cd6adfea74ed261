import { randomUUID } from 'node:crypto';
import type { CallCommand } from '../../contract/commands.js';
import { agentsOf, type NumberDocument } from '../../contract/number.js';
import { fail } from '../call/fail.js';
import { type AgentInvitation, inviteAgent } from '../call/invite-agent.js';
import { MediaRefused } from '../media/media-refused.js';
import { initialForwards } from '../sip/message-reading.js';
import type { OfferedDialog } from '../sip/messages.js';
import { streamOf } from '../streams/invite-stream.js';
import { callTrunk } from './call-trunk.js';
import { OfferingAgent } from './offering-agent.js';
import { OutboundCall } from './outbound-call.js';
import type { OutboundDeps, ReportProgress } from './outbound-deps.js';
import { prepare, useMedia } from './prepare.js';

/** A call whose order was claimed. The agent is called first, without a description (RFC 3725 §4.1, flow I). */
export function placeCall(deps: OutboundDeps, command: CallCommand, report: ReportProgress): OutboundCall {
  const call = new OutboundCall(deps.calls, command, report);
  call.assign(command.organization);
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
  const { document } = prepared;
  call.limitDuration(Math.min(command.max_duration_seconds, call.state.maximumSeconds));
  call.log.info({ number: document.number }, 'Received an order.');
  const { agentUri, stream } = agentOf(command, document, deps.defaultAgentUri);
  const target = await deps.calls.guardTarget.agent(agentUri);
  if (call.hasEnded) return;
  if (!target.ok) {
    const detail = `The agent was not called: ${target.problem}.`;
    call.end({ reason: 'agent_unreachable', by: 'edge', detail });
    return;
  }
  const playsDigits = call.precallDigits !== '';
  useMedia(deps, call, prepared, { isForeign: !target.isOperators, playsDigits, agentUri });
  const agent = await askAgent(call, document, { agentUri, proxy: target.proxy, stream });
  if (agent === undefined) return;
  await callTrunk(deps, call, prepared, new OfferingAgent(call, agent));
}

/** The order's own agent, else that of the direction for calls from the number, else that of calls to it. */
function agentOf(
  order: Pick<CallCommand, 'agent_uri' | 'stream'>,
  { inbound, outbound }: NumberDocument,
  defaultAgentUri: string,
): Pick<AgentInvitation, 'agentUri' | 'stream'> {
  for (const { agent_uri: agentUri, stream } of [order, ...outbound.slice(0, 1)])
    if (agentUri !== undefined) return { agentUri, stream: stream ?? streamOf(undefined, agentUri) };
  const agentUri = agentsOf(inbound[0])?.[0] ?? defaultAgentUri;
  return { agentUri, stream: streamOf(inbound[0], agentUri) };
}

/** Calls the agent; its 200 brings the offer that the trunk gets. Undefined: the call has ended. */
function askAgent(
  call: OutboundCall,
  document: NumberDocument,
  agent: Pick<AgentInvitation, 'agentUri' | 'proxy' | 'stream'>,
): Promise<OfferedDialog | undefined> {
  const { command } = call;
  const callee: Readonly<Record<string, string>> = { from: `<sip:+${command.phone_number}@localhost>` };
  return new Promise((resolve) => {
    inviteAgent(
      call,
      {
        ...agent,
        organization: document.organization,
        number: document.number,
        agentSipCallId: randomUUID(),
        maxForwards: initialForwards,
        header: (name) => callee[name.toLowerCase()],
        headerNames: [],
        mappings: [],
        persona: { id: command.persona_id, version: command.persona_version },
        pathway: { id: command.pathway_id, version: command.pathway_version },
        voice: command.voice,
        knowledgeIds: command.knowledge_ids,
        tools: command.tools,
      },
      { provisional: () => {}, answered: (dialog) => takeOffer(call, dialog as OfferedDialog) },
    );
    void call.agentInvite.done.then(() => resolve(call.hasEnded ? undefined : call.legs.offered.agent));
  });
}

function takeOffer(call: OutboundCall, agent: OfferedDialog): void {
  if (call.hasEnded) {
    void agent.destroy();
    return;
  }
  call.legs.setOffered('agent', agent);
  if (!agent.sdp) throw new MediaRefused('305 demarc "No offer"', "The agent's 200 had no SDP offer.");
}
