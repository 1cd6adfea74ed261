import { tagOf } from '../../sip/address.js';
import {
  type Flow,
  type Listener,
  type Protocol,
  type Transport,
  TransportError,
} from '../transport/flow.js';
import type { Application } from './application.js';
import { Dialog, dialogIdOf, type UnacknowledgedSuccess } from './dialog.js';
import type { Environment } from './environment.js';
import { advertisedHostPort } from './local-contact.js';
import { substituteLocalHost } from './local-host.js';
import { resumeSession } from './session-timer.js';

/** What makes up a confirmed session dialog (RFC 3261 §12), as an application knows it from its own messages. */
export interface RestoredDialog {
  readonly role: 'uas' | 'uac';
  readonly callId: string;
  /** From and To of our requests, with their tags. */
  readonly localParty: string;
  readonly remoteParty: string;
  readonly routeSet: readonly string[];
  /** URI of the peer's Contact. */
  readonly remoteTarget: string;
  /** Our Contact, as a header value; the host `localhost` becomes that of the listener through which the peer is reached. */
  readonly localContact: string;
  /** CSeq numbers that may have been used already; gaps are legal (§12.2.2). */
  readonly localSequence: number;
  readonly remoteSequence: number | undefined;
  /** Where the peer's messages came from. */
  readonly flow: { readonly protocol: Protocol; readonly address: string; readonly port: number };
  /** SIP URI that leads to the peer while the connection is lost; undefined: `remoteTarget`. */
  readonly nextHop: string | undefined;
  /** RFC 4028; seconds. */
  readonly session: { readonly interval: number; readonly isOursToRefresh: boolean } | undefined;
  readonly peerAllowsUpdate: boolean;
  /** Our last description, for session refreshes by re-INVITE. */
  readonly localSdp: string | undefined;
  /** CSeq of our INVITE whose 2xx was not acknowledged: for a dialog that is to be ended. */
  readonly unacknowledged?: number | undefined;
}

/**
 * Rebuilds a dialog of an engine that is gone. Returns a text when it cannot be: a dialog of that name or identity exists, or
 * there is no listener that could reach the peer.
 */
export function restoreDialog(
  environment: Environment,
  application: Application,
  data: RestoredDialog,
): Dialog | string {
  const localTag = tagOf(data.localParty);
  // RFC 3261 §12.1.1: a peer of RFC 2543 has none, which counts as empty.
  const remoteTag = tagOf(data.remoteParty) ?? '';
  if (localTag === undefined) return 'our tag is missing';
  const id = dialogIdOf(data.callId, data.role === 'uas' ? remoteTag : localTag);
  const { dialogs, transport } = environment;
  if (dialogs.named(id) !== undefined || dialogs.find(data.callId, localTag, remoteTag) !== undefined)
    return 'dialog exists';
  const flow = flowTo(transport, data.flow);
  if (flow === undefined) return 'no listener for its transport';
  const dialog = new Dialog({
    ...data,
    localContact: substituteLocalHost(data.localContact, advertisedHostPort(flow.listener)),
    id,
    usage: 'session',
    application,
    localTag,
    remoteTag,
    flow,
  });
  dialog.isConfirmed = true;
  dialog.isKept = true;
  dialog.peerAllowsUpdate = data.peerAllowsUpdate;
  dialog.localSdp = data.localSdp;
  dialog.detour = data.nextHop;
  if (data.unacknowledged !== undefined) dialog.unacknowledged = owedAck(data.unacknowledged);
  dialogs.add(dialog);
  if (data.session !== undefined) resumeSession(environment, dialog, { ...data.session, headers: [] });
  return dialog;
}

const owedAck = (sequence: number): UnacknowledgedSuccess => ({
  sequence,
  credentials: [],
  timer: { cancel: () => {} },
  isInitial: true,
  owesAnswer: false,
  acknowledged: () => {},
});

/** The open connection of the peer, a datagram path to it, or the memory of a connection that is lost. */
function flowTo(transport: Transport, { protocol, address, port }: RestoredDialog['flow']): Flow | undefined {
  const open = transport.openFlow(protocol, address, port);
  if (open !== undefined) return open;
  const listener =
    transport.listenerFor(protocol, address) ??
    transport.listeners.find((candidate) => candidate.protocol === protocol);
  if (listener === undefined) return undefined;
  if (protocol === 'udp') {
    try {
      const flow = transport.connect({ protocol, address, port, serverName: address });
      if (!(flow instanceof Promise)) return flow;
      flow.catch(() => undefined);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
    }
  }
  return new LostFlow(protocol, listener, address, port);
}

class LostFlow implements Flow {
  readonly id = 'lost';
  readonly isOpen = false;

  constructor(
    readonly protocol: Protocol,
    readonly listener: Listener,
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {}

  get localAddress(): string {
    return this.listener.address;
  }

  get localPort(): number {
    return this.listener.port;
  }
}
