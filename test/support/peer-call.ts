import { randomBytes } from 'node:crypto';
import { parseAddress, tagOf, withTag } from '../../src/sip/address.js';
import { parseCSeq } from '../../src/sip/cseq.js';
import { Headers } from '../../src/sip/headers.js';
import {
  fromText,
  newRequest,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../src/sip/message.js';
import { respondTo } from '../../src/sip/response.js';
import { formatHostPort } from '../../src/sip/uri.js';
import type { Arrival, Route, SipPeer } from '../../src/testkit/sip-peer.js';

export interface MessageOptions {
  /** Extra header lines, or replacements of generated ones; null leaves the generated one out. Ordinary text. */
  readonly headers?: Readonly<Record<string, string | null | readonly string[]>>;
  /** Ordinary text; an SDP body gets its Content-Type automatically. */
  readonly body?: string;
  readonly branch?: string;
  readonly cseq?: number;
  /** Send it over this instead of the peer's own connection. */
  readonly route?: Route;
  readonly uri?: string;
}

export const newToken = (): string => randomBytes(8).toString('hex');
export const newBranch = (): string => `z9hG4bK${newToken()}`;

/** A minimal offer or answer of one audio stream; `session` distinguishes two of them. */
export function sdp(session = '1', host = '127.0.0.1', port = 40_000): string {
  return (
    `v=0\r\no=peer ${session} 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\n` +
    `m=audio ${port} RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n`
  );
}

/**
 * One side of a call (or of a stand-alone request) at a scripted peer: it keeps what RFC 3261 §12 has a dialog keep, so
 * that a test can say "BYE" and get a correct one, or override any part to get a wrong one.
 */
export class PeerCall {
  callId: string = `${newToken()}@peer.example`;
  /** Empty: none, as in RFC 2543. */
  localTag: string = newToken();
  remoteTag: string | undefined;
  localUri: string;
  remoteUri: string;
  /** Where requests are addressed: the Contact of the far side once known. */
  target: string;
  routes: string[] = [];
  cseq = 0;
  /** The INVITE last sent or received. */
  invitation: SipRequest | undefined;
  private isCaller = true;

  private constructor(
    readonly peer: SipPeer,
    to: string,
  ) {
    this.localUri = `sip:alice@${formatHostPort(peer.host, peer.port)}`;
    this.remoteUri = to;
    this.target = to;
  }

  /** A call that the peer begins. */
  static to(peer: SipPeer, user = 'bob'): PeerCall {
    return new PeerCall(
      peer,
      `sip:${user}@${formatHostPort(peer.target.host, peer.target.port)}${peer.transportParameter}`,
    );
  }

  /** The peer's side of a call that the engine begins. */
  static from(peer: SipPeer, invite: SipRequest): PeerCall {
    const call = new PeerCall(peer, addressUri(invite.headers.get('From')));
    call.isCaller = false;
    call.callId = invite.headers.get('Call-ID') ?? '';
    call.remoteTag = tagOf(invite.headers.get('From') ?? '');
    call.localUri = addressUri(invite.headers.get('To'));
    call.target = addressUri(invite.headers.get('Contact'));
    call.routes = invite.headers.list('Record-Route');
    call.invitation = invite;
    call.cseq = 100;
    return call;
  }

  /** The dialog id of the wire protocol §5.4. */
  get dialogId(): string {
    return `${this.callId};from-tag=${this.isCaller ? this.localTag : this.remoteTag}`;
  }

  get contact(): string {
    return `<${this.peer.uri('alice')}>`;
  }

  /** Builds a request of this call without sending it. */
  build(method: string, options: MessageOptions = {}): SipRequest {
    const isAnswer = method === 'ACK' || method === 'CANCEL';
    if (!isAnswer && options.cseq === undefined) this.cseq += 1;
    const number = options.cseq ?? this.cseq;
    const from = this.localTag === '' ? `<${this.localUri}>` : withTag(`<${this.localUri}>`, this.localTag);
    const to =
      this.remoteTag === undefined ? `<${this.remoteUri}>` : withTag(`<${this.remoteUri}>`, this.remoteTag);
    const headers = Headers.from([
      ['Via', this.peer.via(options.branch ?? newBranch())],
      ['Max-Forwards', '70'],
      ...this.routes.map((route): [string, string] => ['Route', route]),
      ['From', from],
      ['To', to],
      ['Call-ID', this.callId],
      ['CSeq', `${number} ${method}`],
    ]);
    if (['INVITE', 'SUBSCRIBE', 'UPDATE', 'REFER'].includes(method)) headers.add('Contact', this.contact);
    return finished(newRequest(method, options.uri ?? this.target, headers), options);
  }

  async send(method: string, options: MessageOptions = {}): Promise<SipRequest> {
    const request = this.build(method, options);
    if (method === 'INVITE') this.invitation = request;
    await this.peer.send(request, options.route);
    return request;
  }

  /** Sends an INVITE, by default with an offer. */
  invite(options: MessageOptions = {}): Promise<SipRequest> {
    return this.send('INVITE', { body: sdp(), ...options });
  }

  /** Takes tag, target and route set from a response that forms the dialog, or refreshes the target. */
  learn(response: SipResponse): void {
    this.remoteTag = tagOf(response.headers.get('To') ?? '') ?? this.remoteTag;
    const contact = response.headers.get('Contact');
    if (contact !== undefined) this.target = addressUri(contact);
    const recorded = response.headers.list('Record-Route');
    if (recorded.length > 0 && this.routes.length === 0) this.routes = recorded.reverse();
  }

  /** Waits for a response in this call. */
  async response(
    status: number | ((status: number) => boolean),
    method = 'INVITE',
    milliseconds = 5_000,
  ): Promise<Arrival<SipResponse>> {
    const arrival = await this.peer.expectResponse(status, { method, callId: this.callId, milliseconds });
    if (method === 'INVITE' && arrival.message.status > 100) this.learn(arrival.message);
    return arrival;
  }

  /** Acknowledges a final response: a 2xx by a separate request, others within the transaction (RFC 3261 §17.1.1.3). */
  async ack(response: SipResponse, options: MessageOptions = {}): Promise<SipRequest> {
    const number = parseCSeq(response.headers.get('CSeq') ?? '')?.number ?? this.cseq;
    if (response.status < 300) return this.send('ACK', { cseq: number, ...options });
    const invite = this.invitation!;
    const ack = this.build('ACK', { cseq: number, uri: invite.uri, ...options });
    ack.headers.set('Via', invite.headers.get('Via')!);
    ack.headers.set('To', response.headers.get('To')!);
    await this.peer.send(ack, options.route);
    return ack;
  }

  async cancel(options: MessageOptions = {}): Promise<SipRequest> {
    const invite = this.invitation!;
    const cancel = this.build('CANCEL', {
      cseq: parseCSeq(invite.headers.get('CSeq') ?? '')?.number ?? 0,
      uri: invite.uri,
      ...options,
    });
    cancel.headers.set('Via', invite.headers.get('Via')!);
    cancel.headers.set('To', invite.headers.get('To')!);
    await this.peer.send(cancel, options.route);
    return cancel;
  }

  /** Sends BYE and waits for its 200. */
  async hangUp(): Promise<void> {
    await this.send('BYE');
    await this.response(200, 'BYE');
  }

  /** Answers a request of this call over the route it came on. */
  async respond(
    arrival: Arrival<SipRequest>,
    status: number,
    options: MessageOptions & { reason?: string; tag?: string | null } = {},
  ): Promise<SipResponse> {
    const { message } = arrival;
    const isTagged = tagOf(message.headers.get('To') ?? '') !== undefined;
    const tag = options.tag === undefined ? this.localTag : options.tag;
    const response = respondTo(message, status, {
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(isTagged || tag === null || status === 100 ? {} : { toTag: tag }),
    });
    const formsDialog = ['INVITE', 'SUBSCRIBE', 'UPDATE', 'REFER'].includes(message.method);
    if (formsDialog && status > 100 && status < 300) response.headers.add('Contact', this.contact);
    await this.peer.send(finished(response, options), options.route ?? arrival.route);
    return response;
  }
}

function addressUri(value: string | undefined): string {
  return parseAddress(value ?? '')?.uri ?? '';
}

function finished<M extends SipMessage>(message: M, options: MessageOptions): M {
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    message.headers.remove(name);
    if (value === null) continue;
    for (const line of typeof value === 'string' ? [value] : value) message.headers.add(name, fromText(line));
  }
  if (options.body !== undefined) {
    message.body = fromText(options.body);
    const type = options.headers?.['Content-Type'];
    if (type === undefined && options.body.startsWith('v=0')) {
      message.headers.set('Content-Type', 'application/sdp');
    }
  }
  return message;
}
