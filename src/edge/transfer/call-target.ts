import type { NumberDocument } from '../../contract/number.js';
import { callAndFollow, type Following, Redirects } from '../outbound/redirects.js';
import { TrunkAttempt } from '../outbound/trunk-attempt.js';
import { searchServers } from '../routing/server-search.js';
import type { AttemptFailure, OutboundRoute, TrunkServer } from '../routing/targets.js';
import { digestClientFor } from '../sip/digest-client.js';
import type { Dialog } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { authenticate } from '../sip/request-in-dialog.js';
import { standAside } from './leaving-leg.js';
import { type Destination, destinationUri, policyFor, uriOf } from './policy.js';
import type { Outcome, Transfer } from './transfer.js';
import type { TransferDeps } from './transfer-deps.js';

export interface TargetCall {
  readonly document: NumberDocument;
  readonly route: OutboundRoute;
  readonly destination: Destination;
  /** Referred-By, and what the agent's variables become. */
  readonly headers: Readonly<Record<string, string>>;
  /** The offer for a server. Rejects if no media is available. */
  readonly offerFor: (server: TrunkServer) => Promise<string>;
}

/** Tries the target's servers in order. Undefined: the transfer has ended, also if no server answered. */
export async function callTarget(
  deps: TransferDeps,
  transfer: Transfer,
  { document, route, destination, headers, offerFor }: TargetCall,
): Promise<Dialog | undefined> {
  const { number } = document;
  const servers = destination.isOwnTrunk ? await deps.failover.order(number, route) : destination.servers;
  const { ringSeconds } = transfer.call.deps.settings.call;
  const redirects = new Redirects({
    document,
    route,
    policy: policyFor(transfer.call.state.direction, document),
    callee: destination.user,
    trunks: deps.trunks,
  });
  const following: Following = {
    attempt: async ({ server, uri }) => {
      const offer = await offerFor(server);
      if (transfer.isOver) return undefined;
      const from = `<sip:+${number}@localhost>`;
      const to = `<${uriOf(destination.user, server.host, undefined)}>`;
      return attempt(deps, transfer, server, {
        uri,
        offer,
        headers: { ...headers, From: from, To: to, 'P-Asserted-Identity': from },
      });
    },
    address: () => transfer.call.state.source.address,
    isOver: () => transfer.isOver,
    log: transfer.call.log,
  };
  const timer = setTimeout(() => giveUp(transfer, ringSeconds), ringSeconds * 1_000);
  try {
    const failure = await searchServers({
      number,
      servers,
      triggers: route.triggers,
      failover: deps.failover,
      log: transfer.call.log,
      milliseconds: ringSeconds * 1_000,
      isOver: () => transfer.isOver,
      offerFor,
      attempt: (server) =>
        callAndFollow(redirects, { server, uri: destinationUri(destination.user, server) }, following),
    });
    if (transfer.isOver) void transfer.endNewcomer(sipReason(487, 'Cancelled'));
    else if (failure !== undefined) transfer.finish(outcomeOf(failure.last));
    return transfer.isOver ? undefined : transfer.newcomer;
  } finally {
    clearTimeout(timer);
  }
}

interface Invitation {
  readonly uri: string;
  readonly offer: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Undefined: answered, and the transfer has its newcomer. */
async function attempt(
  { engine, secrets }: TransferDeps,
  transfer: Transfer,
  server: TrunkServer,
  { uri, offer, headers }: Invitation,
): Promise<AttemptFailure | undefined> {
  const { call } = transfer;
  const digest = digestClientFor(secrets, server.credential, call.state.organization);
  const attempt = new TrunkAttempt({
    engine,
    target: server,
    guard: call.deps.guardTarget,
    uri,
    headers,
    offer,
    digest: digest?.begin(),
    sessionSeconds: call.deps.settings.call.sessionExpiresSeconds,
    responseMilliseconds: call.deps.settings.call.trunkResponseMilliseconds,
    wasHeard: (sipCallId, sequence) => call.deps.traces.wasAnswered(sipCallId, sequence),
    trying: () => {},
    provisional: ({ status, reason }) => transfer.subscription?.tell({ status, reason }),
    answered: (dialog, answer) => {
      if (digest !== undefined) authenticate(dialog, digest);
      transfer.newcomer = dialog;
      transfer.newcomerAnswer = answer;
      standAside(dialog, () => transfer.newcomerLeft());
    },
  });
  transfer.attempt = attempt;
  transfer.newSipCallId = attempt.sipCallId;
  call.noteSipCallId(attempt.sipCallId);
  call.deps.traces.expect(call.state.id, attempt.sipCallId, 'trunk', 'edge');
  const failure = await attempt.run();
  transfer.attempt = undefined;
  return failure;
}

function giveUp(transfer: Transfer, ringSeconds: number): void {
  const { attempt: ringing } = transfer;
  const detail = `Not answered within ${ringSeconds} s.`;
  transfer.finish({ status: 'failed', reason: 'no_answer', sipStatus: 408, isOurs: true, detail });
  void ringing?.withdraw(sipReason(487, 'No answer'));
}

function outcomeOf({ status, reason, isOurs, hasRung, problem }: AttemptFailure): Outcome {
  const isSilence = status === 408 || (isOurs && hasRung);
  return {
    status: 'failed',
    reason: isSilence ? 'no_answer' : isOurs ? 'unreachable' : 'rejected',
    sipStatus: status,
    sipReason: reason,
    isOurs,
    detail: isOurs ? `The target did not answer: ${status} ${reason}`.trim() : problem,
  };
}
