import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { testRefusalHeader } from '../contract/test-grant.js';
import type { VoiceCallTarget } from '../contract/voice-call.js';
import { parseAddress, tagOf } from '../sip/address.js';
import { parseCSeq } from '../sip/cseq.js';
import { Headers } from '../sip/headers.js';
import { newRequest, type SipMessage, type SipRequest, type SipResponse } from '../sip/message.js';
import { respondTo } from '../sip/response.js';
import { formatHostPort } from '../sip/uri.js';
import { Connection } from './connection.js';

export interface Invitation {
  readonly target: VoiceCallTarget;
  /** User of the Request-URI and To. */
  readonly number: string;
  /** Of the Request-URI, with their semicolons. */
  readonly uriParameters: string;
  /** URI in From. */
  readonly from: (localAddress: string) => string;
  readonly callId: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface DialogEvents {
  readonly answered: (sdp: string) => void;
  /** A final response of 300 and above; `text` is its Warning or Reason, `byEdge` the `EndReason` of a refusal by the edge itself. */
  readonly refused: (
    status: number,
    reason: string,
    details: { readonly text: string | undefined; readonly byEdge: string | undefined },
  ) => void;
  /** BYE of the peer; `reason` is its Reason (RFC 3326). */
  readonly ended: (reason: string | undefined) => void;
  /** The answer to an offer during the call; undefined: 488. With `sdp` undefined: the client's offer. */
  readonly modify: (sdp: string | undefined) => string | undefined;
  /** The connection to the edge failed. */
  readonly failed: (why: string) => void;
}

const allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, NOTIFY';
/** Time for the final response to a re-INVITE. */
const changeMilliseconds = 10_000;
/** After so many 491 the session stays as it is. */
const glareAttempts = 4;
/** Time for the response to BYE or CANCEL, before the connection closes. */
const lingerMilliseconds = 1_000;
/** The answer to our offer, or the status that refused it. */
export type ChangeAnswer = string | { readonly status: number };

interface Change {
  readonly cseq: number;
  readonly branch: string;
  readonly settle: (answer: ChangeAnswer) => void;
}

const token = (): string => randomBytes(8).toString('hex');

/**
 * The client's side of one INVITE dialog over a separate stream (RFC 3261 §12, §13, §15): the stream repeats nothing and
 * loses nothing, so there is no retransmission but that of 2xx, which is acknowledged each time.
 */
export class InviteDialog {
  private readonly localTag = token();
  private readonly branch = `z9hG4bK${token()}`;
  private to: string;
  private remoteTarget: string;
  private routes: readonly string[] = [];
  private cseq = 1;
  private state: 'calling' | 'confirmed' | 'over' = 'calling';
  private isCancelled = false;
  private hasProvisional = false;
  private acknowledgement: SipRequest | undefined;
  /** Of our re-INVITE in progress. */
  private change: Change | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly invitation: Invitation,
    private readonly events: DialogEvents,
  ) {
    this.remoteTarget = this.firstTarget;
    this.to = this.calledParty;
  }

  /** Connects; rejects when the edge cannot be reached. */
  static async open(invitation: Invitation, events: DialogEvents): Promise<InviteDialog> {
    let dialog: InviteDialog | undefined;
    const connection = await Connection.open(invitation.target, {
      message: (message) => dialog?.receive(message),
      closed: (why) => dialog?.lost(why),
    });
    dialog = new InviteDialog(connection, invitation, events);
    return dialog;
  }

  /** Our address on the way to the edge, for the description. */
  get localAddress(): string {
    return this.connection.localAddress;
  }

  invite(sdp: string): void {
    const request = this.request('INVITE', this.cseq, this.branch);
    for (const [name, value] of Object.entries(this.invitation.headers)) request.headers.add(name, value);
    request.headers.add('Contact', this.contact).add('Allow', allow);
    request.headers.add('User-Agent', 'demarc-test-caller').add('Content-Type', 'application/sdp');
    request.body = sdp;
    this.connection.send(request);
  }

