import { randomUUID } from 'node:crypto';
import { contactOf } from '../../contract/contact-id.js';
import { tokenHeader } from '../call/agent-token.js';
import type { CallDeps } from '../call/call.js';
import type { EndOptions } from '../call/call-events.js';
import type { Ending } from '../call/call-state.js';
import { contactHeaders } from '../sip/capabilities.js';
import { dialogNameOf } from '../sip/dialog-name.js';
import { sdpOf } from '../sip/message-reading.js';
import type { ReceivedRequest, ResponseSender, SendOptions } from '../sip/messages.js';
import { ProvisionalResponses } from '../sip/provisional-responses.js';
import { sipReason } from '../sip/reason.js';
import { explained, refuseInvite } from '../sip/refuse-invite.js';
import { OutboundCall } from './outbound-call.js';

/** A call to a trunk that the agent runtime began with an INVITE, which waits for our final response. */
export class AgentPlacedCall extends OutboundCall {
  override readonly dialogName: string;
  readonly provisionals: ProvisionalResponses;
  private token: Record<string, string> | undefined;

  constructor(
    deps: CallDeps,
    { number, phoneNumber }: { readonly number: string; readonly phoneNumber: string },
    readonly request: ReceivedRequest,
    readonly response: ResponseSender,
  ) {
    const { source_address: address, source_port: port, protocol } = request;
    const host = address.includes(':') ? `[${address}]` : address;
    super(deps, { call_id: randomUUID(), number, phone_number: phoneNumber }, () => {}, {
      agentUri: `sip:${host}:${port};transport=${protocol.toLowerCase()}`,
      agentSipCallId: request.get('Call-ID') ?? null,
      agentOffer: sdpOf(request),
    });
    this.dialogName = dialogNameOf(request);
    this.provisionals = new ProvisionalResponses({
      request,
      response,
      reliability: deps.settings.call.reliableProvisionals ?? (deps.engine.isEmbedded ? 'required' : 'never'),
      notAcknowledged: (status) => this.prackMissing(status),
    });
  }

  override get isOrdered(): boolean {
    return false;
  }

  override get incomingSipCallId(): string {
    return this.state.agentSipCallId ?? '';
  }

  /** In every answer to the agent. */
  get answerHeaders(): Record<string, string> {
    const { id, organization } = this.state;
    const contact = organization === null ? undefined : contactOf(organization, this.command.phone_number);
    return {
      ...contactHeaders(this.request),
      'X-Demarc-Call-ID': id,
      ...(contact === undefined ? {} : { 'X-Demarc-Contact': contact.id }),
      ...this.tokenFor(contact?.id),
    };
  }

  /** Signed once: every answer carries the same. */
  private tokenFor(contactId: string | undefined): Record<string, string> {
    if (this.state.organization !== null) this.token ??= tokenHeader(this, {}, contactId);
    return this.token ?? {};
  }

  sendProvisional(status: number, options: SendOptions): void {
    if (this.hasEnded) return;
    this.provisionals.send(status, { ...options, headers: { ...this.answerHeaders, ...options.headers } });
  }

  /** RFC 3262 §3: the INVITE is refused when its provisional response is not acknowledged. */
  private prackMissing(status: number): void {
    this.end(
      { reason: 'ack_timeout', by: 'edge', detail: `The agent did not send PRACK for the ${status}.` },
      { answer: { status: 504, reason: 'PRACK Timeout' }, reason: sipReason(504, 'PRACK timeout') },
    );
  }

  protected override endUnanswered(ending: Ending, options: EndOptions): void {
    super.endUnanswered(ending, options);
    this.provisionals.end();
    const hasHungUp = ending.reason === 'agent_hung_up';
    if (options.engineIsGone === true || hasHungUp || this.response.finalResponseSent) return;
    const answer = options.answer ?? { status: 480 };
    const headers = { ...answer.headers, 'X-Demarc-Call-ID': this.state.id };
    refuseInvite(this.response, explained({ ...answer, headers }, options.reason));
  }
}
