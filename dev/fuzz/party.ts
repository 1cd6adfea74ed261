import { tagOf } from '../../src/sip/address.js';
import { parseCSeq } from '../../src/sip/cseq.js';
import { newRequest, type SipMessage, type SipRequest, type SipResponse } from '../../src/sip/message.js';
import { respondTo } from '../../src/sip/response.js';
import { serialize } from '../../src/sip/serialize.js';
import type { Arrival, Route, SipPeer } from '../../src/testkit/sip-peer.js';
import { type MessageOptions, PeerCall } from '../../test/support/peer-call.js';
import type { Chance } from './chance.js';
import { distorted } from './distortions.js';
import { type Side, someDescription } from './odd-descriptions.js';
import type { Participant, Story } from './story.js';

export interface Dialog {
  readonly call: PeerCall;
  /** An ACK was sent or received. */
  isConfirmed: boolean;
  isOver: boolean;
}

interface SentRequest {
  readonly request: SipRequest;
  readonly dialog: Dialog | undefined;
  isAnswered: boolean;
  /** Of the final response. */
  status?: number;
  /** Nothing in it gives a reason not to answer it. */
  readonly isCorrect: boolean;
}

const firstRepetition = 120;
const repetitions = 6;

export const branchOf = (message: SipMessage): string =>
  /;\s*branch=([^;,\s]+)/i.exec(message.headers.get('Via') ?? '')?.[1] ?? '';

/** One user agent of a story: keeps dialogs as RFC 3261 says, and departs from that as its chance decides. */
export abstract class Party implements Participant {
  readonly dialogs: Dialog[] = [];
  /** As they ring, by tag. */
  protected readonly early: PeerCall[] = [];
  /** In each of its requests. */
  protected alwaysHeaders: Readonly<Record<string, string>> = {};
  private readonly sent = new Map<string, SentRequest>();

  constructor(
    readonly story: Story,
    readonly peer: SipPeer,
    readonly side: Side,
    protected readonly chance: Chance,
  ) {
    story.parties.push(this);
  }

  receive(arrival: Arrival): void {
    const { message } = arrival;
    this.story.note(this.side, '<-', message);
    if (message.kind === 'response') this.onResponse(message);
    else this.onRequest(arrival as Arrival<SipRequest>);
  }

  get callIds(): string[] {
    return [...this.dialogs.map(({ call }) => call.callId), ...this.early.map(({ callId }) => callId)];
  }

  protected abstract onRequest(arrival: Arrival<SipRequest>): void;

  /** Sends a request; over UDP again and again until it is answered. `isCorrect`: without distortion or delay. */
  request(
    call: PeerCall,
    method: string,
    options: MessageOptions = {},
    dialog?: Dialog,
    isCorrect = false,
  ): SipRequest {
    const request = call.build(method, {
      branch: `z9hG4bK${this.chance.token()}`,
      ...options,
      headers: { ...this.alwaysHeaders, ...options.headers },
    });
    this.submit(request, dialog, isCorrect);
    return request;
  }

  /** CANCEL of an INVITE, whether or not it is still pending. */
  cancel(invite: SipRequest, isCorrect = false): void {
    const { headers, uri } = invite;
    const cancel = newRequest('CANCEL', uri, headers.clone());
    for (const name of ['Contact', 'Content-Type', 'Supported', 'Require', 'Session-Expires']) {
      cancel.headers.remove(name);
    }
    cancel.headers.set('CSeq', `${parseCSeq(headers.get('CSeq')!)!.number} CANCEL`);
    this.submit(cancel, undefined, isCorrect);
  }

  isAnswered(request: SipRequest): boolean {
    return this.statusOf(request) !== undefined;
  }

