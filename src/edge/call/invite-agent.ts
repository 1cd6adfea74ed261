import { randomUUID } from 'node:crypto';
import { type AgentStream, isStreamUrl } from '../../contract/agent-stream.js';
import { isHeaderText } from '../../contract/header-mapping.js';
import { traceparentOf } from '../../contract/trace-context.js';
import type { InviteProgress } from '../sip/engine-link.js';
import type { Dialog, OfferedDialog, ReceivedResponse } from '../sip/messages.js';
import { failureText, isMadeUp } from '../sip/messages.js';
import { cleanPhrase, reasonOf, reasonTextOf, sipReason } from '../sip/reason.js';
import type { FinalAnswer } from '../sip/refuse-invite.js';
import { inviteWithTimer } from '../sip/timed-invite.js';
import { isProcessFailure, newSearch, orderHeader, type StreamSearch } from '../streams/invite-stream.js';
import { type AgentHeaderSource, agentHeaders, contactIdOf, factsOf } from './agent-headers.js';
import { AgentRedirects } from './agent-redirect.js';
import { tokenHeader } from './agent-token.js';
import type { Call } from './call.js';
import type { Ending } from './call-state.js';
import { callerUser } from './caller-identity.js';
import { endingOnThrow, fail } from './fail.js';
import { isDecision, mapAgentFailure } from './status-map.js';

export interface AgentInvitation extends Omit<AgentHeaderSource, 'callId' | 'direction'> {
  /** Absent: the agent is asked for an offer. */
  readonly offer?: string | undefined;
  /** The next hop, where it is not the URI's. */
  readonly proxy: string | undefined;
  /** The agent is a WebSocket server. */
  readonly stream?: AgentStream | undefined;
}

export interface AgentProgress {
  sent?(): void;
  /** A provisional response other than 100; not called once the call has ended. */
  provisional(response: ReceivedResponse, isFirst: boolean): void;
  /** UPDATE before the final response. Absent: an offer in it is refused. */
  update?: NonNullable<InviteProgress['update']>;
  /** Another agent is invited instead. */
  redirected?(): void;
  /** The call may have ended meanwhile. Without the edge's offer the dialog brings the agent's. */
  answered(dialog: Dialog | OfferedDialog): void;
}

/**
 * Invites the agent and follows its responses. An agent that sends nothing, does not answer in time or refuses ends the call.
 * Never throws: an exception of a listener also ends the call.
 */
export function inviteAgent(
  call: Call,
  invitation: AgentInvitation,
  progress: AgentProgress,
  redirects: AgentRedirects = new AgentRedirects(call),
): void {
  const { agentUri, agentSipCallId } = invitation;
  call.identifyAgent({ agentUri, agentSipCallId });
  beginInviting(call);
  let isFirst = true;
  sendInvite(
    call,
    invitation,
    {
      sent: (sent) => {
        call.agentInvite.sent(sent);
        progress.sent?.();
        if (call.hasEnded) call.agentInvite.cancel();
      },
      provisional: (response) => {
        if (call.hasEnded) return;
        if (isFirst) agentRings(call);
        progress.provisional(response, isFirst);
        isFirst = false;
      },
      ...(progress.update === undefined ? {} : { update: progress.update }),
    },
    (error, dialog) => {
      const settle = (): void => {
        const detail = redirects.problem;
        settleInvite(call, error, dialog, (answered) => progress.answered(answered), detail);
      };
      if (dialog !== undefined || call.hasEnded) settle();
      else void follow(call, error, { invitation, progress, redirects }, settle);
    },
  );
}

interface Redirected {
  readonly invitation: AgentInvitation;
  readonly progress: AgentProgress;
  readonly redirects: AgentRedirects;
}

/** Invites the agent that a redirection names, as another dialog; otherwise the response counts. */
async function follow(
  call: Call,
  error: unknown,
  { invitation, progress, redirects }: Redirected,
  settle: () => void,
): Promise<void> {
  const next = await redirects.next(error, invitation.agentUri);
  if (next === undefined || call.hasEnded) {
    settle();
    return;
  }
  call.log.info({ from: invitation.agentUri, to: next.agentUri }, 'The agent redirects the call.');
  const { otherAgentSipCallIds } = call.state;
  call.identifyAgent({ otherAgentSipCallIds: [...otherAgentSipCallIds, invitation.agentSipCallId] });
  progress.redirected?.();
  inviteAgent(call, { ...invitation, ...next, agentSipCallId: randomUUID() }, progress, redirects);
}

type InviteDone = (error: unknown, dialog?: Dialog | OfferedDialog) => void;

