import { setTimeout as sleep } from 'node:timers/promises';
import { established } from '../call/established.js';
import { exchangeBoundMilliseconds } from '../call/exchange.js';
import { fail } from '../call/fail.js';
import { attachInDialog } from '../call/in-dialog.js';
import { MediaRefused } from '../media/media-refused.js';
import { sdpOf } from '../sip/message-reading.js';
import type { Dialog, OfferedDialog } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { reinviteHeaders, sessionAgreedBy } from '../sip/session-timer.js';
import type { AgentSide } from './agent-side.js';
import type { OutboundCall } from './outbound-call.js';

/** RFC 3261 §14.1, for the owner of the Call-ID: how long to wait after 491. */
const glareMilliseconds = { least: 2_100, spread: 1_900 } as const;
const maximumTries = 5;
const retryMilliseconds = 500;

/**
 * The agent's leg of an ordered call: its 200 brought the offer that the trunk gets, and waits for our ACK (RFC 3725 §4.1,
 * flow I). An agent stops waiting after 32 s (RFC 3261 §13.3.1.4), but a phone may ring longer: then the ACK carries an
 * answer with hold, and a re-INVITE joins the agent once the callee has answered.
 */
export class OfferingAgent implements AgentSide {
  readonly offer: string;
  private isAnswered = false;
  private held: Promise<Dialog> | undefined;

  constructor(
    private readonly call: OutboundCall,
    private readonly offered: OfferedDialog,
  ) {
    this.offer = offered.sdp;
    call.after(call.deps.settings.call.heldAnswerSeconds * 1_000, () => this.hold());
  }

  header(name: string): string | undefined {
    return this.offered.res.get(name);
  }

  /** The agent hears nothing before the call is answered. */
  provisional(): void {}

  answered(): void {
    this.isAnswered = true;
  }

  async join(sdp: string | undefined): Promise<void> {
    if (sdp === undefined)
      throw new MediaRefused('305 demarc "No answer"', 'The trunk answered 200 without SDP.');
    const { call } = this;
    const answer = await call.media!.answer(sdp);
    if (call.hasEnded) return;
    call.describeSide('trunk', { remote: sdp });
    if (call.precallDigits !== '') await call.media!.audio.silenceAgent(true);
    if (this.held === undefined) await this.acknowledge(answer);
    else {
      await this.held;
      await this.invite(answer);
    }
    established(call);
  }

  private hold(): void {
    const { call } = this;
    if (call.hasEnded || this.isAnswered) return;
    const answer = call.media?.heldAnswer();
    if (answer === undefined) {
      // The offer is being prepared for another server's media.
      call.after(retryMilliseconds, () => this.hold());
      return;
    }
    call.log.info('The trunk has been ringing for long: putting the agent on hold until the callee answers.');
    this.held = this.acknowledge(answer);
    this.held.catch((error: unknown) => fail(call, error));
  }

  private async acknowledge(answer: string): Promise<Dialog> {
    const { call } = this;
    const acknowledging = this.offered.ack(answer);
    // The ACK is sent once: from here on the leg is a dialog.
    call.legs.releaseOffered('agent');
    call.describeSide('agent', { local: answer });
    const dialog = await acknowledging;
    call.setDialog('agent', dialog);
    call.setSession('agent', sessionAgreedBy(dialog.res));
    attachInDialog(call, 'agent', dialog);
    if (call.hasEnded) dialog.destroy({ headers: {} }, () => {});
    return dialog;
  }

  /** Offers the held agent the trunk's description. */
  private async invite(offer: string): Promise<void> {
    const { call } = this;
    const { agent } = call.state.descriptions;
    for (let tried = 1; !call.hasEnded; tried += 1) {
      const close = call.exchange.begin();
      const { response } = await requestInDialog(
        call.dialogs.agent!,
        { method: 'INVITE', headers: reinviteHeaders(call.state.sessions.agent), body: offer },
        exchangeBoundMilliseconds,
      ).finally(close);
      if (call.hasEnded) return;
      if (response.status < 300) {
        await this.takeAnswer(offer, sdpOf(response));
        return;
      }
      if (response.status !== 491 || tried === maximumTries) {
        this.refused(response.status, response.reason);
        return;
      }
      await sleep(glareMilliseconds.least + Math.random() * glareMilliseconds.spread);
      // The agent's own re-INVITE, which collided with ours, has joined the two.
      if (call.state.descriptions.agent !== agent) return;
    }
  }

  private async takeAnswer(offer: string, answer: string | undefined): Promise<void> {
    const { call } = this;
    if (answer === undefined)
      throw new MediaRefused('305 demarc "No answer"', "The agent's 200 to the re-INVITE has no SDP.");
    await call.media!.redescribe(answer);
    call.describeSide('agent', { remote: answer, local: offer });
  }

  private refused(status: number, phrase: string): void {
    const isGone = status === 481 || status === 408;
    this.call.end(
      {
        reason: isGone ? 'agent_hung_up' : 'agent_refused',
        by: 'agent',
        detail: `The agent on hold answered ${status} ${cleanPhrase(phrase) ?? ''} after the trunk had answered.`,
      },
      { reason: sipReason(status, isGone ? 'Dialog is gone' : 'Agent refused the media') },
    );
  }
}
