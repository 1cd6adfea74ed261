import type { Dialog } from '../call/engine-link.js';
import { fail } from '../call/fail.js';
import { trunkHeadersOf } from '../call/header-mapping.js';
import { attachInDialog } from '../call/in-dialog.js';
import { sipReason } from '../call/reason.js';
import { sdpOf } from '../call/sip-body.js';
import type { AgentSide } from './agent-side.js';
import { DigestClient } from './digest-client.js';
import type { OutboundCall } from './outbound-call.js';
import type { OutboundParts } from './place-call.js';
import {
  type AttemptFailure,
  type OutboundRoute,
  requestUri,
  type TrunkTarget,
  triggerOf,
} from './targets.js';
import { TrunkAttempt } from './trunk-attempt.js';

/** A living server answers 100 at once; two dead ones leave the third its time to ring. */
const responseMilliseconds = 4_000;

/** Offers the agent's media to the trunk's servers, one after the other, until somebody or something has answered. */
export async function callTrunk(
  parts: OutboundParts,
  call: OutboundCall,
  route: OutboundRoute,
  agent: AgentSide,
): Promise<void> {
  const { ringSeconds } = call.parts.settings.call;
  call.setDeadline(ringSeconds, () => notAnswered(call, ringSeconds));
  call.state.descriptions.agent.remote = agent.offer;
  const offer = await call.media!.offer('agent', agent.offer);
  const credential = openCredential(parts, route);
  const headers = {
    ...trunkHeadersOf(route.mappings, (name) => agent.header(name)),
    From: call.state.from,
    To: call.state.to,
    'P-Asserted-Identity': call.state.from,
  };
  const failures: string[] = [];
  for (const [index, target] of route.targets.entries()) {
    if (call.hasEnded) return;
    const failure = await attempt(call, target, { offer, headers, agent, credential });
    if (failure === undefined) parts.answeredBy(target);
    if (failure === undefined || call.hasEnded) return;
    failures.push(described(target, failure));
    call.noteStatus(failure.status, failure.reason === '' ? undefined : failure.reason);
    const trigger = triggerOf(failure);
    const isLast = index === route.targets.length - 1;
    if (isLast || trigger === undefined || !route.triggers.has(trigger)) {
      refusedByTrunk(call, failure, failures);
      return;
    }
    call.log.warn({ failure: failures.at(-1), trigger }, 'The call goes to the next server.');
  }
}

interface Offering {
  readonly offer: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: AgentSide;
  readonly credential: { username: string; password: string } | undefined;
}

async function attempt(
  call: OutboundCall,
  target: TrunkTarget,
  { offer, headers, agent, credential }: Offering,
): Promise<AttemptFailure | undefined> {
  const { state, parts } = call;
  const uri = requestUri(target, call.command.phone_number);
  const one = new TrunkAttempt({
    engine: parts.engine,
    target,
    uri,
    headers,
    offer,
    digest: credential === undefined ? undefined : new DigestClient(credential),
    responseMilliseconds,
    provisional: (response) => {
      if (state.ringingAt === null) {
        state.ringingAt = Date.now();
        call.report('ringing');
      }
      agent.provisional(response);
    },
    answered: (dialog) => {
      call.attempt = undefined;
      state.source = one.source;
      answered(call, dialog, agent);
    },
  });
  if (state.trunkSipCallId !== '') state.earlierTrunkSipCallIds.push(state.trunkSipCallId);
  state.trunkSipCallId = one.sipCallId;
  state.source = one.source;
  state.descriptions.trunk.local = offer;
  parts.traces.expect(one.sipCallId, 'trunk', 'edge');
  call.attempt = one;
  call.report('dialling');
  const failure = await one.run();
  state.source = one.source;
  if (failure !== undefined && !call.hasEnded) call.attempt = undefined;
  return failure;
}

/** In the turn of the trunk's 200, which the library has acknowledged: then the agent gets its answer. */
function answered(call: OutboundCall, dialog: Dialog, agent: AgentSide): void {
  const { state, parts } = call;
  call.clearDeadline();
  agent.answered();
  call.setDialog('trunk', dialog);
  attachInDialog(call, 'trunk', dialog);
  call.noteStatus(200);
  call.acknowledged.resolve();
  state.answeredAt = Date.now();
  parts.metrics.callAnswered((state.answeredAt - state.startedAt) / 1_000);
  call.report('answered');
  agent.join(sdpOf(dialog.res)).catch((error: unknown) => fail(call, error));
}

/** Throws `SecretError` when the password was sealed with a key that this edge does not have. */
function openCredential({ secrets }: OutboundParts, { credential }: OutboundRoute) {
  if (credential === undefined) return undefined;
  return { username: credential.username, password: secrets.open(credential.password) };
}

const described = ({ host, port, transport }: TrunkTarget, failure: AttemptFailure): string =>
  `${host}${port === undefined ? '' : `:${port}`} ${transport}: ${failure.status} ${failure.reason}${failure.isOurs ? ' (no answer of its own)' : ''}`;

function refusedByTrunk(call: OutboundCall, failure: AttemptFailure, failures: readonly string[]): void {
  const reason = failure.isOurs
    ? failure.hasRung
      ? 'trunk_no_answer'
      : 'trunk_unreachable'
    : failure.status === 408
      ? 'trunk_no_answer'
      : 'trunk_refused';
  call.end(
    { reason, by: failure.isOurs ? 'edge' : 'callee', detail: failures.join('; ').slice(0, 1_000) },
    { reason: sipReason(failure.status, failure.reason) },
  );
}

function notAnswered(call: OutboundCall, ringSeconds: number): void {
  call.end(
    { reason: 'trunk_no_answer', by: 'edge', detail: `Nobody answered within ${ringSeconds} s.` },
    { reason: sipReason(487, 'No answer') },
  );
}