  probe(): () => string[] {
    const calls = [...this.dialogs.map(({ call }) => call), ...this.early];
    const probes = calls.map((call) => ({
      call,
      request: this.request(call, 'OPTIONS', {}, undefined, true),
    }));
    return () =>
      probes
        .filter(({ request }) => ![undefined, 481].includes(this.statusOf(request)))
        .map(
          ({ call, request }) =>
            `the ${this.side}'s dialog ${call.callId} answers ${this.statusOf(request)} to OPTIONS`,
        );
  }

  private statusOf(request: SipRequest): number | undefined {
    return this.sent.get(`${branchOf(request)} ${request.method}`)?.status;
  }

  protected submit(request: SipRequest, dialog: Dialog | undefined, isCorrect: boolean): void {
    const isDistorted =
      !isCorrect &&
      this.story.isDistorted &&
      this.peer.protocol === 'udp' &&
      request.method !== 'ACK' &&
      this.chance.happens(0.2);
    const text = isDistorted ? distorted(serialize(request), this.chance) : serialize(request);
    const sent = { request, dialog, isAnswered: false, isCorrect: !isDistorted };
    if (request.method !== 'ACK') this.sent.set(`${branchOf(request)} ${request.method}`, sent);
    if (request.method === 'BYE' && dialog !== undefined && !isDistorted) dialog.isOver = true;
    this.transmit(text, undefined, isCorrect);
    if (this.peer.protocol === 'udp' && request.method !== 'ACK' && !isDistorted) {
      this.repeat(text, sent, firstRepetition, repetitions);
    }
  }

  /** A response that is correct but for the given parts. */
  protected respond(
    call: PeerCall,
    arrival: Arrival<SipRequest>,
    status: number,
    { body, headers = {}, tag = call.localTag }: MessageOptions & { tag?: string } = {},
  ): void {
    const { message } = arrival;
    const isTagged = tagOf(message.headers.get('To') ?? '') !== undefined;
    const response = respondTo(message, status, isTagged || status === 100 ? {} : { toTag: tag });
    if (status > 100 && status < 300) response.headers.add('Contact', call.contact);
    for (const [name, value] of Object.entries(headers)) {
      response.headers.remove(name);
      if (typeof value === 'string') response.headers.add(name, value);
    }
    if (body !== undefined) {
      response.body = body;
      response.headers.set('Content-Type', 'application/sdp');
    }
    this.transmit(serialize(response), arrival.route, false);
  }

  description(chance = this.chance): string {
    return someDescription(chance, this.side, !this.story.isAbandoned);
  }

  hangUp(): void {
    for (const dialog of this.dialogs) {
      if (!dialog.isOver) this.request(dialog.call, 'BYE', {}, dialog, true);
    }
  }

  problems(): string[] {
    const found: string[] = [];
    for (const { call, isConfirmed, isOver } of this.dialogs) {
      // A distorted Contact or Record-Route leads the BYE elsewhere.
      if (isConfirmed && !isOver && !this.story.isDistorted) {
        found.push(`the ${this.side}'s dialog ${call.callId} to ${call.remoteTag} got no BYE`);
      }
    }
    for (const { request, isAnswered, isCorrect } of this.sent.values()) {
      if (!isAnswered && isCorrect) {
        found.push(`the ${this.side}'s ${request.headers.get('CSeq')} got no final response`);
      }
    }
    return found;
  }

  protected dialogWith(remoteTag: string | undefined): Dialog | undefined {
    return this.dialogs.find(({ call }) => call.remoteTag === remoteTag);
  }

  /** Sends now or a little later, once or twice; that reorders datagrams and requests. */
  protected transmit(text: string, route: Route | undefined, isExact: boolean): void {
    const send = (): void => {
      this.story.note(this.side, '->', text);
      // A closed connection is one of the things that happen to peers.
      this.peer.send(Buffer.from(text, 'latin1'), route).catch(() => {});
    };
    if (isExact || this.chance.happens(0.85)) send();
    else setTimeout(send, this.chance.between(1, 80));
    if (!isExact && this.peer.protocol === 'udp' && this.chance.happens(0.08)) {
      setTimeout(send, this.chance.between(0, 60));
    }
  }