/** The INVITE to an agent: to its URI, or to a media-stream process that calls it by WebSocket. */
export function sendInvite(
  call: Call,
  invitation: AgentInvitation,
  progress: InviteProgress,
  done: InviteDone,
): void {
  const { agentUri, stream } = invitation;
  if (stream === undefined || !isStreamUrl(agentUri))
    inviteAt(call, invitation, { uri: agentUri }, progress, done);
  else inviteStream(call, { ...invitation, stream }, newSearch(), progress, done);
}

/** To one media-stream process after the other, until one has asked the bot. One that restarts is waited for. */
function inviteStream(
  call: Call,
  invitation: AgentInvitation & { readonly stream: AgentStream },
  search: StreamSearch,
  progress: InviteProgress,
  done: InviteDone,
): void {
  const { state, deps } = call;
  const process = call.hasEnded ? undefined : deps.streams.choose(search.tried);
  if (process === undefined) {
    const isNew = search.tried.size === 0;
    const wait = deps.streams.waitForOne(search, () => !call.hasEnded);
    const settle = (isThere: boolean): void => {
      if (isThere) inviteStream(call, invitation, search, progress, done);
      else
        done(
          new Error(
            isNew
              ? 'no media-stream process takes calls (demarc media-stream)'
              : 'no media-stream process could take the call',
          ),
        );
    };
    void wait.then(endingOnThrow(call, settle));
    return;
  }
  search.tried.add(process.uri);
  const identity = invitation.token === undefined ? agentIdentity(call, invitation) : {};
  const identified = { ...invitation, ...identity };
  const facts = factsOf(
    { ...identified, callId: state.id, direction: state.direction },
    deps.engine.messageLimits,
  );
  const headers = orderHeader(deps.secrets, {
    version: 1,
    call_id: state.id,
    organization: invitation.organization,
    ...partiesOf(call, invitation.number),
    direction: state.direction,
    sip_call_id: state.trunkSipCallId.slice(0, 256),
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    stream: invitation.stream,
  });
  inviteAt(call, identified, { uri: process.uri, headers }, progress, (error, dialog) => {
    if (dialog !== undefined || call.hasEnded || !isProcessFailure(error)) done(error, dialog);
    else inviteStream(call, invitation, search, progress, done);
  });
}

/** As bots read them: the number as E.164, the other party's user. @param number digits */
function partiesOf({ state }: Call, number: string): { readonly from: string; readonly to: string } {
  const own = `+${number}`;
  const header = state.direction === 'inbound' ? state.from : state.to;
  const peer = (callerUser(header) ?? '').slice(0, 128);
  return state.direction === 'inbound' ? { from: peer, to: own } : { from: own, to: peer };
}

