import { isHeaderText } from '../../contract/header-mapping.js';
import { updateFromCallee } from '../call/early-offer.js';
import { fail } from '../call/fail.js';
import { removedHeadersOf, trunkHeadersOf } from '../call/header-mapping.js';
import { attachInDialog } from '../call/in-dialog.js';
import { type SearchFailure, searchServers } from '../routing/server-search.js';
import {
  type AttemptFailure,
  calleeAddress,
  hasSameMedia,
  mediaPartyAt,
  requestUri,
  type TrunkServer,
} from '../routing/targets.js';
import { type DigestClient, digestClientFor } from '../sip/digest-client.js';
import { sdpOf } from '../sip/message-reading.js';
import type { Dialog, OfferedDialog } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import type { FinalAnswer } from '../sip/refuse-invite.js';
import { authenticate } from '../sip/request-in-dialog.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { policyFor } from '../transfer/policy.js';
import type { AgentSide } from './agent-side.js';
import { AttemptNote } from './attempt-record.js';
import type { OutboundCall } from './outbound-call.js';
import type { OutboundDeps } from './outbound-deps.js';
import { sendPrecallDigits } from './precall-digits.js';
import type { Prepared } from './prepare.js';
import { withPrivacy } from './privacy.js';
import { callAndFollow, type Following, type RedirectedTo, Redirects } from './redirects.js';
import { refreshSession } from './session-refresh.js';
import { TrunkAttempt } from './trunk-attempt.js';

/** No further server is tried after this long: the agent hears silence meanwhile, and the callee still has to answer. */
const searchMilliseconds = 20_000;

/** Offers the agent's media to the trunk's servers in order, until one gives a decisive answer. */
export async function callTrunk(
  deps: OutboundDeps,
  call: OutboundCall,
  { document, route, servers }: Prepared,
  agent: AgentSide,
): Promise<void> {
  awaitAnswer(call);
  call.describeSide('agent', { remote: agent.offer });
  let offering: { readonly isSecure: boolean; readonly offer: string | undefined } | undefined;
  const offerFor = async (server: TrunkServer): Promise<string | undefined> => {
    const { isSecure } = server;
    if (offering?.isSecure !== isSecure) {
      offering = { isSecure, offer: await trunkOffer(call, server, agent) };
    }
    return offering.offer;
  };
  const redirects = new Redirects({
    document,
    route,
    policy: policyFor('outbound', document),
    callee: `+${call.command.phone_number}`,
    trunks: deps.trunks,
  });
  const following: Following = {
    attempt: async (to) => {
      const offer = await offerFor(to.server);
      return call.hasEnded ? undefined : attempt(deps, call, to, { offer, agent });
    },
    address: () => call.state.source.address,
    isOver: () => call.hasEnded,
    log: call.log,
  };
  const { triggers } = route;
  const failure = await searchServers({
    number: call.command.number,
    servers,
    triggers,
    failover: deps.failover,
    log: call.log,
    milliseconds: searchMilliseconds,
    isOver: () => call.hasEnded,
    offerFor,
    attempt: (server) => {
      const uri = requestUri(server, call.command.phone_number);
      return callAndFollow(redirects, { server, uri }, following);
    },
  });
  if (failure !== undefined) refusedByTrunk(call, failure);
}

/** The agent's offer as the server gets it; servers whose media differs need separate media sessions. */
async function trunkOffer(
  call: OutboundCall,
  server: TrunkServer,
  agent: AgentSide,
): Promise<string | undefined> {
  const party = mediaPartyAt(server);
  if (call.media !== undefined && !hasSameMedia(call.media.partyOf('trunk'), party)) {
    void call.media.release();
    call.useMedia(call.media.forTrunk(`${call.media.id}+`, party));
  }
  return agent.offer === undefined ? undefined : call.media!.offer('agent', agent.offer);
}

interface Offering {
  /** Absent: the server is asked for one. */
  readonly offer: string | undefined;
  readonly agent: AgentSide;
}

async function attempt(
  outbound: OutboundDeps,
  call: OutboundCall,
  { server, uri }: RedirectedTo,
  { offer, agent }: Offering,
): Promise<AttemptFailure | undefined> {
  const { state, deps } = call;
  const digest = digestClientFor(outbound.secrets, server.credential, state.organization);
  call.mapTrunkHeaders(server.mappings);
  const taken = (): void => {
    call.locateTrunk(attempt.source);
    agent.answered();
    answeredByTrunk(call);
  };
  const attempt = new TrunkAttempt({
    engine: deps.engine,
    target: server,
    guard: deps.guardTarget,
    uri,
    headers: trunkHeaders(call, server, agent),
    maxForwards: agent.maxForwards,
    offer,
    digest: digest?.begin(),
    sessionSeconds: deps.settings.call.sessionExpiresSeconds,
    responseMilliseconds: deps.settings.call.trunkResponseMilliseconds,
    wasHeard: (sipCallId, sequence) => deps.traces.wasAnswered(sipCallId, sequence),
    trying: () => {
      agent.reached?.();
      awaitRinging(call);
    },
    provisional: (response) => {
      agent.reached?.();
      if (call.ring()) {
        awaitAnswer(call);
        call.report('ringing');
      }
      agent.provisional(response);
    },
    update: (early, update, response) => updateFromCallee(call, 'trunk', early, update, response),
    answered: (dialog, answer) => {
      taken();
      confirmed(call, dialog, digest);
      join(call, agent.join(answer));
    },
    offered: (offered) => {
      taken();
      joinOffer(call, offered, { agent, digest });
    },
  });
  call.identifyTrunk({ trunkSipCallId: attempt.sipCallId, source: attempt.source });
  call.describeSide('trunk', { local: offer });
  deps.traces.expect(state.id, attempt.sipCallId, 'trunk', 'edge');
  call.beginAttempt(attempt);
  const note = new AttemptNote(call, server, attempt.sipCallId);
  call.report('dialling');
  const failure = await attempt.run();
  note.end(failure);
  call.locateTrunk(attempt.source);
  call.changed();
  if (failure === undefined) outbound.answeredBy(server);
  else if (!call.hasEnded) {
    call.endAttempt();
    call.noteStatus(failure.status, failure.reason === '' ? undefined : failure.reason);
  }
  return failure;
}

