import { randomUUID } from 'node:crypto';
import type { OwnText } from '../../base/own-text.js';
import type { CallDeps } from '../call/call.js';
import { Call } from '../call/call.js';
import type { EndOptions } from '../call/call-events.js';
import type { Ending } from '../call/call-state.js';
import { dialogNameOf } from '../sip/dialog-name.js';
import { EarlyAnswer } from '../sip/early-answer.js';
import { type HeaderLookup, headerIndex, sdpOf } from '../sip/message-reading.js';
import type { ReceivedRequest, ResponseSender, SendOptions } from '../sip/messages.js';
import { ProvisionalResponses } from '../sip/provisional-responses.js';
import { sipReason } from '../sip/reason.js';
import type { FinalAnswer } from '../sip/refuse-invite.js';
import { explained, refuseInvite } from '../sip/refuse-invite.js';

/** The caller's INVITE and what answers it, until the call is confirmed. */
interface Setup {
  readonly request: ReceivedRequest;
  readonly response: ResponseSender;
  readonly header: HeaderLookup;
  readonly provisionals: ProvisionalResponses;
}

const ignore = (): void => {};
const nothing = {};

/** A call from a trunk: its INVITE waits for our final response. */
export class InboundCall extends Call {
  private setup: Setup | undefined;
  /** Of the caller's INVITE, once that is dropped. */
  private allow: string | undefined;
  override readonly dialogName: string;
  /** Milliseconds from the INVITE's arrival at the SIP server to the start of the call here. */
  readonly waited: number;
  private early: EarlyAnswer | undefined;
  private noteForwarded: () => void = ignore;
  private mapped: Readonly<Record<string, string>> = nothing;

  constructor(deps: CallDeps, request: ReceivedRequest, response: ResponseSender) {
    const header = headerIndex(request);
    super(deps, {
      id: randomUUID(),
      direction: 'inbound',
      from: header('From') ?? '',
      to: header('To') ?? '',
      source: {
        address: request.source_address,
        port: request.source_port,
        protocol: request.protocol,
      },
      trunkSipCallId: header('Call-ID') ?? '',
      trunkOffer: sdpOf(request),
    });
    this.dialogName = dialogNameOf(request);
    this.waited = waitedSince(request.stackTime);
    const provisionals = new ProvisionalResponses({
      request,
      response,
      reliability: deps.settings.call.reliableProvisionals ?? (deps.engine.isEmbedded ? 'required' : 'never'),
      notAcknowledged: (status) => prackMissing(this, status),
    });
    this.setup = { request, response, header, provisionals };
  }

  private get kept(): Setup {
    if (this.setup === undefined) throw new Error('The INVITE of a confirmed call is not kept.');
    return this.setup;
  }

  get request(): ReceivedRequest {
    return this.kept.request;
  }

  get response(): ResponseSender {
    return this.kept.response;
  }

  /** Header values of the caller's INVITE. */
  get header(): HeaderLookup {
    return this.kept.header;
  }

  get provisionals(): ProvisionalResponses {
    return this.kept.provisionals;
  }

  /** Descriptions from the agent that has or will get the call. */
  get agentAnswer(): EarlyAnswer {
    this.early ??= new EarlyAnswer();
    return this.early;
  }

  useAgentAnswer(answer: EarlyAnswer): void {
    this.early = answer;
  }

  /** Reports to admission that the agent's INVITE is out. */
  onForwarded(note: () => void): void {
    this.noteForwarded = note;
  }

  forwarded(): void {
    this.noteForwarded();
  }

  /** Headers that the mappings derive from the agent's 200, for ours. */
  get answerHeaders(): Readonly<Record<string, string>> {
    return this.mapped;
  }

  mapAnswer(headers: Readonly<Record<string, string>>): void {
    this.mapped = headers;
  }

  /** Sends a provisional response to the caller; a failure does not end the call. */
  sendProvisional(status: number, options: SendOptions): void {
    if (!this.hasEnded) this.provisionals.send(status, options);
  }

  override get trunkAllow(): string | undefined {
    return this.setup === undefined ? this.allow : this.setup.header('Allow');
  }

  protected override forgetSetup(own: OwnText): void {
    const allow = this.trunkAllow;
    this.allow = allow === undefined ? allow : own(allow);
    this.setup = undefined;
    this.early = undefined;
    this.mapped = nothing;
    this.noteForwarded = ignore;
  }

  /** `endUnanswered` has answered it. */
  override async withdraw(): Promise<void> {}

  protected override endUnanswered(ending: Ending, options: EndOptions): void {
    this.setup?.provisionals.end();
    if (this.state.answeredAt !== null) return;
    if (ending.reason === 'caller_cancelled') this.noteStatus(487);
    else if (options.answer !== undefined) this.refuse(options.answer, options);
  }

  private refuse(answer: FinalAnswer, { engineIsGone, reason }: EndOptions): void {
    const status =
      engineIsGone === true ? answer.status : refuseInvite(this.response, explained(answer, reason));
    this.noteStatus(status, answer.reason);
  }
}

/** RFC 3262 §3: the INVITE is refused when its provisional response is not acknowledged. */
export function prackMissing(call: InboundCall, status: number): void {
  call.end(
    { reason: 'ack_timeout', by: 'edge', detail: `The caller did not send PRACK for the ${status}.` },
    { answer: { status: 504, reason: 'PRACK Timeout' }, reason: sipReason(504, 'PRACK timeout') },
  );
}

/** Time zones differ by quarters of an hour. */
const zoneMilliseconds = 900_000;
/** A longer wait means that the clocks differ. */
const longestWait = 30_000;

/** Milliseconds since a time of day; 0 if unknown. */
export function waitedSince(timeOfDay: string | undefined, now: number = Date.now()): number {
  const match = /^\d\d:(\d\d):(\d\d\.\d+)$/.exec(timeOfDay ?? '');
  if (match === null) return 0;
  const at = (Number(match[1]) * 60 + Number(match[2])) * 1_000;
  const waited = (((now - at) % zoneMilliseconds) + zoneMilliseconds) % zoneMilliseconds;
  return waited > longestWait ? 0 : waited;
}