  protected onResponse(response: SipResponse): void {
    const cseq = parseCSeq(response.headers.get('CSeq') ?? '');
    const sent = this.sent.get(`${branchOf(response)} ${cseq?.method}`);
    if (cseq === undefined || sent === undefined) return;
    if (response.status >= 200) Object.assign(sent, { isAnswered: true, status: response.status });
    if (cseq.method !== 'INVITE') return;
    const dialog = sent.dialog ?? this.formed(sent.request, response);
    if (response.status >= 300) this.acknowledgeFailure(sent.request, response);
    else if (dialog === undefined) return;
    else if (response.status >= 200) this.acknowledge(dialog, sent.request, response);
    else if (response.headers.has('RSeq')) this.prack(dialog, cseq.number, response);
  }

  /** The dialog of a response to an INVITE outside one. */
  private formed(invite: SipRequest, response: SipResponse): Dialog | undefined {
    const tag = tagOf(response.headers.get('To') ?? '');
    if (tag === undefined || response.status <= 100) return undefined;
    const existing = this.dialogWith(tag);
    if (existing !== undefined || response.status >= 300) return existing;
    const root = this.rootOf(invite);
    const call: PeerCall = Object.assign(Object.create(PeerCall.prototype) as PeerCall, root, { routes: [] });
    call.learn(response);
    const dialog = { call, isConfirmed: false, isOver: false };
    this.dialogs.push(dialog);
    return dialog;
  }

  /** What an INVITE outside a dialog was built from. */
  protected abstract rootOf(invite: SipRequest): PeerCall;

  private acknowledge({ call, ...rest }: Dialog, invite: SipRequest, response: SipResponse): void {
    const number = parseCSeq(invite.headers.get('CSeq')!)!.number;
    const chance = this.chance.derive(`ACK ${number} ${call.remoteTag}`);
    if (rest.isOver && chance.happens(0.5)) return;
    const dialog = this.dialogs.find((each) => each.call === call)!;
    const isAnswer = invite.body === '' && response.body !== '';
    if (chance.happens(0.06)) return;
    const body = isAnswer && chance.happens(0.9) ? { body: this.description(chance) } : {};
    const send = (): void => {
      dialog.isConfirmed = true;
      this.request(call, 'ACK', { cseq: number, ...body }, dialog, true);
    };
    if (chance.happens(0.8)) send();
    else setTimeout(send, chance.between(10, 600));
    if (chance.happens(0.1)) setTimeout(send, chance.between(0, 300));
  }

  private acknowledgeFailure(invite: SipRequest, response: SipResponse): void {
    if (this.chance.happens(0.04)) return;
    const ack = this.rootOf(invite).build('ACK', { cseq: 1, uri: invite.uri });
    for (const [name, value] of [
      ['Via', invite.headers.get('Via')!],
      ['From', invite.headers.get('From')!],
      ['To', response.headers.get('To')!],
      ['CSeq', `${parseCSeq(invite.headers.get('CSeq')!)!.number} ACK`],
    ] as const) {
      ack.headers.set(name, value);
    }
    this.submit(ack, undefined, true);
  }

  private prack(dialog: Dialog, number: number, response: SipResponse): void {
    const rseq = response.headers.get('RSeq')!;
    const chance = this.chance.derive(`PRACK ${number} ${rseq}`);
    if (chance.happens(0.1)) return;
    const rack = chance.happens(0.1) ? `9 ${number} INVITE` : `${rseq} ${number} INVITE`;
    this.request(dialog.call, 'PRACK', { headers: { RAck: rack } }, dialog);
  }

  private repeat(text: string, sent: SentRequest, wait: number, left: number): void {
    setTimeout(() => {
      if (sent.isAnswered || left === 0) return;
      this.transmit(text, undefined, true);
      this.repeat(text, sent, wait * 2, left - 1);
    }, wait);
  }
}