/** In the turn of the trunk's 200. */
function answeredByTrunk(call: OutboundCall): void {
  call.endAttempt();
  call.clearDeadline();
  call.answer();
}

/** The trunk's dialog is there, and its 200 acknowledged. */
function confirmed(call: OutboundCall, dialog: Dialog, digest: DigestClient | undefined): void {
  if (digest !== undefined) authenticate(dialog, digest);
  call.setDialog('trunk', dialog);
  call.setSession('trunk', sessionAgreedBy(dialog.res));
  attachInDialog(call, 'trunk', dialog);
  call.acknowledge();
  if (digest !== undefined) refreshSession(call);
}

/** The trunk's 200 brought an offer, because ours had none. */
function joinOffer(
  call: OutboundCall,
  offered: OfferedDialog,
  { agent, digest }: { agent: AgentSide; digest: DigestClient | undefined },
): void {
  call.legs.setOffered('trunk', offered);
  const acknowledge = async (answer: string): Promise<void> => {
    const acknowledging = offered.ack(answer);
    call.legs.releaseOffered('trunk');
    const dialog = await acknowledging;
    confirmed(call, dialog, digest);
    if (call.hasEnded) dialog.destroy({ headers: {} }, () => {});
  };
  join(call, agent.join(sdpOf(offered.res), acknowledge));
}

function join(call: OutboundCall, joining: Promise<void>): void {
  if (call.precallDigits === '') call.report('answered');
  joining.then(() => sendPrecallDigits(call)).catch((error: unknown) => fail(call, error));
}

/** Headers for the trunk; mappings may replace or remove our own identification. */
function trunkHeaders(
  { state, command }: OutboundCall,
  server: TrunkServer,
  agent: AgentSide,
): Readonly<Record<string, string>> {
  const { mappings } = server;
  const privacy = agent.header('Privacy');
  const lines: Record<string, string> = { 'P-Asserted-Identity': state.from };
  if (privacy !== undefined && isHeaderText(privacy)) lines.Privacy = privacy;
  const variable = (name: string): string | undefined => agent.header(name) ?? command.variables?.[name];
  for (const [name, value] of Object.entries(trunkHeadersOf(mappings, variable))) {
    lines[replaceable.get(name.toLowerCase()) ?? name] = value;
  }
  const removed = removedHeadersOf(mappings);
  const kept = Object.entries(lines).filter(([name]) => !removed.has(name.toLowerCase()));
  const To = calleeAddress(server, command.phone_number);
  return withPrivacy({ ...Object.fromEntries(kept), From: state.from, To });
}

/** Our own headers that a mapping may replace, as we spell them. */
const replaceable = new Map([
  ['p-asserted-identity', 'P-Asserted-Identity'],
  ['privacy', 'Privacy'],
]);

function refusedByTrunk(call: OutboundCall, { last: failure, texts }: SearchFailure): void {
  const reason = failure.isOurs
    ? failure.hasRung
      ? 'trunk_no_answer'
      : 'trunk_unreachable'
    : failure.status === 408
      ? 'trunk_no_answer'
      : 'trunk_refused';
  call.end(
    { reason, by: failure.isOurs ? 'edge' : 'callee', detail: texts.join('; ').slice(0, 1_000) },
    { answer: answerFor(failure), reason: sipReason(failure.status, failure.reason) },
  );
}

/** The server is alive and routes the call, which takes a while on mobile and international routes. */
function awaitRinging(call: OutboundCall): void {
  if (call.hasEnded || call.state.ringingAt !== null) return;
  const { postDialSeconds } = call.deps.settings.call;
  const detail = `The trunk sent 100 Trying, then nothing for ${postDialSeconds} s.`;
  call.setDeadline('trunk_progress', postDialSeconds, () => notAnswered(call, detail));
}

function awaitAnswer(call: OutboundCall): void {
  if (call.hasEnded) return;
  const { ringSeconds } = call.deps.settings.call;
  call.setDeadline('trunk_answer', ringSeconds, () =>
    notAnswered(call, `Not answered within ${ringSeconds} s.`),
  );
}

function notAnswered(call: OutboundCall, detail: string): void {
  call.end(
    { reason: 'trunk_no_answer', by: 'edge', detail },
    { answer: { status: 480 }, reason: sipReason(487, 'No answer') },
  );
}

/** The response to a waiting INVITE from the agent. The trunk's challenges and redirections concern only us. */
function answerFor({ status, reason, isOurs }: AttemptFailure): FinalAnswer {
  if (isOurs) return { status: status === 408 ? 504 : 503 };
  if (status === 401 || status === 407) return { status: 403 };
  if (status < 400) return { status: 502 };
  return { status, reason: reason === '' ? undefined : reason };
}
