import { randomUUID } from 'node:crypto';
import { reasonPhrase } from '../../sip/status.js';
import { Call, type EndOptions, type FinalAnswer } from './call.js';
import type { CallParts } from './call-parts.js';
import type { Ending } from './call-record.js';
import { contactHeaders } from './contact.js';
import type { ReceivedRequest, ResponseSender, SendOptions } from './engine-link.js';
import { type HeaderLookup, headerIndex } from './header-index.js';
import { sdpOf } from './sip-body.js';

/** A call that a trunk began: its INVITE waits for our answer. */
export class InboundCall extends Call {
  /** Header values of the caller's INVITE. */
  readonly header: HeaderLookup;
  /** Settled when the early media that was on its way has been told to the caller. */
  earlyMedia: Promise<void> = Promise.resolve();
  /** What the mappings made of the agent's 200, for our own. */
  answerHeaders: Readonly<Record<string, string>> = {};

  constructor(
    parts: CallParts,
    readonly request: ReceivedRequest,
    readonly response: ResponseSender,
  ) {
    const header = headerIndex(request);
    super(parts, {
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
      remoteSdp: sdpOf(request),
    });
    this.header = header;
  }

  /** A provisional response to the caller; its failure is not the call's. */
  sendProvisional(status: number, options: SendOptions): void {
    if (this.hasEnded || this.response.finalResponseSent) return;
    const headers = { ...contactHeaders(this.request), ...options.headers };
    this.response.send(status, reasonPhrase(status), { ...options, headers });
  }

  /** `endUnanswered` has answered it. */
  override async withdraw(): Promise<void> {}

  protected override endUnanswered(ending: Ending, options: EndOptions): void {
    if (this.state.answeredAt !== null) return;
    if (ending.reason === 'caller_cancelled') this.noteStatus(487);
    else if (options.answer !== undefined) this.refuse(options.answer, options);
  }

  private refuse({ status, reason, headers }: FinalAnswer, { engineIsGone }: EndOptions): void {
    this.noteStatus(status, reason);
    if (engineIsGone === true || this.response.finalResponseSent) return;
    const options = headers === undefined ? {} : { headers };
    try {
      this.response.send(status, reason, options);
    } catch {
      // The library knows only the registered status codes; the class's own code says nearly the same.
      const generic = Math.floor(status / 100) * 100;
      this.noteStatus(generic, reason);
      this.response.send(generic, reason, options);
    }
  }
}
