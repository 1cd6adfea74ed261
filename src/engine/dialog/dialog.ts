import { parseAddress, tagOf, withTag } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import { detached } from '../../sip/detached.js';
import type { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest, type SipResponse } from '../../sip/message.js';
import { parseUri } from '../../sip/uri.js';
import type { Timer } from '../clock.js';
import type { SentAck } from '../transaction/transaction.js';
import { type Flow, isReliable } from '../transport/flow.js';
import type { Trust } from '../transport/trust.js';
import type { Application, ApplicationMessage } from './application.js';
import { composeHeaders, contactsOf } from './compose.js';
import { type Routing, routeRequest, routeSetOf } from './route-set.js';

/** A sent 2xx that waits for its ACK. */
export interface AwaitedAck {
  readonly sequence: number;
  /**
   * The transaction id under which the ACK is delivered: the INVITE's for the first one of a dialog, else a fresh one (wire
   * protocol §5.2).
   */
  readonly transactionId: string;
  stop(): void;
}

/** A 2xx of the peer that the application has not acknowledged yet. */
export interface UnacknowledgedSuccess {
  readonly sequence: number;
  /** Authorization and Proxy-Authorization of the INVITE, which its ACK repeats (RFC 3261 §22.1). */
  readonly credentials: readonly (readonly [string, string])[];
  readonly timer: Timer;
  /** The 2xx established the dialog; else it is to a re-INVITE. */
  readonly isInitial: boolean;
  /** Our INVITE had no offer, so the ACK must bring the answer. */
  readonly owesAnswer: boolean;
  /** Called once the ACK went out. */
  acknowledged(): void;
}

/** An INVITE in progress within the dialog. */
export interface OpenInvite {
  /** The dialog ends first: all pending requests get a final response. */
  dialogEnded(): void;
}

interface DialogState {
  readonly id: string;
  readonly role: 'uas' | 'uac';
  readonly usage: 'session' | 'subscription';
  readonly application: Application;
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly localParty: string;
  readonly remoteParty: string;
  readonly localSequence: number;
  readonly remoteSequence: number | undefined;
  readonly routeSet: readonly string[];
  readonly remoteTarget: string;
  readonly localContact: string;
  readonly flow: Flow;
}

const methodsWithContact: ReadonlySet<string> = new Set(['INVITE', 'SUBSCRIBE', 'REFER', 'UPDATE', 'NOTIFY']);

/** `<Call-ID>;from-tag=<tag>`: how applications name a dialog (wire protocol §5.4). */
export const dialogIdOf = (callId: string, fromTag: string): string => `${callId};from-tag=${fromTag}`;

/** One dialog, RFC 3261 §12: identity, sequence numbers, route set, target, and the pending transactions of both sides. */
export class Dialog {
  readonly id: string;
  readonly role: 'uas' | 'uac';
  readonly usage: 'session' | 'subscription';
  /** Changes only when another application adopts the dialog. */
  application: Application;
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From and To of our requests, tags included. */
  readonly localParty: string;
  readonly remoteParty: string;
  localContact: string;
  remoteTarget: string;
  /** Flow of the peer's last message. */
  flow: Flow;
  isConfirmed = false;
  isEnded = false;
  /** The application has marked it: it outlives the application's connection. */
  isKept = false;
  /** The application has sent BYE. */
  isEnding = false;
  /** True when the peer's Allow has named UPDATE; false when it lacked it, or an UPDATE was refused. */
  peerAllowsUpdate = false;
  /** Our last offer or answer, for session refreshes. */
  localSdp: string | undefined;
  awaitedAck: AwaitedAck | undefined;
  unacknowledged: UnacknowledgedSuccess | undefined;
  /** The last ACK, to answer repeated 2xx. */
  keptAck: { readonly sequence: number; readonly sent: SentAck } | undefined;
  peerInvite: OpenInvite | undefined;
  ownInvite: OpenInvite | undefined;
  /** An UPDATE from the peer waits for the application; an offer that we sent in an UPDATE, for the peer. */
  hasOpenUpdate = false;
  hasOpenOffer = false;
  /** Whose TLS certificates count when a new connection to the peer is opened. */
  trust: Trust | undefined;
  /** Of a restored dialog: SIP URI that leads to the peer while there is no connection to it. */
  detour: string | undefined;
  /** RSeq of the last reliable provisional response of the peer. */
  lastReliable: number | undefined;
  /** Timers: session timer, lifetime of a subscription. */
  timers: Timer[] = [];