interface InviteTarget {
  /** Request-URI. */
  readonly uri: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One INVITE, with the session timer that we propose. */
function inviteAt(
  call: Call,
  { offer, proxy, stream, ...source }: AgentInvitation,
  target: InviteTarget,
  progress: InviteProgress,
  done: InviteDone,
): void {
  const { state, deps } = call;
  const { agentSipCallId } = source;
  const { contactId, token = {} } = source.token === undefined ? agentIdentity(call, source) : source;
  const { headers, dropped } = agentHeaders(
    { ...source, callId: state.id, direction: state.direction, token, contactId },
    offer === undefined ? 0 : Buffer.byteLength(offer),
    deps.engine.messageLimits,
  );
  if (dropped.length > 0)
    call.log.warn({ dropped }, 'Omitted headers that were too long for the INVITE to the agent.');
  deps.traces.expect(state.id, agentSipCallId, 'agent');
  const { sessionExpiresSeconds: sessionSeconds } = deps.settings.call;
  inviteWithTimer(
    deps.engine,
    target.uri,
    { headers: { ...headers, ...target.headers }, sessionSeconds, localSdp: offer, proxy },
    progress,
    done,
  );
}

/** What the INVITE to an agent is signed with, and names: half of its cost, and known before the offer is. */
export function agentIdentity(
  call: Call,
  source: Pick<AgentHeaderSource, 'organization' | 'header' | 'persona' | 'pathway' | 'knowledgeIds'>,
): Pick<AgentInvitation, 'contactId' | 'token'> {
  const contactId = contactIdOf(source);
  const token = tokenHeader(call, source, contactId);
  const { traceSample } = call.deps.settings.call;
  if (traceSample === undefined) return { contactId, token };
  return { contactId, token: { ...token, traceparent: traceparentOf(call.state.id, 'agent', traceSample) } };
}

/** INVITEs to agents go out: from here on one of them must respond in time. */
export function beginInviting(call: Call): void {
  const { agentResponseSeconds: seconds } = call.deps.settings.call;
  call.invite();
  call.agentInvite.begin();
  call.setDeadline('agent_response', seconds, () => noResponse(call, seconds));
}

/** An agent is alive: from here on the ringing timeout applies. */
export function agentRings(call: Call): void {
  const { agentAnswerSeconds: seconds } = call.deps.settings.call;
  call.setDeadline('agent_answer', seconds, () => noAnswer(call, seconds));
}

/** The final response of the agent, or of the agents that rang together. */
export function settleInvite(
  call: Call,
  error: unknown,
  dialog: Dialog | OfferedDialog | undefined,
  answered: (dialog: Dialog | OfferedDialog) => void,
  problem?: string,
): void {
  call.agentInvite.answered();
  try {
    if (dialog === undefined) {
      refused(call, error, problem);
    } else {
      if (!call.hasEnded) call.clearDeadline();
      answered(dialog);
    }
  } catch (problem) {
    fail(call, problem);
  } finally {
    call.agentInvite.finish();
  }
}

/** @param problem why a redirection was not followed */
function refused(call: Call, error: unknown, problem: string | undefined): void {
  if (call.hasEnded) return;
  const { ending, answer } = refusalBy(error, call.state.agentUri ?? '');
  const detail =
    problem === undefined ? ending.detail : `${ending.detail}; redirection not followed: ${problem}`;
  call.end({ ...ending, detail }, { answer });
}

/** Of an agent that was not reached, the caller learns no more. */
export const unavailable = (status: number): FinalAnswer => ({
  status,
  headers: { Reason: sipReason(status, 'Agent not available') },
});

interface AgentRefusal {
  readonly ending: Ending;
  /** For the caller. */
  readonly answer: FinalAnswer;
}

/** The ending for a failed INVITE to the agent: it refused, or was not reached. */
export function refusalBy(error: unknown, agentUri: string): AgentRefusal {
  const { status, reason, res } = (error ?? {}) as {
    status?: number;
    reason?: string;
    res?: ReceivedResponse;
  };
  if (typeof status !== 'number') {
    // The engine could not send the INVITE: unusable URI, no such transport.
    const detail = `The INVITE to the agent was not sent: ${failureText(error)}`;
    return { ending: { reason: 'agent_unreachable', by: 'edge', detail }, answer: unavailable(503) };
  }
  const isOurs = res === undefined || isMadeUp(res);
  const mapped = mapAgentFailure(status, isOurs);
  if (isOurs) {
    const detail = `No answer from the agent at ${agentUri}: ${status}.`;
    return { ending: { reason: mapped.endReason, by: 'edge', detail }, answer: unavailable(mapped.status) };
  }
  const phrase = cleanPhrase(reason ?? '');
  const why = cleanPhrase(reasonTextOf(res) ?? '');
  const retryAfter = res.get('Retry-After');
  const passesRetryAfter = retryAfter !== undefined && /^\d{1,6}\b/.test(retryAfter);
  return {
    ending: {
      reason: mapped.endReason,
      by: 'agent',
      detail: [`The agent answered ${status} ${phrase ?? ''}`.trim(), why].filter(Boolean).join(': '),
    },
    answer: {
      status: mapped.status,
      reason: mapped.keepsPhrase ? phrase : undefined,
      headers: {
        // The text of a failure may name hosts of the operator; why an agent declines is for the caller.
        Reason: [
          sipReason(status, (isDecision(status) ? why : undefined) ?? phrase ?? ''),
          ...otherReasons(res),
        ].join(', '),
        ...(passesRetryAfter ? { 'Retry-After': retryAfter } : {}),
        ...redress(res),
      },
    },
  };
}

/** The agent's own causes in other protocols, such as Q.850 (RFC 3326 §2: one value each). */
function otherReasons(response: ReceivedResponse): string[] {
  const given = reasonOf(response);
  return given === undefined || /(^|,)\s*SIP\s*;/i.test(given) ? [] : [given];
}

/** Where a caller that was rejected by 608 can object (RFC 8688 §3.2). */
function redress(response: ReceivedResponse): Record<string, string> {
  const contact = response.status === 608 ? response.get('Call-Info') : undefined;
  return contact === undefined || !isHeaderText(contact) ? {} : { 'Call-Info': contact };
}

function noResponse(call: Call, seconds: number): void {
  const detail = `The agent at ${call.state.agentUri} sent nothing within ${seconds} s.`;
  call.end(
    { reason: 'agent_unreachable', by: 'edge', detail },
    { answer: { status: 504 }, reason: sipReason(504, 'No response') },
  );
}

function noAnswer(call: Call, seconds: number): void {
  const detail = `The agent at ${call.state.agentUri} did not answer within ${seconds} s.`;
  call.end(
    { reason: 'agent_no_answer', by: 'edge', detail },
    { answer: { status: 480 }, reason: sipReason(480, 'No answer') },
  );
}
