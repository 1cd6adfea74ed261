import { options, refusedMethods, refuseMethod } from './call/options.js';
import type { EdgeParts } from './edge-parts.js';
import { accept } from './inbound/accept.js';
import { byeBeforeAck } from './inbound/bye-before-ack.js';
import { waitedSince } from './inbound/inbound-call.js';
import { acceptFromAgent } from './outbound/accept-from-agent.js';
import { AgentGate } from './outbound/agent-gate.js';
import { nameDefect } from './sip/dialog-name.js';
import { answerPrack } from './sip/early-requests.js';
import { refuseInvite } from './sip/refuse-invite.js';
import type { LoadShedder } from './sip/unread-invite.js';

/** Takes the requests outside of dialogs from now on: calls of trunks and agents, and what belongs to no call. */
export function handleRequests(parts: EdgeParts): void {
  const { engine, calls, inbound, outbound, sightings, table, settings, isDraining } = parts;
  const gate = new AgentGate(settings.agentCalls);
  engine.handle('invite', (request, response) => {
    const defect = nameDefect(request, (name) => table.hasDialogName(name) || engine.hasDialog(name));
    if (defect !== undefined) refuseInvite(response, defect);
    else if (gate.isAgent(request)) acceptFromAgent(outbound, request, response);
    else accept(inbound, request, response);
  });
  engine.shedder = loadShedder(parts);
  const isReady = (): boolean => !isDraining();
  engine.handle('options', (request, response) =>
    sightings.answered(request, { status: options(calls, isReady, request, response) }),
  );
  for (const method of refusedMethods) {
    engine.handle(method, (request, response) =>
      sightings.answered(request, { status: refuseMethod(request, response) }),
    );
  }
  engine.handle('prack', answerPrack);
  engine.handle('bye', (request, response) => byeBeforeAck(table, request, response));
  // INFO belongs to a session (RFC 6086 §4.2.2), and this one to none; unhandled it would be answered 503.
  engine.handle('info', (_request, response) => response.send(481, undefined, {}));
}

/** Refuses, in overload, callers' INVITEs whose turn would come too late. Such calls are counted, not recorded. */
const loadShedder = ({ admission, metrics }: EdgeParts): LoadShedder => ({
  get isShedding() {
    return admission.setups.isOverloaded;
  },
  refusal({ arrivedAt, ...invite }) {
    const refusal = admission.refuseUnread(invite, waitedSince(arrivedAt));
    if (refusal !== undefined) metrics.callRefused(refusal.endReason, refusal.status);
    return refusal;
  },
});
