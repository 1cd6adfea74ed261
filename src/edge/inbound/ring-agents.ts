import { randomUUID } from 'node:crypto';
import { updateFromCallee } from '../call/early-offer.js';
import { agentRings, beginInviting, sendInvite, settleInvite } from '../call/invite-agent.js';
import { EarlyAnswer } from '../sip/early-answer.js';
import {
  type Dialog,
  isMadeUp,
  type OfferedDialog,
  type ReceivedResponse,
  type SentRequest,
} from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { agentAnswered, agentInvitation, type CalledAgent, type Invitation } from './agent-leg.js';
import type { InboundCall } from './inbound-call.js';

/** RFC 3326 §2: the callee's phone shows no missed call. */
const completedElsewhere = { Reason: sipReason(200, 'Call completed elsewhere') };

/** The INVITE to one of the agents. */
interface Branch {
  readonly agentUri: string;
  readonly sipCallId: string;
  readonly answer: EarlyAnswer;
  /** Undefined before the engine has sent it, and after its final response. */
  invite: SentRequest | undefined;
  isOpen: boolean;
}

/**
 * Rings several agents at once. The first to answer gets the call, and the others get CANCEL; agents that refuse or fail
 * leave the rest ringing. When none is left the caller gets the best refusal (RFC 3261 §16.7 step 6). The caller hears
 * ringing until an answer: one session cannot distinguish early media of several agents (RFC 3960 §3.1).
 */
export function ringAgents(call: InboundCall, invitation: Invitation, agents: readonly CalledAgent[]): void {
  new Ringing(call).start(invitation, agents);
}

class Ringing {
  private readonly branches: Branch[] = [];
  private isSettled = false;
  private isFirstSent = true;
  private isRinging = false;
  private best: { readonly error: unknown; readonly branch: Branch } | undefined;

  constructor(private readonly call: InboundCall) {}

  start(invitation: Invitation, agents: readonly CalledAgent[]): void {
    const { call } = this;
    const { state } = call;
    beginInviting(call);
    // The end of the call cancels all of them.
    call.agentInvite.sent({ cancel: ({ headers = {} }) => this.cancelOpen(headers) });
    for (const [index, agent] of agents.entries()) {
      this.branches.push({
        agentUri: agent.agentUri,
        sipCallId: index === 0 ? state.id : randomUUID(),
        answer: new EarlyAnswer(),
        invite: undefined,
        isOpen: true,
      });
    }
    this.settleAs(this.branches[0]!);
    for (const [index, agent] of agents.entries()) this.invite(this.branches[index]!, invitation, agent);
  }

  private invite(branch: Branch, invitation: Invitation, agent: CalledAgent): void {
    const { call } = this;
    sendInvite(
      call,
      agentInvitation(call, invitation, agent, branch.sipCallId),
      {
        sent: (sent) => {
          branch.invite = sent;
          if (this.isFirstSent) call.forwarded();
          this.isFirstSent = false;
          if (call.hasEnded) this.cancel(branch, {});
          else if (this.isSettled) this.cancel(branch, completedElsewhere);
        },
        provisional: (response) => this.provisional(branch, response),
        update: (update, response) => updateFromCallee(call, 'agent', branch.answer, update, response),
      },
      (error, dialog) => this.finished(branch, error, dialog),
    );
  }

  private provisional(branch: Branch, response: ReceivedResponse): void {
    const { call } = this;
    branch.answer.note(response);
    if (call.hasEnded || this.isSettled) return;
    if (call.ring()) agentRings(call);
    if (this.isRinging || response.status === 181 || response.status === 199) return;
    this.isRinging = true;
    call.sendProvisional(180, {});
  }

  private finished(branch: Branch, error: unknown, dialog?: Dialog | OfferedDialog): void {
    const { call } = this;
    branch.isOpen = false;
    branch.invite = undefined;
    if (this.isSettled) {
      // Its 200 crossed our CANCEL (RFC 3261 §9.1).
      if (dialog !== undefined) letGo(dialog);
      return;
    }
    if (dialog !== undefined) {
      this.take(branch, dialog);
      return;
    }
    call.log.info(
      { agent: branch.agentUri, status: statusOf(error) },
      'An agent of the group did not take the call.',
    );
    if (this.best === undefined || rank(error) < rank(this.best.error)) this.best = { error, branch };
    if (this.branches.some(({ isOpen }) => isOpen)) return;
    this.isSettled = true;
    this.settleAs(this.best.branch);
    settleInvite(call, this.best.error, undefined, () => {});
  }

  private take(branch: Branch, dialog: Dialog | OfferedDialog): void {
    this.isSettled = true;
    this.settleAs(branch);
    this.cancelOpen(completedElsewhere);
    settleInvite(this.call, null, dialog, (answered) => agentAnswered(this.call, answered));
  }

  /** From now on it is the agent of the call. */
  private settleAs({ agentUri, sipCallId, answer }: Branch): void {
    const { call } = this;
    const sipCallIds = this.branches.map((branch) => branch.sipCallId);
    const otherAgentSipCallIds = sipCallIds.filter((candidate) => candidate !== sipCallId);
    call.identifyAgent({ agentUri, agentSipCallId: sipCallId, otherAgentSipCallIds });
    call.useAgentAnswer(answer);
  }

  private cancelOpen(headers: Record<string, string>): void {
    for (const branch of this.branches) this.cancel(branch, headers);
  }

  /** Before the INVITE is sent there is nothing to cancel; `sent` does it then. */
  private cancel({ invite, isOpen, agentUri }: Branch, headers: Record<string, string>): void {
    if (!isOpen) return;
    invite?.cancel({ headers }, (error) => {
      if (error) this.call.log.debug({ agent: agentUri, error: String(error) }, 'CANCEL came too late.');
    });
  }
}

function letGo(dialog: Dialog | OfferedDialog): void {
  if ('sdp' in dialog) void dialog.destroy();
  else if (dialog.connected) void dialog.destroy({ headers: completedElsewhere }, () => {});
}

const statusOf = (error: unknown): number | undefined => (error as { status?: number } | null)?.status;

/** RFC 3261 §16.7 step 6: 6xx before 4xx before the rest; responses that the engine generated are last. */
function rank(error: unknown): number {
  const { status, res } = error as { status?: number; res?: ReceivedResponse };
  if (status === undefined || res === undefined || isMadeUp(res)) return 3;
  if (status >= 600) return 0;
  return status >= 400 && status < 500 ? 1 : 2;
}
