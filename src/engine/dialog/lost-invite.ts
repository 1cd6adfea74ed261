import { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest } from '../../sip/message.js';
import type { Protocol } from '../transport/flow.js';
import { type Flow, TransportError } from '../transport/flow.js';
import type { Application } from './application.js';
import type { Environment } from './environment.js';
import { nextHopOf } from './route-set.js';
import { UacInvite } from './uac-invite.js';

/** An INVITE that an engine process before this one sent, and that the peer has responded to, but not finally. */
export interface LostInvite {
  readonly uri: string;
  /** As the peer has it: its branch names the transaction. */
  readonly via: string;
  readonly routes: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly sequence: number;
  /** Where the peer's responses came from. */
  readonly flow: { readonly protocol: Protocol; readonly address: string; readonly port: number };
  /** SIP URI that the INVITE was sent to; its host is the name in the peer's certificate. */
  readonly nextHop: string;
}

/**
 * CANCEL for an INVITE whose engine is gone, or the phone rings until its user gives up. A 2xx that crosses it is acknowledged and
 * ended. A peer that cannot be reached at that address gets nothing.
 */
export function cancelLostInvite(
  environment: Environment,
  application: Application,
  lost: LostInvite,
  reason: string,
): void {
  const hop = nextHopOf(lost.nextHop);
  const serverName = hop?.serverName ?? hop?.host ?? lost.flow.address;
  const invite = inviteOf(lost);
  const cancel = (flow: Flow): void => {
    const outgoing = new UacInvite(environment, application, '');
    outgoing.takeUp(invite);
    environment.transactions.cancelLost(invite, flow, [['Reason', reason]], (received) =>
      outgoing.lateSuccess(received),
    );
  };
  const unreachable = (error: unknown): void => {
    if (!(error instanceof TransportError)) throw error;
  };
  try {
    const { protocol, address, port } = lost.flow;
    const { transport } = environment;
    const flow =
      transport.openFlow(protocol, address, port) ?? transport.connect({ ...lost.flow, serverName });
    if (flow instanceof Promise) flow.then(cancel, unreachable);
    else cancel(flow);
  } catch (error) {
    unreachable(error);
  }
}

function inviteOf({ uri, via, routes, from, to, callId, sequence }: LostInvite): SipRequest {
  const headers = new Headers().add('Via', via);
  for (const route of routes) headers.add('Route', route);
  headers.add('Max-Forwards', '70').add('From', from).add('To', to);
  headers.add('Call-ID', callId).add('CSeq', `${sequence} INVITE`);
  return newRequest('INVITE', uri, headers);
}
