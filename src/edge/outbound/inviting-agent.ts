import { established } from '../call/established.js';
import { fail } from '../call/fail.js';
import { attachInDialog } from '../call/in-dialog.js';
import { MediaRefused } from '../media/media-refused.js';
import { capabilityHeaders } from '../sip/capabilities.js';
import { EarlyAnswer } from '../sip/early-answer.js';
import { forwardsLeft, sdpOf } from '../sip/message-reading.js';
import { type Dialog, failureText, type ReceivedRequest, type ReceivedResponse } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedIn, sessionTimerHeaders } from '../sip/session-timer.js';
import type { AgentPlacedCall } from './agent-placed-call.js';
import type { Acknowledge, AgentSide } from './agent-side.js';

/** The engine sends 100 itself; 199 concerns forks that the agent does not see. */
const relayed = new Set([180, 181, 182, 183]);

/** The agent's leg of a call that its own INVITE began: it gets the trunk's provisional responses and 200. */
export class InvitingAgent implements AgentSide {
  readonly offer: string | undefined;
  /** Descriptions from the trunk's provisional responses. */
  private readonly early = new EarlyAnswer();
  private hasReached = false;

  constructor(private readonly call: AgentPlacedCall) {
    this.offer = sdpOf(call.request);
  }

  get maxForwards(): number {
    return forwardsLeft(this.call.request.get('Max-Forwards'));
  }

  /** A variable is a header line of its name, or of its name behind `X-Demarc-`. */
  header(name: string): string | undefined {
    const { request } = this.call;
    return request.get(name) ?? request.get(`X-Demarc-${name}`);
  }

  /** Another edge would have the callee's phone ring twice. */
  reached(): void {
    const { call } = this;
    if (this.hasReached) return;
    this.hasReached = true;
    call.deps.engine.beginOnce(call.request);
  }

  provisional(response: ReceivedResponse): void {
    const { call } = this;
    const sdp = this.early.note(response);
    if (!relayed.has(response.status) || !call.provisionals.isPossible) return;
    // Without an offer of the agent a description here would be one, which an unreliable response cannot carry.
    const early = this.offer === undefined ? undefined : sdp;
    // In order: a later response waits for the description of an earlier one.
    call
      .afterEarlyMedia(() => this.relay(response.status, early))
      .catch((error: unknown) => fail(call, error));
  }

  answered(): void {
    this.reached();
  }

  async join(sdp: string | undefined, acknowledge?: Acknowledge): Promise<void> {
    const { call } = this;
    await call.earlyMedia;
    if (call.hasEnded) return;
    if (acknowledge !== undefined) {
      await this.joinOffer(sdp, acknowledge);
      return;
    }
    if (sdp === undefined)
      throw new MediaRefused('305 demarc "No answer"', 'The trunk answered 200 without SDP.');
    const answer = await call.media!.answer(sdp);
    call.describeSide('trunk', { remote: sdp });
    await this.accept(answer, () => established(call));
  }

  /** Neither side made an offer: the trunk's goes to the agent in our 200, and the agent's ACK brings the answer. */
  private async joinOffer(sdp: string | undefined, acknowledge: Acknowledge): Promise<void> {
    const { call } = this;
    if (sdp === undefined)
      throw new MediaRefused('305 demarc "No offer"', "The trunk's 200 had no SDP offer.");
    const offer = await call.media!.offer('trunk', sdp);
    if (call.hasEnded) return;
    call.describeSide('trunk', { remote: sdp });
    await this.accept(offer, (dialog) => {
      dialog.once('ack', (ack: ReceivedRequest) => {
        this.takeAnswer(sdpOf(ack), acknowledge).catch((error: unknown) => fail(call, error));
      });
    });
  }

  private async takeAnswer(sdp: string | undefined, acknowledge: Acknowledge): Promise<void> {
    const { call } = this;
    if (call.hasEnded) return;
    if (sdp === undefined)
      throw new MediaRefused('305 demarc "No answer"', "The agent's ACK had no SDP answer to the offer.");
    const answer = await call.media!.answer(sdp);
    if (call.hasEnded) return;
    call.describeSide('agent', { remote: sdp });
    call.describeSide('trunk', { local: answer });
    await acknowledge(answer);
    established(call);
  }

  private async relay(status: number, sdp: string | undefined): Promise<void> {
    const { call } = this;
    if (call.hasEnded || call.media === undefined || call.dialogs.trunk !== undefined) return;
    if (sdp === undefined) {
      call.sendProvisional(status, {});
      return;
    }
    try {
      const body = await call.media.answer(sdp);
      call.describeSide('agent', { local: body });
      call.sendProvisional(status, { body });
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      // Only the final answer is binding; the status is still relayed.
      call.log.warn({ detail: error.detail }, "The trunk's early media is invalid.");
      call.sendProvisional(status, {});
    }
  }

  /** 200 to the agent, with an answer to its offer, or with ours. */
  private async accept(media: string, then: (dialog: Dialog) => void): Promise<void> {
    const { call } = this;
    await call.provisionals.settled();
    if (call.hasEnded) return;
    // An answer sent in a reliable response stays the answer.
    const body = call.provisionals.answer ?? media;
    const { request, response, deps } = call;
    const timer = sessionTimerHeaders(request, deps.settings.call.sessionExpiresSeconds);
    call.setSession('agent', sessionAgreedIn(timer));
    const headers = { ...capabilityHeaders, ...call.answerHeaders, ...timer };
    call.describeSide('agent', { local: body });
    deps.engine.answer(request, response, { localSdp: body, headers }, (error, dialog) => {
      if (dialog !== undefined) this.accepted(dialog, then);
      else if (!call.hasEnded) {
        // CANCEL or the loss of the agent's connection came first.
        const detail = `200 was not sent: ${failureText(error)}`;
        call.end({ reason: 'agent_hung_up', by: 'agent', detail }, { reason: sipReason(487, 'Cancelled') });
      }
    });
  }

  private accepted(dialog: Dialog, then: (dialog: Dialog) => void): void {
    const { call } = this;
    const acknowledged = call.legs.awaitAgentAck();
    call.setDialog('agent', dialog);
    attachInDialog(call, 'agent', dialog);
    dialog.once('ack', acknowledged);
    dialog.once('destroy', acknowledged);
    if (!call.hasEnded) then(dialog);
    else
      void call.legs.agentAcknowledged?.then(() => {
        if (dialog.connected) dialog.destroy({ headers: {} }, () => {});
      });
  }
}