  private localSequence: number;
  private remoteSequence: number | undefined;
  private routes: readonly string[];

  constructor(state: DialogState) {
    // Dialogs outlive the messages that form them by hours: none of those may stay in memory.
    this.id = detached(state.id);
    this.role = state.role;
    this.usage = state.usage;
    this.application = state.application;
    this.callId = detached(state.callId);
    this.localTag = detached(state.localTag);
    this.remoteTag = detached(state.remoteTag);
    this.localParty = detached(state.localParty);
    this.remoteParty = detached(state.remoteParty);
    this.localContact = detached(state.localContact);
    this.remoteTarget = detached(state.remoteTarget);
    this.flow = state.flow;
    this.localSequence = state.localSequence;
    this.remoteSequence = state.remoteSequence;
    this.routes = state.routeSet.map(detached);
  }

  /** The dialog that a response with our tag forms (§12.1.1). */
  static forServer(
    request: SipRequest,
    flow: Flow,
    application: Application,
    local: { tag: string; contact: string },
  ): Dialog {
    const { headers } = request;
    const from = headers.get('From') ?? '';
    const to = headers.get('To') ?? '';
    const callId = headers.get('Call-ID') ?? '';
    const remoteTag = tagOf(from) ?? '';
    const sequence = parseCSeq(headers.get('CSeq') ?? '')?.number ?? 0;
    const dialog = new Dialog({
      id: dialogIdOf(callId, remoteTag),
      role: 'uas',
      usage: request.method === 'INVITE' ? 'session' : 'subscription',
      application,
      callId,
      localTag: local.tag,
      remoteTag,
      localParty: withTag(to, local.tag),
      remoteParty: from,
      localSequence: sequence,
      remoteSequence: sequence,
      routeSet: routeSetOf(headers, 'uas'),
      remoteTarget: contactUri(headers) ?? sourceUri(flow),
      localContact: local.contact,
      flow,
    });
    dialog.learnMethods(headers);
    return dialog;
  }

  /** The dialog that a tagged response to our request forms (§12.1.2), or a NOTIFY that overtakes it (RFC 6665 §4.4.1). */
  static forClient(
    request: SipRequest,
    formedBy: SipResponse | SipRequest,
    flow: Flow,
    application: Application,
  ): Dialog {
    const { headers } = request;
    const from = headers.get('From') ?? '';
    const callId = headers.get('Call-ID') ?? '';
    const localTag = tagOf(from) ?? '';
    const remoteParty = formedBy.headers.get(formedBy.kind === 'response' ? 'To' : 'From') ?? '';
    const contact = headers.get('Contact');
    const dialog = new Dialog({
      id: dialogIdOf(callId, localTag),
      role: 'uac',
      usage: request.method === 'INVITE' ? 'session' : 'subscription',
      application,
      callId,
      localTag,
      remoteTag: tagOf(remoteParty) ?? '',
      localParty: from,
      remoteParty,
      localSequence: parseCSeq(headers.get('CSeq') ?? '')?.number ?? 0,
      remoteSequence: undefined,
      routeSet: routeSetOf(formedBy.headers, formedBy.kind === 'response' ? 'uac' : 'uas'),
      remoteTarget: contactUri(formedBy.headers) ?? sourceUri(flow),
      localContact: contact ?? '',
      flow,
    });
    dialog.learnMethods(formedBy.headers);
    return dialog;
  }

  get routeSet(): readonly string[] {
    return this.routes;
  }

  get lastLocalSequence(): number {
    return this.localSequence;
  }

  get lastRemoteSequence(): number | undefined {
    return this.remoteSequence;
  }

  /** A UAC takes a new route set from the 2xx (§13.2.2.4). */
  adoptRoutes(response: SipResponse): void {
    this.routes = routeSetOf(response.headers, 'uac').map(detached);
  }

  /** True when the request is in order; false when its number was overtaken (§12.2.2: 500). */
  acceptSequence(number: number): boolean {
    if (this.remoteSequence !== undefined && number <= this.remoteSequence) return false;
    this.remoteSequence = number;
    return true;
  }

  /** Target refresh (§12.2): a new Contact, and the path on which it came. */
  refreshTarget(headers: Headers, flow: Flow): void {
    const target = contactUri(headers);
    if (target !== undefined) this.remoteTarget = detached(target);
    this.flow = flow;
    this.learnMethods(headers);
  }

