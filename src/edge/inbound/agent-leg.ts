import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { InboundConfiguration, NumberDocument } from '../../contract/number.js';
import { knowledgeOf } from '../call/agent-token.js';
import { updateFromCallee } from '../call/early-offer.js';
import { fail } from '../call/fail.js';
import { trunkHeadersOf } from '../call/header-mapping.js';
import { attachInDialog } from '../call/in-dialog.js';
import { type AgentInvitation, agentIdentity, inviteAgent } from '../call/invite-agent.js';
import { EarlyAnswer } from '../sip/early-answer.js';
import { forwardsLeft } from '../sip/message-reading.js';
import type { Dialog, OfferedDialog } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { streamOf } from '../streams/invite-stream.js';
import { answer } from './answer.js';
import { answerLateOffer } from './answer-late-offer.js';
import { relayProvisional } from './early-media.js';
import type { InboundCall } from './inbound-call.js';

/** What every agent of a call is invited with. */
export interface Invitation {
  readonly document: NumberDocument;
  /** The configuration that admitted the call. */
  readonly inbound: Pick<InboundConfiguration, 'streams'>;
  /** The trunk's headers as variables of the agent. */
  readonly mappings: readonly HeaderMapping[];
  /** Absent: the caller made no offer, and the agent is asked for one. */
  readonly offer: string | undefined;
  readonly identity: AgentIdentity;
}

/** What the agents learn of the call besides its headers. */
export type AgentIdentity = ReturnType<typeof identityFor>;

/** Signed before the offer is known: rtpengine needs as long for that. */
export function identityFor(call: InboundCall, document: NumberDocument) {
  const { organization } = document;
  const knowledge = knowledgeOf(document);
  return {
    ...knowledge,
    ...agentIdentity(call, { organization, header: call.header, ...knowledge }),
  };
}

export interface CalledAgent {
  readonly agentUri: string;
  /** The next hop, where it is not the URI's. */
  readonly proxy: string | undefined;
}

/** The INVITE to one agent of a caller. */
export const agentInvitation = (
  call: InboundCall,
  { document, inbound, mappings, offer, identity }: Invitation,
  agent: CalledAgent,
  agentSipCallId: string,
): AgentInvitation => ({
  ...agent,
  stream: streamOf(inbound, agent.agentUri),
  ...identity,
  mappings,
  offer,
  organization: document.organization,
  number: document.number,
  agentSipCallId,
  maxForwards: forwardsLeft(call.header('Max-Forwards')),
  header: call.header,
  headerNames: Object.keys(call.request.headers),
});

/** Calls the agent for a caller, relays its provisional responses, and answers the caller as it answers. */
export function beginAgentLeg(call: InboundCall, invitation: Invitation, agent: CalledAgent): void {
  inviteAgent(call, agentInvitation(call, invitation, agent, call.state.id), {
    sent: () => call.forwarded(),
    provisional: (response) => {
      call.ring();
      relayProvisional(call, response).catch((error: unknown) => fail(call, error));
    },
    update: (update, response) => updateFromCallee(call, 'agent', call.agentAnswer, update, response),
    redirected: () => call.useAgentAnswer(new EarlyAnswer()),
    answered: (dialog) => agentAnswered(call, dialog),
  });
}

export function agentAnswered(call: InboundCall, dialog: Dialog | OfferedDialog): void {
  call.mapAnswer(trunkHeadersOf(call.state.trunkMappings, (name) => dialog.res.get(name)));
  if ('sdp' in dialog) {
    call.legs.setOffered('agent', dialog);
    if (call.hasEnded) void dialog.destroy();
    else answerLateOffer(call, dialog).catch((error: unknown) => fail(call, error));
    return;
  }
  call.setDialog('agent', dialog);
  call.setSession('agent', sessionAgreedBy(dialog.res));
  attachInDialog(call, 'agent', dialog);
  if (call.hasEnded) {
    // The caller's CANCEL crossed the agent's 200: the engine or we end the dialog, whichever is first.
    if (dialog.connected) void dialog.destroy({ headers: { Reason: sipReason(487, 'Cancelled') } }, () => {});
    return;
  }
  answer(call, dialog).catch((error: unknown) => fail(call, error));
}