  /**
   * Changes the session (RFC 3261 §14.1). Resolves with the description of the answer, or with the status that refused it; after glare (491) it
   * tries again.
   */
  async reinvite(sdp: string): Promise<ChangeAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.offerOnce(sdp);
      if (typeof answer === 'string' || answer.status !== 491 || attempt === glareAttempts) return answer;
      // §14.1: the owner of the Call-ID waits 2.1 to 4 s.
      await sleep(2_100 + Math.random() * 1_900);
    }
  }

  private offerOnce(sdp: string): Promise<ChangeAnswer> {
    if (this.state !== 'confirmed') return Promise.resolve({ status: 481 });
    const cseq = ++this.cseq;
    const branch = `z9hG4bK${token()}`;
    const request = this.request('INVITE', cseq, branch);
    request.headers.add('Contact', this.contact).add('Allow', allow).add('Content-Type', 'application/sdp');
    request.body = sdp;
    return new Promise((resolve) => {
      const late = setTimeout(() => settle({ status: 408 }), changeMilliseconds);
      const settle = (answer: ChangeAnswer): void => {
        clearTimeout(late);
        this.change = undefined;
        resolve(answer);
      };
      this.change = { cseq, branch, settle };
      this.connection.send(request);
    });
  }

  /** BYE, or CANCEL before the answer. */
  hangUp(): void {
    if (this.state === 'confirmed') {
      this.over();
      this.connection.send(this.request('BYE', ++this.cseq));
    } else if (this.state === 'calling') {
      this.isCancelled = true;
      // RFC 3261 §9.1: not before a provisional response.
      if (this.hasProvisional) this.cancel();
      this.linger();
    }
  }

  private receive(message: SipMessage): void {
    if (message.headers.get('Call-ID') !== this.invitation.callId) return;
    if (message.kind === 'request') this.requested(message);
    else {
      const { method, number = 0 } = parseCSeq(message.headers.get('CSeq') ?? '') ?? {};
      if (method !== 'INVITE') return;
      if (number === 1) this.responded(message);
      else this.changed(message, number);
    }
  }

  private responded(response: SipResponse): void {
    const { status, headers } = response;
    if (status < 200) {
      if (!this.hasProvisional && this.isCancelled) this.cancel();
      this.hasProvisional = true;
      return;
    }
    this.to = headers.get('To') ?? this.to;
    if (status >= 300) {
      this.connection.send(this.request('ACK', 1, this.branch));
      if (this.state !== 'calling') return;
      this.over();
      if (!this.isCancelled)
        this.events.refused(status, response.reason, {
          text: headers.get('Warning') ?? headers.get('Reason'),
          byEdge: headers.get(testRefusalHeader),
        });
      return;
    }
    if (this.acknowledgement !== undefined) {
      this.connection.send(this.acknowledgement);
      return;
    }
    this.remoteTarget = parseAddress(headers.get('Contact') ?? '')?.uri ?? this.remoteTarget;
    this.routes = headers.list('Record-Route').reverse();
    this.acknowledgement = this.request('ACK', 1);
    this.connection.send(this.acknowledgement);
    this.state = 'confirmed';
    // Our CANCEL crossed the 200.
    if (this.isCancelled) this.hangUp();
    else this.events.answered(response.body);
  }

  /** A response to our re-INVITE. */
  private changed({ status, headers, body }: SipResponse, cseq: number): void {
    const { change } = this;
    if (status < 200) return;
    const isOurs = change?.cseq === cseq;
    if (status >= 300) {
      if (isOurs) {
        this.connection.send(this.request('ACK', cseq, change.branch));
        change.settle({ status });
      }
      return;
    }
    // A repeated 2xx is acknowledged each time.
    this.connection.send(this.request('ACK', cseq));
    this.remoteTarget = parseAddress(headers.get('Contact') ?? '')?.uri ?? this.remoteTarget;
    if (isOurs) change.settle(body);
  }

  private requested(request: SipRequest): void {
    const { method } = request;
    if (method === 'ACK') return;
    const answer = (status: number, body?: string): void => {
      const headers: [string, string][] = [];
      if (body !== undefined) headers.push(['Contact', this.contact], ['Content-Type', 'application/sdp']);
      if (status === 200) headers.push(['Allow', allow]);
      this.connection.send(respondTo(request, status, { headers, body: body ?? '', toTag: this.localTag }));
    };
    if (this.state !== 'confirmed' || tagOf(request.headers.get('To') ?? '') !== this.localTag) {
      answer(481);
    } else if (method === 'BYE') {
      answer(200);
      this.over();
      this.events.ended(request.headers.get('Reason'));
    } else if (method === 'INVITE' || method === 'UPDATE') {
      const hasOffer = request.body !== '';
      // RFC 3261 §14.2: our own offer is not answered yet.
      if (this.change !== undefined && method === 'INVITE') answer(491);
      else if (method === 'UPDATE' && !hasOffer) answer(200);
      else {
        const body = this.events.modify(hasOffer ? request.body : undefined);
        if (body === undefined) answer(488);
        else answer(200, body);
      }
    } else {
      answer(['OPTIONS', 'INFO', 'NOTIFY'].includes(method) ? 200 : method === 'REFER' ? 603 : 501);
    }
  }

  private cancel(): void {
    this.connection.send(this.request('CANCEL', 1, this.branch));
  }

  private request(method: string, cseq: number, branch = `z9hG4bK${token()}`): SipRequest {
    const { connection, invitation } = this;
    // An ACK to a refusal and a CANCEL go where the INVITE went.
    const uri = branch === this.branch ? this.firstTarget : this.remoteTarget;
    const headers = Headers.from([
      ['Via', `SIP/2.0/${connection.protocol.toUpperCase()} ${connection.local};branch=${branch};rport`],
      ['Max-Forwards', '70'],
      ['From', `<${invitation.from(connection.localAddress)}>;tag=${this.localTag}`],
      ['To', method === 'CANCEL' ? this.calledParty : this.to],
      ['Call-ID', invitation.callId],
      ['CSeq', `${cseq} ${method}`],
    ]);
    for (const route of branch === this.branch ? [] : this.routes) headers.add('Route', route);
    return newRequest(method, uri, headers);
  }

  private get firstTarget(): string {
    return this.called + this.invitation.uriParameters;
  }

  /** To of the INVITE. */
  private get calledParty(): string {
    return `<${this.called}>`;
  }

  private get called(): string {
    const { target, number } = this.invitation;
    return `sip:${number}@${formatHostPort(target.host, target.port)}`;
  }

  private get contact(): string {
    return `<sip:tester@${this.connection.local};transport=${this.connection.protocol}>`;
  }

  private lost(why: string): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.change?.settle({ status: 503 });
    this.events.failed(why);
  }

  private over(): void {
    this.state = 'over';
    this.change?.settle({ status: 481 });
    this.linger();
  }

  private linger(): void {
    setTimeout(() => {
      this.state = 'over';
      this.connection.end();
    }, lingerMilliseconds).unref();
  }
}