  /** While the connection to the peer is lost, the one over which it sends a request leads back to it, whatever we answer. */
  heardOver(flow: Flow): void {
    if (!this.flow.isOpen && isReliable(flow.protocol)) this.flow = flow;
  }

  /** The methods that the peer allows (RFC 3261 §20.5); a message without Allow changes nothing. */
  private learnMethods(headers: Headers): void {
    if (!headers.has('Allow')) return;
    this.peerAllowsUpdate = headers.list('Allow').some((method) => method.toUpperCase() === 'UPDATE');
  }

  routing(): Routing {
    return routeRequest(this.remoteTarget, this.routes);
  }

  /**
   * A better path than the Contact: the peer's open connection, or, when a literal Contact address differs from the source
   * of the peer's datagrams, that source (wire protocol §11.3).
   */
  preferredFlow(): Flow | undefined {
    const { flow } = this;
    if (this.routes.length > 0) return this.leadsToFirstRoute(flow) ? flow : undefined;
    if (flow.protocol !== 'udp') return flow.isOpen ? flow : undefined;
    const uri = parseUri(this.remoteTarget);
    if (uri?.kind !== 'sip' || !isAddressLiteral(uri.host)) return undefined;
    return uri.host === flow.remoteAddress ? undefined : flow;
  }

  private leadsToFirstRoute(flow: Flow): boolean {
    if (flow.protocol === 'udp' || !flow.isOpen) return false;
    if (this.role === 'uas') return true;
    const uri = parseUri(this.routing().nextHopUri);
    return uri?.kind === 'sip' && uri.host === flow.remoteAddress;
  }

  /** A request within the dialog; everything that identifies it is the dialog's (§12.2.1.1). */
  newRequest(
    method: string,
    application: ApplicationMessage,
    hostPort: string,
    contentType: string | undefined,
    additional: readonly (readonly [string, string])[] = [],
    sequence = this.nextSequence(method),
  ): SipRequest {
    const routing = this.routing();
    let contacts = contactsOf(application, hostPort);
    if (contacts.length > 0 && methodsWithContact.has(method)) this.localContact = detached(contacts[0]!);
    else if (contacts.length === 0 && methodsWithContact.has(method)) contacts = [this.localContact];
    const headers = composeHeaders(
      {
        routes: routing.routes,
        maxForwards: application.maxForwards ?? '70',
        from: this.localParty,
        to: this.remoteParty,
        callId: this.callId,
        cseq: `${sequence} ${method}`,
        contacts,
      },
      application,
      hostPort,
      contentType,
      additional,
    );
    return newRequest(method, routing.requestUri, headers, application.body);
  }

  /** A request by the engine itself, without body. */
  newPlainRequest(method: string, additional: readonly (readonly [string, string])[] = []): SipRequest {
    return this.newRequest(method, nothing, '', undefined, additional);
  }

  private nextSequence(method: string): number {
    if (method === 'ACK') return this.localSequence;
    this.localSequence += 1;
    return this.localSequence;
  }
}

const nothing: ApplicationMessage = {
  method: '',
  uri: '',
  status: 0,
  reason: '',
  from: undefined,
  to: undefined,
  callId: undefined,
  cseq: undefined,
  maxForwards: undefined,
  contentType: undefined,
  trust: undefined,
  keep: undefined,
  contacts: [],
  known: [],
  unknown: [],
  body: '',
};

/** An application message that is empty or has only a body. */
export function engineMessage(body = '', contentType?: string): ApplicationMessage {
  return { ...nothing, body, ...(contentType === undefined ? {} : { contentType }) };
}

/** The URI of the first Contact. */
export function contactUri(headers: Headers): string | undefined {
  const value = headers.get('Contact');
  if (value === undefined) return undefined;
  const first = value.includes(',') ? headers.list('Contact')[0] : value;
  return first === undefined ? undefined : parseAddress(first)?.uri;
}

/** Replaces a missing Contact. */
function sourceUri(flow: Flow): string {
  const host = flow.remoteAddress.includes(':') ? `[${flow.remoteAddress}]` : flow.remoteAddress;
  return `sip:${host}:${flow.remotePort}${flow.protocol === 'udp' ? '' : `;transport=${flow.protocol}`}`;
}

function isAddressLiteral(host: string): boolean {
  if (host.includes(':')) return true;
  const last = host.charCodeAt(host.length - 1);
  // A host name's last label never ends in a digit (RFC 3261 §25.1, toplabel).
  return last >= 48 && last <= 57;
}
